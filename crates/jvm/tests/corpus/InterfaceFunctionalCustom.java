/** Own functional interfaces with every primitive in and out; adaptation of arguments and results. */
public class InterfaceFunctionalCustom {
    interface B2I { int go(byte b); }

    interface I2L { long go(int i); }

    interface L2D { double go(long l); }

    interface D2F { float go(double d); }

    interface C2S { String go(char c); }

    interface Z2Z { boolean go(boolean z); }

    interface O2I { int go(Object o); }

    interface I2O { Object go(int i); }

    interface V2V { void go(); }

    interface II2I { int go(int a, int b); }

    static int widen(int x) {
        return x + 1;
    }

    static Integer boxed(Integer x) {
        return x * 2;
    }

    static String text(Object o) {
        return "<" + o + ">";
    }

    int field = 3;

    int add(int x) {
        return field += x;
    }

    public static void main(String[] args) {
        B2I a = InterfaceFunctionalCustom::widen;
        I2L b = InterfaceFunctionalCustom::widen;
        I2L c = InterfaceFunctionalCustom::boxed;
        L2D d = l -> l;
        D2F e = x -> (float) x;
        C2S f = String::valueOf;
        C2S g = InterfaceFunctionalCustom::text;
        Z2Z h = z -> !z;
        O2I i = Object::hashCode;
        I2O j = Integer::valueOf;
        I2O k = InterfaceFunctionalCustom::text;
        InterfaceFunctionalCustom me = new InterfaceFunctionalCustom();
        V2V l = () -> me.add(10);
        I2L m = me::add;
        II2I n = Math::max;
        II2I o = Integer::compare;
        System.out.println(a.go((byte) -128) + " " + b.go(5) + " " + c.go(6) + " " + d.go(1L << 53) + " " + e.go(0.1) + " " + f.go('q') + g.go('r'));
        System.out.println(h.go(true) + " " + i.go("a") + " " + j.go(8) + " " + k.go(9));
        l.go();
        System.out.println(m.go(1) + " " + me.field + " " + n.go(2, 3) + o.go(2, 3));
        V2V drop = me::hashCode;
        drop.go();
        V2V make = StringBuilder::new;
        make.go();
        System.out.println("dropped");
    }
}
