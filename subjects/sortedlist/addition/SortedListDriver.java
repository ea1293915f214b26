import evergreen.Sym;

/** Drives {@link SortedList}: n insertions have n! paths, one for each place of each key. */
public class SortedListDriver {
    private static SortedList filled(int n) {
        SortedList list = new SortedList();
        for (int i = 1; i <= n; i++) {
            list.insert(Sym.anInt("key" + i));
        }
        return list;
    }

    public static int insert3() {
        return filled(3).size();
    }

    public static int insert4() {
        return filled(4).size();
    }

    public static int insert5() {
        return filled(5).size();
    }

    public static void insertRemove() {
        SortedList list = filled(3);
        int gone = Sym.anInt("gone");
        boolean was = list.contains(gone);
        Sym.check(list.remove(gone) == was, "what is there can be removed");
        Sym.check(list.isSorted(), "the list is sorted");
    }
}
