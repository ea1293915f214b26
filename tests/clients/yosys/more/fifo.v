// As ../fifo.v, with an output more.
// A queue of four places whose counter forgets that it may be full: the property fails after a few pushes.
module fifo(input clk, input push, input pop, input [3:0] data, output empty);
  assign empty = count == 0;
  reg [3:0] mem [0:3];
  reg [1:0] head = 0, tail = 0;
  reg [2:0] count = 0;

  always @(posedge clk) begin
    if (push) begin mem[tail] <= data; tail <= tail + 1; end
    if (pop && count != 0) head <= head + 1;
    count <= count + (push ? 1 : 0) - (pop && count != 0 ? 1 : 0);
  end

  always @* assert (count <= 4);
endmodule
