/** Conditions that are not linear: products, bits, floating point; and findings of a few kinds. */
public class Products {
    public static int area(int width, int height, int depth) {
        if (width <= 0 || height <= 0) {
            throw new IllegalArgumentException("flat");
        }
        int area = width * height;
        if (area > 1000) {
            return area % 7 == 3 ? 1 : 2;
        }
        if ((width ^ depth) > 40) {
            return (width & height) == 5 ? 3 : 4;
        }
        return depth * depth == area ? 5 : 6;
    }

    public static int nearer(double a, double b, int scale) {
        if (a > 10.5) {
            return a < b ? 1 : 2;
        }
        if (b < -3.0) {
            return scale / (scale - 4);
        }
        return (float) a == 0.25f ? 3 : 4;
    }

    /** The same exception at one place on many paths: only the first few get small inputs. */
    public static int many(int a, int b, int c, int d, int e) {
        int bits = 0;
        bits += a > 7 ? 1 : 0;
        bits += b > a ? 2 : 0;
        bits += c > b + 3 ? 4 : 0;
        bits += d > c ? 8 : 0;
        bits += e > d - 2 ? 16 : 0;
        if (bits != 31) {
            throw new IllegalStateException("not all");
        }
        return bits;
    }
}
