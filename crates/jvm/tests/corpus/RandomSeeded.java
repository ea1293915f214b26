import java.util.Random;

/** java.util.Random is specified bit for bit. */
public class RandomSeeded {
    public static void main(String[] args) {
        Random r = new Random(42);
        for (int i = 0; i < 5; i++) {
            System.out.print(r.nextInt() + " " + r.nextInt(100) + " " + r.nextLong() + " " + r.nextBoolean() + " ");
        }
        System.out.println();
        r.setSeed(7);
        System.out.println(r.nextInt(64) + " " + r.nextInt(1000000) + " " + (int) (r.nextDouble() * 1e6) + " " + (int) (r.nextFloat() * 1000));
        byte[] bytes = new byte[7];
        r.nextBytes(bytes);
        for (byte b : bytes) {
            System.out.print(b + " ");
        }
        System.out.println();
        try {
            r.nextInt(0);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
