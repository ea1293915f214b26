/** Names: shadowed fields, parameters, labels equal to variables, blocks, static and instance of one name. */
public class ScopesShadowing {
    static int x = 1;
    int y = 2;

    int shadow(int y) {
        int x = 10;
        {
            int z = x + y;
            x = z;
        }
        {
            int z = 5;
            x += z;
        }
        return x + this.y + ScopesShadowing.x;
    }

    static class In {
        int x = 100;

        int sum() {
            return x + ScopesShadowing.x;
        }

        class Deep {
            int x = 1000;

            int all() {
                int x = 10000;
                return x + this.x + In.this.x + ScopesShadowing.x;
            }
        }
    }

    static String String(String String) {
        String:
        for (char c : String.toCharArray()) {
            if (c == 'b') {
                break String;
            }
            String += c;
        }
        return String;
    }

    static int length(int... length) {
        return length.length;
    }

    public static void main(String[] args) {
        System.out.println(new ScopesShadowing().shadow(3));
        System.out.println(new In().sum() + new In().new Deep().all());
        System.out.println(String("aab") + length(1, 2));
        for (int i = 0; i < 2; i++) {
            int once = i;
            System.out.print(once);
        }
        for (int i = 5; i > 3; i--) {
            System.out.print(i);
        }
        System.out.println();
        int i = 7;
        Runnable r = () -> {
            int k = i + 1;
            System.out.println(k + x);
        };
        x = 50;
        r.run();
        ScopesShadowing nobody = null;
        System.out.println(nobody.x);
    }
}
