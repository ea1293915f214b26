/** BitSet: set operations, scanning, ranges. */
public class CollectionBitSet {
    public static void main(String[] args) {
        java.util.BitSet a = new java.util.BitSet();
        java.util.BitSet b = new java.util.BitSet(200);
        for (int i = 0; i < 150; i += 3) {
            a.set(i);
        }
        b.set(60, 72);
        System.out.println(a.cardinality() + " " + a.length() + " " + a.size() + " " + b + " " + a.get(63) + a.get(64));
        java.util.BitSet c = (java.util.BitSet) a.clone();
        c.and(b);
        System.out.println(c + " " + c.intersects(b));
        c.or(a);
        c.xor(b);
        c.andNot(a);
        System.out.println(c);
        c.flip(0, 5);
        c.clear(2);
        c.set(4, false);
        System.out.println(c + " " + c.nextSetBit(4) + " " + c.nextClearBit(0) + " " + c.previousSetBit(100) + " " + c.nextSetBit(1000));
        java.util.BitSet sieve = new java.util.BitSet(50);
        sieve.set(2, 50);
        for (int p = 2; p * p < 50; p = sieve.nextSetBit(p + 1)) {
            for (int m = p * p; m < 50; m += p) {
                sieve.clear(m);
            }
        }
        System.out.println(sieve);
        System.out.println(a.equals(c) + " " + new java.util.BitSet().isEmpty() + " " + b.hashCode() + " " + b.toLongArray()[1]);
        try {
            a.set(-1);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
    }
}
