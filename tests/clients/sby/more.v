// As right.v, with an output more.
module traffic(input clk, input request, output walk);
  reg [1:0] state = 0;
  reg [3:0] timer = 0;
  reg was_green = 0;
  assign walk = state == 0;
  reg [7:0] rounds = 0;

  always @(posedge clk) begin
    was_green <= state == 1;
    case (state)
      0: if (request && timer >= 3) begin state <= 1; timer <= 0; end else if (timer != 15) timer <= timer + 1;
      1: if (timer >= 2) begin state <= 2; timer <= 0; end else timer <= timer + 1;
      2: begin state <= 0; timer <= 0; if (rounds != 255) rounds <= rounds + 1; end
      default: state <= 0;
    endcase
  end

  always @* begin
    assert (state != 3);
    assert (state != 1 || timer <= 2);
    assert (state != 2 || was_green);
    cover (state == 1 && timer == 2);
  end
endmodule
