/** Minimax with pruning from a given position; board as two bit masks. */
public class AlgoTicTacToe {
    static final int[] LINES = {7, 56, 448, 73, 146, 292, 273, 84};
    static int nodes;

    static boolean wins(int b) {
        for (int l : LINES) {
            if ((b & l) == l) {
                return true;
            }
        }
        return false;
    }

    static int value(int me, int you, int alpha, int beta) {
        nodes++;
        if (wins(you)) {
            return -1;
        }
        int free = 511 & ~(me | you);
        if (free == 0) {
            return 0;
        }
        for (; free != 0; free &= free - 1) {
            int v = -value(you, me | free & -free, -beta, -alpha);
            if (v > alpha) {
                alpha = v;
            }
            if (alpha >= beta) {
                break;
            }
        }
        return alpha;
    }

    static int[] read(String s) {
        int[] b = new int[2];
        for (int i = 0; i < 9; i++) {
            if (s.charAt(i) != '.') {
                b[s.charAt(i) == 'x' ? 0 : 1] |= 1 << i;
            }
        }
        return b;
    }

    public static void main(String[] args) {
        for (String s : new String[] {"x...o....", "xx.oo....", "xoxoxo...", "x.o.x.o..", "xoxxoxoxo"}) {
            int[] b = read(s);
            nodes = 0;
            int v = Integer.bitCount(b[0]) > Integer.bitCount(b[1]) ? -value(b[1], b[0], -1, 1) : value(b[0], b[1], -1, 1);
            System.out.println(s + " " + v + " " + nodes);
        }
    }
}
