import java.util.Enumeration;
import java.util.Stack;
import java.util.Vector;

/** Stack, Vector and Enumeration: the old collections. */
public class CollectionLegacy {
    static boolean balanced(String s) {
        Stack<Character> st = new Stack<>();
        for (char c : s.toCharArray()) {
            switch (c) {
                case '(':
                case '[':
                case '{':
                    st.push(c);
                    break;
                case ')':
                case ']':
                case '}':
                    if (st.empty() || "([{".indexOf(st.pop()) != ")]}".indexOf(c)) {
                        return false;
                    }
            }
        }
        return st.isEmpty();
    }

    public static void main(String[] args) {
        System.out.println(balanced("{[()]}") + " " + balanced("([)]") + " " + balanced("((") + " " + balanced(""));
        Vector<Integer> v = new Vector<>(2, 3);
        for (int i = 0; i < 6; i++) {
            v.addElement(i * i);
        }
        System.out.println(v + " " + v.capacity() + " " + v.elementAt(2) + " " + v.firstElement() + v.lastElement());
        v.removeElementAt(0);
        v.insertElementAt(100, 1);
        Enumeration<Integer> e = v.elements();
        int sum = 0;
        while (e.hasMoreElements()) {
            sum += e.nextElement();
        }
        System.out.println(sum + " " + v.indexOf(100));
        Stack<String> s = new Stack<>();
        s.push("a");
        s.push("b");
        System.out.println(s.peek() + s.search("a") + s.search("z") + s);
        s.clear();
        try {
            s.pop();
        } catch (java.util.EmptyStackException x) {
            System.out.println(x);
        }
    }
}
