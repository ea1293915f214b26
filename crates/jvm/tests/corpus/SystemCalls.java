/** System: arraycopy on boxes, properties with defaults, lineSeparator, identity. */
public class SystemCalls {
    public static void main(String[] args) {
        System.out.println(System.lineSeparator().length() + " " + System.getProperty("no.such.property") + " " + System.getProperty("no.such.property", "default"));
        long t = System.nanoTime();
        long m = System.currentTimeMillis();
        System.out.println((System.nanoTime() - t >= 0) + " " + (m > 1500000000000L));
        Object o = new Object();
        System.out.println((System.identityHashCode(o) == o.hashCode()) + " " + System.identityHashCode(null) + " " + (System.identityHashCode(o) == System.identityHashCode(o)));
        Integer[] boxes = {1, 2, 3, 4};
        System.arraycopy(boxes, 0, boxes, 1, 3);
        System.out.println(boxes[0] + "" + boxes[1] + boxes[2] + boxes[3]);
        System.out.print("a");
        System.out.print('b');
        System.out.print(1);
        System.out.print(2L);
        System.out.print(3.5);
        System.out.print(4.5f);
        System.out.print(true);
        System.out.print((Object) null);
        System.out.print(new char[] {'x', 'y'});
        System.out.println();
        System.out.println('c');
        System.out.println(5L);
        System.out.println(6.5f);
        System.out.println(false);
        System.out.println((String) null);
        System.out.println(new char[] {'o', 'k'});
        System.out.append("appended ").append('c').append("xyz", 1, 2).println();
        System.err.print("");
        Runtime r = Runtime.getRuntime();
        System.out.println(r.availableProcessors() > 0 && r.maxMemory() > 0);
    }
}
