/** An interpreter for an eight command language, with jump table and faults. */
public class AlgoBrainInterpreter {
    static String run(String program, String input) {
        int[] jump = new int[program.length()];
        int[] open = new int[program.length()];
        int depth = 0;
        for (int i = 0; i < jump.length; i++) {
            if (program.charAt(i) == '[') {
                open[depth++] = i;
            } else if (program.charAt(i) == ']') {
                if (depth == 0) {
                    return "unmatched ] at " + i;
                }
                jump[i] = open[--depth];
                jump[jump[i]] = i;
            }
        }
        if (depth > 0) {
            return "unmatched [ at " + open[depth - 1];
        }
        byte[] tape = new byte[30];
        int at = 0;
        int in = 0;
        int steps = 0;
        StringBuilder out = new StringBuilder();
        try {
            for (int pc = 0; pc < jump.length; pc++, steps++) {
                switch (program.charAt(pc)) {
                    case '>' -> at++;
                    case '<' -> at--;
                    case '+' -> tape[at]++;
                    case '-' -> tape[at]--;
                    case '.' -> out.append((char) (tape[at] & 0xff));
                    case ',' -> tape[at] = in < input.length() ? (byte) input.charAt(in++) : 0;
                    case '[' -> pc = tape[at] == 0 ? jump[pc] : pc;
                    case ']' -> pc = tape[at] != 0 ? jump[pc] : pc;
                    default -> { }
                }
            }
        } catch (ArrayIndexOutOfBoundsException e) {
            return "fault " + e.getMessage();
        }
        return out + " in " + steps;
    }

    public static void main(String[] args) {
        System.out.println(run("++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.", ""));
        System.out.println(run(",[.,]", "echo"));
        System.out.println(run("+[>+]", ""));
        System.out.println(run("<+", ""));
        System.out.println(run("[[]", "") + " " + run("]", ""));
        System.out.println(run(",>,<[->+<]>.", "\"#"));
    }
}
