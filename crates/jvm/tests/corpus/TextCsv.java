import java.util.ArrayList;
import java.util.List;

/** A CSV reader as a state machine: quotes, escapes, errors with positions. */
public class TextCsv {
    static class Bad extends Exception {
        Bad(String m, int at) {
            super(m + " at " + at);
        }
    }

    enum State { START, PLAIN, QUOTED, CLOSED }

    static List<List<String>> read(String s) throws Bad {
        List<List<String>> rows = new ArrayList<>();
        List<String> row = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        State st = State.START;
        for (int i = 0; i <= s.length(); i++) {
            char c = i == s.length() ? '\n' : s.charAt(i);
            if (st == State.QUOTED) {
                if (i == s.length()) {
                    throw new Bad("open quote", i);
                }
                if (c == '"') {
                    st = State.CLOSED;
                } else {
                    cell.append(c);
                }
                continue;
            }
            switch (c) {
                case '"':
                    if (st == State.CLOSED) {
                        cell.append('"');
                        st = State.QUOTED;
                    } else if (st == State.START) {
                        st = State.QUOTED;
                    } else {
                        throw new Bad("stray quote", i);
                    }
                    break;
                case '\n':
                case ',':
                    row.add(cell.toString());
                    cell.setLength(0);
                    st = State.START;
                    if (c == '\n') {
                        rows.add(row);
                        row = new ArrayList<>();
                    }
                    break;
                default:
                    if (st == State.CLOSED) {
                        throw new Bad("text after quote", i);
                    }
                    st = State.PLAIN;
                    cell.append(c);
            }
        }
        return rows;
    }

    public static void main(String[] args) {
        for (String s : new String[] {"a,b\n1,2", "\"x,y\",\"q\"\"q\"", "", ",", "a\"b", "\"open", "\"a\"b", "\"multi\nline\",z"}) {
            try {
                List<List<String>> rows = read(s);
                System.out.println(rows.size() + " " + rows.toString().replace("\n", "/"));
            } catch (Bad e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
