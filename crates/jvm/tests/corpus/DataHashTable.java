/** An open addressing hash table by hand, with deletion marks and growth. */
public class DataHashTable<V> {
    private static final Object GONE = new Object();
    private Object[] keys = new Object[4];
    private Object[] values = new Object[4];
    private int used;
    private int live;

    @SuppressWarnings("unchecked")
    V put(Object key, V value) {
        if ((used + 1) * 2 > keys.length) {
            grow();
        }
        int at = (key.hashCode() & 0x7fffffff) % keys.length;
        while (keys[at] != null && !keys[at].equals(key)) {
            at = (at + 1) % keys.length;
        }
        V old = (V) values[at];
        if (keys[at] == null) {
            used++;
            live++;
        }
        keys[at] = key;
        values[at] = value;
        return old;
    }

    @SuppressWarnings("unchecked")
    V get(Object key) {
        for (int at = (key.hashCode() & 0x7fffffff) % keys.length; keys[at] != null; at = (at + 1) % keys.length) {
            if (keys[at].equals(key)) {
                return (V) values[at];
            }
        }
        return null;
    }

    boolean remove(Object key) {
        for (int at = (key.hashCode() & 0x7fffffff) % keys.length; keys[at] != null; at = (at + 1) % keys.length) {
            if (keys[at].equals(key)) {
                keys[at] = GONE;
                values[at] = null;
                live--;
                return true;
            }
        }
        return false;
    }

    @SuppressWarnings("unchecked")
    private void grow() {
        Object[] k = keys;
        Object[] v = values;
        keys = new Object[k.length * 2];
        values = new Object[k.length * 2];
        used = live = 0;
        for (int i = 0; i < k.length; i++) {
            if (k[i] != null && k[i] != GONE) {
                put(k[i], (V) v[i]);
            }
        }
    }

    public static void main(String[] args) {
        DataHashTable<Integer> t = new DataHashTable<>();
        for (int i = 0; i < 50; i++) {
            t.put("k" + i % 20, i);
            t.put(i * 16, -i);
        }
        System.out.println(t.live + " " + t.get("k7") + " " + t.get(160) + " " + t.get("none") + " " + t.keys.length);
        for (int i = 0; i < 50; i += 2) {
            t.remove(i * 16);
        }
        System.out.println(t.live + " " + t.get(32) + " " + t.get(48) + " " + t.remove(32) + " " + t.put(32, 5) + " " + t.get(32));
    }
}
