import evergreen.Sym;

/** Drives {@link BoundedBuffer}: what goes in comes out in order. */
public class BoundedBufferDriver {
    /** Any five operations on a buffer of two, compared with counting. */
    public static void operations5() {
        BoundedBuffer buffer = new BoundedBuffer(2);
        int in = 0;
        int out = 0;
        for (int i = 0; i < 5; i++) {
            if (Sym.aBoolean("put" + i)) {
                if (buffer.put(in)) {
                    in++;
                }
            } else if (buffer.count() > 0) {
                Sym.check(buffer.get() == out, "first in, first out");
                out++;
            }
            Sym.check(buffer.count() == in - out, "the count is right");
        }
    }

    /** A symbolic index into the ring. */
    public static int peek(int back) {
        BoundedBuffer buffer = new BoundedBuffer(4);
        for (int i = 0; i < 6; i++) {
            if (!buffer.put(10 * i)) {
                buffer.get();
                buffer.put(10 * i);
            }
        }
        return buffer.peek(back);
    }

    /** A buffer of any size up to four. */
    public static int capacity() {
        int capacity = Sym.anInt("capacity", 0, 4);
        BoundedBuffer buffer = new BoundedBuffer(capacity);
        int puts = 0;
        while (buffer.put(puts)) {
            puts++;
        }
        Sym.check(puts == capacity, "as many as there is room for");
        return puts;
    }
}
