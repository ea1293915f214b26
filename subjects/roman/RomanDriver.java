import evergreen.Sym;

/** Drives {@link Roman}. */
public class RomanDriver {
    /** Writing and reading again gives the number. */
    public static void roundTrip() {
        int number = Sym.anInt("number", 1, 40);
        String text = Roman.write(number);
        Sym.check(Roman.read(text.toCharArray()) == number, "written and read");
    }

    public static int read2(char a, char b) {
        return Roman.read(new char[] {a, b});
    }

    public static int read3(char a, char b, char c) {
        return Roman.read(new char[] {a, b, c});
    }

    public static int lengthOf(int number) {
        return Roman.write(number).length();
    }
}
