/** Inner classes that extend inner classes of others, explicit outer instances, protected access. */
public class InnerClassInheritance {
    final String id;

    InnerClassInheritance(String id) {
        this.id = id;
    }

    class Part {
        final int n;

        Part(int n) {
            this.n = n;
        }

        String where() {
            return id + n;
        }
    }

    class Special extends Part {
        Special() {
            super(42);
        }

        String where() {
            return "special " + super.where() + InnerClassInheritance.this.id;
        }
    }

    static class Foreign extends InnerClassInheritance.Part {
        Foreign(InnerClassInheritance home, int n) {
            home.super(n);
        }
    }

    static class Sub extends InnerClassInheritance {
        Sub() {
            super("sub");
        }

        class Part2 extends Part {
            Part2() {
                super(7);
            }

            String both() {
                return where() + Sub.this.id;
            }
        }

        Part make() {
            return new Part(1) {
                @Override
                String where() {
                    return "anon " + super.where();
                }
            };
        }
    }

    Part[] parts() {
        return new Part[] {new Part(0), new Special(), this.new Part(9)};
    }

    public static void main(String[] args) {
        InnerClassInheritance a = new InnerClassInheritance("a");
        for (Part p : a.parts()) {
            System.out.println(p.where());
        }
        System.out.println(new Foreign(new InnerClassInheritance("home"), 5).where());
        Sub s = new Sub();
        System.out.println(s.new Part2().both() + " " + s.make().where());
        System.out.println(s.new Special().where());
    }
}
