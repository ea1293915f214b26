import java.util.Map;
import java.util.TreeMap;

/** Polynomials as maps: sums, products, evaluation, derivatives, printing. */
public class AlgoPolynomials {
    private final TreeMap<Integer, Long> terms = new TreeMap<>(java.util.Comparator.reverseOrder());

    static AlgoPolynomials of(long... coefficients) {
        AlgoPolynomials p = new AlgoPolynomials();
        for (int i = 0; i < coefficients.length; i++) {
            p.add(coefficients.length - 1 - i, coefficients[i]);
        }
        return p;
    }

    void add(int power, long c) {
        long sum = terms.getOrDefault(power, 0L) + c;
        if (sum == 0) {
            terms.remove(power);
        } else {
            terms.put(power, sum);
        }
    }

    AlgoPolynomials plus(AlgoPolynomials o) {
        AlgoPolynomials r = new AlgoPolynomials();
        terms.forEach(r::add);
        o.terms.forEach(r::add);
        return r;
    }

    AlgoPolynomials times(AlgoPolynomials o) {
        AlgoPolynomials r = new AlgoPolynomials();
        for (Map.Entry<Integer, Long> a : terms.entrySet()) {
            for (Map.Entry<Integer, Long> b : o.terms.entrySet()) {
                r.add(a.getKey() + b.getKey(), a.getValue() * b.getValue());
            }
        }
        return r;
    }

    long at(long x) {
        long r = 0;
        int degree = terms.isEmpty() ? 0 : terms.firstKey();
        for (int p = degree; p >= 0; p--) {
            r = r * x + terms.getOrDefault(p, 0L);
        }
        return r;
    }

    AlgoPolynomials derived() {
        AlgoPolynomials r = new AlgoPolynomials();
        terms.forEach((p, c) -> {
            if (p > 0) {
                r.add(p - 1, c * p);
            }
        });
        return r;
    }

    @Override
    public String toString() {
        StringBuilder sb = new StringBuilder();
        for (Map.Entry<Integer, Long> e : terms.entrySet()) {
            long c = e.getValue();
            sb.append(c < 0 ? (sb.length() == 0 ? "-" : " - ") : sb.length() == 0 ? "" : " + ");
            if (Math.abs(c) != 1 || e.getKey() == 0) {
                sb.append(Math.abs(c));
            }
            sb.append(e.getKey() == 0 ? "" : e.getKey() == 1 ? "x" : "x^" + e.getKey());
        }
        return sb.length() == 0 ? "0" : sb.toString();
    }

    public static void main(String[] args) {
        AlgoPolynomials p = of(1, -3, 0, 2);
        AlgoPolynomials q = of(-1, 3, 0, 5);
        System.out.println(p + " | " + q + " | " + p.plus(q) + " | " + p.times(q));
        System.out.println(p.at(10) + " " + p.derived() + " " + p.derived().derived().derived().derived());
        AlgoPolynomials power = of(1);
        for (int i = 0; i < 6; i++) {
            power = power.times(of(1, 1));
        }
        System.out.println(power + " " + power.at(-1) + " " + power.at(1));
    }
}
