/** A persistent search tree by path copying: old versions stay as they were. */
public class DataPersistentTree {
    static final class Tree<K extends Comparable<K>, V> {
        final K key;
        final V value;
        final Tree<K, V> left;
        final Tree<K, V> right;
        static int made;

        Tree(K key, V value, Tree<K, V> left, Tree<K, V> right) {
            this.key = key;
            this.value = value;
            this.left = left;
            this.right = right;
            made++;
        }

        static <K extends Comparable<K>, V> Tree<K, V> put(Tree<K, V> t, K k, V v) {
            if (t == null) {
                return new Tree<>(k, v, null, null);
            }
            int c = k.compareTo(t.key);
            return c == 0 ? new Tree<>(k, v, t.left, t.right)
                : c < 0 ? new Tree<>(t.key, t.value, put(t.left, k, v), t.right)
                : new Tree<>(t.key, t.value, t.left, put(t.right, k, v));
        }

        static <K extends Comparable<K>, V> V get(Tree<K, V> t, K k) {
            while (t != null) {
                int c = k.compareTo(t.key);
                if (c == 0) {
                    return t.value;
                }
                t = c < 0 ? t.left : t.right;
            }
            return null;
        }

        static String show(Tree<?, ?> t) {
            return t == null ? "" : show(t.left) + t.key + t.value + " " + show(t.right);
        }
    }

    public static void main(String[] args) {
        Tree<String, Integer> t = null;
        @SuppressWarnings("unchecked")
        Tree<String, Integer>[] versions = (Tree<String, Integer>[]) new Tree<?, ?>[6];
        int i = 0;
        for (String k : "m c x a d c".split(" ")) {
            versions[i] = t = Tree.put(t, k, i++);
        }
        for (Tree<String, Integer> v : versions) {
            System.out.println(Tree.show(v) + Tree.get(v, "c"));
        }
        System.out.println(Tree.made + " " + (versions[3].right == versions[5].right) + " " + (versions[3].left == versions[5].left));
    }
}
