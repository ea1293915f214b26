import evergreen.Sym;

/** Drives {@link BinarySearch}. */
public class BinarySearchDriver {
    /** Any two indices of an array: their mean must lie between them. It does not always. */
    public static void overflow(int low, int high) {
        Sym.assume(0 <= low && low <= high);
        int middle = BinarySearch.mean(low, high);
        Sym.check(low <= middle && middle <= high, "the mean lies between");
    }

    /** The same question of the safe mean. */
    public static void safe(int low, int high) {
        Sym.assume(0 <= low && low <= high);
        int middle = BinarySearch.safeMean(low, high);
        Sym.check(low <= middle && middle <= high, "the mean lies between");
    }

    /** A fixed array, any key. */
    public static int fixed(int key) {
        return BinarySearch.search(new int[] {-5, 0, 3, 8, 13, 21, 34}, key);
    }

    /** Any sorted array of five and any key: the answer is right. */
    public static void sorted5() {
        int[] a = new int[5];
        for (int i = 0; i < a.length; i++) {
            a[i] = Sym.anInt("a" + i);
            Sym.assume(i == 0 || a[i - 1] <= a[i]);
        }
        int key = Sym.anInt("key");
        int found = BinarySearch.search(a, key);
        if (found >= 0) {
            Sym.check(a[found] == key, "what is found is there");
        } else {
            int place = -1 - found;
            Sym.check(place == 0 || a[place - 1] < key, "what is before is less");
            Sym.check(place == a.length || a[place] > key, "what is after is greater");
        }
    }
}
