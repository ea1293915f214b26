/** System.exit ends at once: finally blocks do not run, the code is the argument. */
public class ExitCode {
    public static void main(String[] args) {
        try {
            System.out.println("before");
            if (args.length == 0) {
                System.exit(3);
            }
            System.out.println("not printed");
        } finally {
            System.out.println("not printed either");
        }
    }
}
