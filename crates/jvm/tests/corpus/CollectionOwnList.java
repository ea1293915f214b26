import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Own collections on the abstract base classes get the rest for free. */
public class CollectionOwnList {
    static class Squares extends AbstractList<Integer> {
        final int n;

        Squares(int n) {
            this.n = n;
        }

        public Integer get(int i) {
            if (i < 0 || i >= n) {
                throw new IndexOutOfBoundsException("no square " + i);
            }
            return i * i;
        }

        public int size() {
            return n;
        }
    }

    static class Bits extends AbstractSet<Integer> {
        int mask;

        @Override
        public boolean add(Integer i) {
            int old = mask;
            mask |= 1 << i;
            return old != mask;
        }

        @Override
        public Iterator<Integer> iterator() {
            return new Iterator<>() {
                int left = mask;
                int last = -1;

                public boolean hasNext() {
                    return left != 0;
                }

                public Integer next() {
                    last = Integer.numberOfTrailingZeros(left);
                    left &= left - 1;
                    return last;
                }

                public void remove() {
                    mask &= ~(1 << last);
                }
            };
        }

        @Override
        public int size() {
            return Integer.bitCount(mask);
        }
    }

    static class Letters extends AbstractMap<Character, Integer> {
        public Set<Map.Entry<Character, Integer>> entrySet() {
            return new AbstractSet<>() {
                public Iterator<Map.Entry<Character, Integer>> iterator() {
                    return List.of(Map.entry('a', 1), Map.entry('b', 2)).iterator();
                }

                public int size() {
                    return 2;
                }
            };
        }
    }

    public static void main(String[] args) {
        Squares s = new Squares(6);
        System.out.println(s + " " + s.indexOf(16) + " " + s.contains(3) + " " + s.subList(2, 5) + " " + s.equals(Arrays.asList(0, 1, 4, 9, 16, 25)) + " " + s.hashCode());
        try {
            s.add(1);
        } catch (UnsupportedOperationException e) {
            System.out.println("read only");
        }
        try {
            s.get(6);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        Bits b = new Bits();
        b.addAll(List.of(5, 1, 9, 5));
        System.out.println(b + " " + b.contains(9) + " " + b.remove(1) + b.remove(1) + " " + b.retainAll(Set.of(5)) + " " + b + b.hashCode());
        Letters l = new Letters();
        System.out.println(l + " " + l.get('b') + l.containsKey('z') + l.keySet() + l.values() + l.hashCode());
    }
}
