package inputs;

/** An object with fields of every kind that an input can have. */
public class Kinds {
    enum Mood { CALM, ANGRY }

    static class Part {
        final long weight;
        Part next;

        Part(long weight) {
            this.weight = weight;
        }
    }

    static class Big extends Part {
        int size;

        Big() {
            super(7);
        }
    }

    /** Has a field that hides another one. */
    static class Hiding extends Kinds {
        int number;

        public int hides() {
            return number == super.number ? 1 : 2;
        }
    }

    int number;
    boolean flag;
    char letter;
    double ratio;
    int[] numbers;
    String text;
    Integer box;
    Mood mood;
    Part part;
    Part[] parts;

    Kinds() {
        numbers = new int[] {1, 2, 3};
        part = new Part(1);
    }

    public int plain() {
        if (flag && letter == 'x') {
            return number > 5 ? 1 : 2;
        }
        return ratio > 0.5 ? 3 : 4;
    }

    public int array() {
        return numbers[0] + numbers.length > 9 ? numbers[0] : -1;
    }

    public int text() {
        return text.startsWith("a") ? text.length() : box;
    }

    public int mood() {
        return mood == Mood.ANGRY ? 1 : mood.ordinal() + 5;
    }

    public long parts() {
        Part other = parts[0];
        if (other == part) {
            return other == null ? -1 : 0;
        }
        return other instanceof Big ? ((Big) other).size : other.weight;
    }

    /** Writes before it reads: the input is what was there before. */
    public int written() {
        int before = number;
        number = 3;
        numbers[0] = 4;
        part = null;
        return before + number + numbers[0];
    }
}
