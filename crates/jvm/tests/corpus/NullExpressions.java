/** Texts of null pointer exceptions for nested expressions: fields, elements, calls, locals without names. */
public class NullExpressions { 
  int[] a; NullExpressions next; String s; static NullExpressions st; long[][] grid;
  NullExpressions get() { return null; }
  static NullExpressions sget(int x) { return null; }
  interface Go { void go(); }
  public static void main(String[] args) {
    Go[] all = {
      () -> { NullExpressions t = null; t.a[0] = 1; },
      () -> { NullExpressions t = new NullExpressions(); t.next.next.s = "x"; },
      () -> { NullExpressions t = new NullExpressions(); t.a[3]++; },
      () -> { st.get(); },
      () -> { new NullExpressions().get().get(); },
      () -> { sget(3).get(); },
      () -> { int[][] g = new int[2][]; int i = 1; g[i][i+1] = 3; },
      () -> { int[][] g = new int[2][]; int i = 1; System.out.println(g[i].length); },
      () -> { Object o = null; synchronized (o) { } },
      () -> { RuntimeException e = null; throw e; },
      () -> { Integer i = null; int j = i; },
      () -> { NullExpressions t = new NullExpressions(); t.grid[0][1] = 4; },
      () -> { NullExpressions[] ts = new NullExpressions[1]; System.out.println(ts[0].s); },
      () -> { String s = null; s.length(); },
      () -> { NullExpressions t = new NullExpressions(); t.s.substring(1, 2); },
      () -> { NullExpressions t = new NullExpressions(); System.out.println(t.grid.length); },
      () -> { byte[] b = null; b[1] = 2; boolean[] z = null; },
      () -> { boolean[] z = null; System.out.println(z[0]); },
      () -> { Object[] z = null; z[0] = "x"; },
      () -> { Object[] z = null; System.out.println(z[1]); },
      () -> { double[] z = null; System.out.println(z[1]); },
      () -> { long[] z = null; z[2]=1; },
      () -> { char[] z = null; z[2]=1; },
      () -> { ((NullExpressions) null).get(); },
      () -> { (args.length == 0 ? null : new NullExpressions()).get(); },
      () -> { NullExpressions t = new NullExpressions(); t.sum(3, null); },
      () -> { NullExpressions[][] t = new NullExpressions[2][2]; int k = 0; t[k][t.length - 1].next.get(); },
      () -> { java.util.List<String> l = null; l.size(); },
      () -> { switch (st.s) { case "a": break; } },
      () -> { new NullExpressions().new In().x(); },
      () -> { java.util.Objects.requireNonNull(null); },
      () -> { throw new NullPointerException("own"); },
      () -> { for (String s : (String[]) null) { } },
      () -> { long q = 5; int[] z = new int[0]; NullExpressions[] y = {null}; y[(int) (q - 5)].sum(1, y).get(); },
    };
    for (Go g : all) { try { g.go(); System.out.println("none"); } catch (NullPointerException e) { System.out.println(e.getMessage()); } }
  }
  NullExpressions sum(int a, NullExpressions[] b) { return b[a].next; }
  class In { void x() { System.out.println(next.s.length()); } }
}
