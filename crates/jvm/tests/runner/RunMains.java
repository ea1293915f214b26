import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Runs the mains of the named classes one after the other; for each prints its name, how it ended and its output in hexadecimal. */
public class RunMains {
    public static void main(String[] names) throws Exception {
        PrintStream real = System.out;
        for (String name : names) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            System.setOut(new PrintStream(bytes, true, "UTF-16BE"));
            System.setErr(new PrintStream(new ByteArrayOutputStream(), true, "UTF-16BE"));
            String ending = "returned";
            Throwable thrown = null;
            Thread thread = null;
            final Throwable[] caught = new Throwable[1];
            final String current = name;
            thread = new Thread(null, () -> {
                try {
                    Class.forName(current).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
                } catch (java.lang.reflect.InvocationTargetException e) {
                    caught[0] = e.getCause();
                } catch (Throwable e) {
                    caught[0] = e;
                }
            }, "main", 16 << 20);
            thread.start();
            thread.join();
            if (caught[0] != null) {
                String message = caught[0].getMessage();
                ending = "threw " + caught[0].getClass().getName() + (message == null ? "" : ": " + message);
            }
            System.out.flush();
            StringBuilder hex = new StringBuilder();
            for (byte b : bytes.toByteArray()) {
                hex.append(Character.forDigit((b >> 4) & 15, 16)).append(Character.forDigit(b & 15, 16));
            }
            StringBuilder end = new StringBuilder();
            for (byte b : ending.getBytes(StandardCharsets.UTF_16BE)) {
                end.append(Character.forDigit((b >> 4) & 15, 16)).append(Character.forDigit(b & 15, 16));
            }
            real.println(name + " " + end + " " + hex + ".");
        }
        real.flush();
        System.exit(0);
    }
}
