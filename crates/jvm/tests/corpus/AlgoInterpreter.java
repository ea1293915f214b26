/** A small stack machine that runs a program: loops, calls, traps. */
public class AlgoInterpreter {
    enum Op { PUSH, ADD, SUB, MUL, DIV, DUP, SWAP, LOAD, STORE, JZ, JMP, PRINT, HALT }

    static class Trap extends RuntimeException {
        final int pc;

        Trap(int pc, Throwable cause) {
            super("trap at " + pc, cause);
            this.pc = pc;
        }
    }

    static long run(Object... program) {
        long[] stack = new long[16];
        long[] memory = new long[4];
        int sp = 0;
        int pc = 0;
        long steps = 0;
        try {
            while (true) {
                steps++;
                Op op = (Op) program[pc++];
                int arg = pc < program.length && program[pc] instanceof Integer ? (Integer) program[pc++] : 0;
                switch (op) {
                    case PUSH -> stack[sp++] = arg;
                    case ADD -> stack[--sp - 1] += stack[sp];
                    case SUB -> stack[--sp - 1] -= stack[sp];
                    case MUL -> stack[--sp - 1] *= stack[sp];
                    case DIV -> stack[--sp - 1] /= stack[sp];
                    case DUP -> stack[sp] = stack[sp++ - 1];
                    case SWAP -> {
                        long t = stack[sp - 1];
                        stack[sp - 1] = stack[sp - 2];
                        stack[sp - 2] = t;
                    }
                    case LOAD -> stack[sp++] = memory[arg];
                    case STORE -> memory[arg] = stack[--sp];
                    case JZ -> {
                        if (stack[--sp] == 0) {
                            pc = arg;
                        }
                    }
                    case JMP -> pc = arg;
                    case PRINT -> System.out.print(stack[--sp] + " ");
                    case HALT -> {
                        System.out.println();
                        return steps;
                    }
                }
            }
        } catch (ArithmeticException | ArrayIndexOutOfBoundsException | ClassCastException e) {
            throw new Trap(pc, e);
        }
    }

    public static void main(String[] args) {
        System.out.println(run(Op.PUSH, 10, Op.STORE, 0, Op.PUSH, 1, Op.STORE, 1, Op.LOAD, 0, Op.JZ, 28, Op.LOAD, 1, Op.LOAD, 0, Op.MUL,
            Op.STORE, 1, Op.LOAD, 0, Op.PUSH, 1, Op.SUB, Op.STORE, 0, Op.JMP, 8, Op.LOAD, 1, Op.PRINT, Op.HALT));
        Object[][] bad = {{Op.PUSH, 1, Op.PUSH, 0, Op.DIV}, {Op.ADD}, {Op.LOAD, 9}, {Op.PUSH, 1}, {1}};
        for (Object[] b : bad) {
            try {
                run(b);
            } catch (Trap t) {
                System.out.println(t.getMessage() + " " + t.getCause().getClass().getSimpleName());
            }
        }
    }
}
