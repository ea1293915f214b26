import evergreen.Sym;
import java.util.BitSet;

/** Drives java.util.BitSet: symbolic shifts. */
public class BitSetJdk {
    /** Two bits set; any bit asked. */
    public static boolean setGet() {
        BitSet set = new BitSet();
        int a = Sym.anInt("a", 0, 9);
        int b = Sym.anInt("b", 0, 9);
        set.set(a);
        set.set(b);
        int asked = Sym.anInt("asked", 0, 9);
        boolean in = set.get(asked);
        Sym.check(in == (asked == a || asked == b), "what is set is there");
        Sym.check(set.cardinality() == (a == b ? 1 : 2), "bits are counted");
        return in;
    }

    /** A fixed set, any index, negative ones included. */
    public static boolean get(int index) {
        BitSet set = new BitSet();
        set.set(3);
        set.set(64, 70);
        return set.get(index);
    }

    public static int nextSetBit() {
        BitSet set = new BitSet();
        set.set(5);
        set.set(80);
        return set.nextSetBit(Sym.anInt("from", 0, 100));
    }
}
