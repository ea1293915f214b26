// As ../traffic.v, with an output more.
// A light that goes red, green, amber in turn, with a request button. The property holds: never two lamps at once, and
// amber comes only after green.
module traffic(input clk, input request, output walk);
  assign walk = state == 0;
  reg [1:0] state = 0;
  reg [3:0] timer = 0;
  reg was_green = 0;

  always @(posedge clk) begin
    was_green <= state == 1;
    case (state)
      0: if (request && timer >= 3) begin state <= 1; timer <= 0; end else if (timer != 15) timer <= timer + 1;
      1: if (timer >= 2) begin state <= 2; timer <= 0; end else timer <= timer + 1;
      2: begin state <= 0; timer <= 0; end
      default: state <= 0;
    endcase
  end

  always @* begin
    assert (state != 3);
    assert (state != 1 || timer <= 2);
    assert (state != 2 || was_green);
  end
endmodule
