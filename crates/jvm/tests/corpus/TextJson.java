import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A JSON reader and printer over maps, lists, strings, numbers, booleans and null. */
public class TextJson {
    private final String s;
    private int at;

    TextJson(String s) {
        this.s = s;
    }

    RuntimeException bad(String why) {
        return new IllegalArgumentException(why + " at " + at);
    }

    void space() {
        while (at < s.length() && Character.isWhitespace(s.charAt(at))) {
            at++;
        }
    }

    boolean eat(char c) {
        space();
        if (at < s.length() && s.charAt(at) == c) {
            at++;
            return true;
        }
        return false;
    }

    Object value() {
        space();
        if (at == s.length()) {
            throw bad("end");
        }
        if (eat('{')) {
            Map<String, Object> m = new LinkedHashMap<>();
            while (!eat('}')) {
                if (!m.isEmpty() && !eat(',')) {
                    throw bad("comma");
                }
                String k = (String) value();
                if (!eat(':')) {
                    throw bad("colon");
                }
                m.put(k, value());
            }
            return m;
        }
        if (eat('[')) {
            List<Object> l = new ArrayList<>();
            while (!eat(']')) {
                if (!l.isEmpty() && !eat(',')) {
                    throw bad("comma");
                }
                l.add(value());
            }
            return l;
        }
        if (eat('"')) {
            StringBuilder sb = new StringBuilder();
            while (s.charAt(at) != '"') {
                char c = s.charAt(at++);
                if (c == '\\') {
                    c = s.charAt(at++);
                    c = c == 'n' ? '\n' : c == 'u' ? (char) Integer.parseInt(s.substring(at, at += 4), 16) : c;
                }
                sb.append(c);
            }
            at++;
            return sb.toString();
        }
        for (String w : new String[] {"true", "false", "null"}) {
            if (s.startsWith(w, at)) {
                at += w.length();
                return w.equals("null") ? null : (Object) w.equals("true");
            }
        }
        int from = at;
        while (at < s.length() && "+-.eE0123456789".indexOf(s.charAt(at)) >= 0) {
            at++;
        }
        if (from == at) {
            throw bad("what is '" + s.charAt(at) + "'");
        }
        String n = s.substring(from, at);
        return n.contains(".") || n.contains("e") ? (Object) Double.parseDouble(n) : (Object) Long.parseLong(n);
    }

    static String print(Object o) {
        if (o instanceof Map<?, ?> m) {
            StringBuilder sb = new StringBuilder("{");
            for (Map.Entry<?, ?> e : m.entrySet()) {
                sb.append(sb.length() > 1 ? "," : "").append(print(e.getKey())).append(':').append(print(e.getValue()));
            }
            return sb.append('}').toString();
        }
        if (o instanceof List<?> l) {
            StringBuilder sb = new StringBuilder("[");
            for (Object x : l) {
                sb.append(sb.length() > 1 ? "," : "").append(print(x));
            }
            return sb.append(']').toString();
        }
        return o instanceof String t ? '"' + t.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"' : String.valueOf(o);
    }

    public static void main(String[] args) {
        for (String t : new String[] {" {\"a\": [1, 2.5, -3e2, true, null], \"b\": {\"c\": \"x\\n\\u0041\\\"\"}} ", "[]", "[1 2]", "{\"a\" 1}", "?", "", "{1:2}", "\"open"}) {
            try {
                System.out.println(print(new TextJson(t).value()));
            } catch (IllegalArgumentException | ClassCastException | StringIndexOutOfBoundsException e) {
                System.out.println(e instanceof IllegalArgumentException ? e.getMessage() : e.getClass().getSimpleName());
            }
        }
    }
}
