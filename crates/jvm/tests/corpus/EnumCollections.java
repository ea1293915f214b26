/** EnumMap, EnumSet and enums as keys. */
public class EnumCollections {
    enum Day { MON, TUE, WED, THU, FRI, SAT, SUN }

    public static void main(String[] args) {
        java.util.EnumMap<Day, Integer> hours = new java.util.EnumMap<>(Day.class);
        hours.put(Day.WED, 8);
        hours.put(Day.MON, 7);
        hours.put(Day.SUN, 0);
        System.out.println(hours + " " + hours.containsKey(Day.TUE) + " " + hours.get(Day.SUN) + " " + hours.size());
        hours.remove(Day.MON);
        for (java.util.Map.Entry<Day, Integer> e : hours.entrySet()) {
            System.out.print(e.getKey().ordinal() + ":" + e.getValue() + " ");
        }
        System.out.println();
        java.util.EnumSet<Day> weekend = java.util.EnumSet.of(Day.SUN, Day.SAT);
        java.util.EnumSet<Day> work = java.util.EnumSet.complementOf(weekend);
        System.out.println(weekend + " " + work + " " + java.util.EnumSet.range(Day.TUE, Day.THU) + " " + java.util.EnumSet.noneOf(Day.class));
        work.removeIf(d -> d.ordinal() % 2 == 0);
        System.out.println(work + " " + work.contains(Day.TUE) + " " + java.util.EnumSet.allOf(Day.class).size());
        java.util.TreeMap<Day, String> tree = new java.util.TreeMap<>(java.util.Comparator.reverseOrder());
        tree.put(Day.MON, "m");
        tree.put(Day.FRI, "f");
        System.out.println(tree);
    }
}
