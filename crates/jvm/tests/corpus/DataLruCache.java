import java.util.HashMap;
import java.util.Map;

/** A least recently used cache by hand: a hash map into a doubly linked ring. */
public class DataLruCache<K, V> {
    private class Node {
        K key;
        V value;
        Node prev = this;
        Node next = this;

        void unlink() {
            prev.next = next;
            next.prev = prev;
        }

        void linkAfter(Node n) {
            prev = n;
            next = n.next;
            n.next.prev = this;
            n.next = this;
        }
    }

    private final Map<K, Node> index = new HashMap<>();
    private final Node ring = new Node();
    private final int most;
    int hits;
    int misses;

    DataLruCache(int most) {
        this.most = most;
    }

    V get(K key) {
        Node n = index.get(key);
        if (n == null) {
            misses++;
            return null;
        }
        hits++;
        n.unlink();
        n.linkAfter(ring);
        return n.value;
    }

    void put(K key, V value) {
        Node n = index.get(key);
        if (n == null) {
            if (index.size() == most) {
                Node oldest = ring.prev;
                oldest.unlink();
                index.remove(oldest.key);
            }
            n = new Node();
            n.key = key;
            index.put(key, n);
        } else {
            n.unlink();
        }
        n.value = value;
        n.linkAfter(ring);
    }

    @Override
    public String toString() {
        StringBuilder sb = new StringBuilder();
        for (Node n = ring.next; n != ring; n = n.next) {
            sb.append(n.key).append('=').append(n.value).append(' ');
        }
        return sb.toString().trim();
    }

    public static void main(String[] args) {
        DataLruCache<String, Integer> c = new DataLruCache<>(3);
        for (String w : "a b c a d e a a f b a".split(" ")) {
            Integer n = c.get(w);
            c.put(w, n == null ? 1 : n + 1);
        }
        System.out.println(c + " " + c.hits + "/" + c.misses + " " + c.index.size());
    }
}
