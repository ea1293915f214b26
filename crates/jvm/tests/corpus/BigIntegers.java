import java.math.BigInteger;

/** BigInteger: factorials, gcd, modular powers, bits, radix. */
public class BigIntegers {
    public static void main(String[] args) {
        BigInteger f = BigInteger.ONE;
        for (int i = 2; i <= 40; i++) {
            f = f.multiply(BigInteger.valueOf(i));
        }
        System.out.println(f);
        BigInteger a = new BigInteger("123456789012345678901234567890");
        BigInteger b = new BigInteger("-987654321987654321");
        System.out.println(a.add(b) + " " + a.subtract(b) + " " + a.multiply(b) + " " + a.divide(b) + " " + a.mod(b.negate()) + " " + a.remainder(b));
        System.out.println(a.gcd(b) + " " + a.compareTo(b) + " " + a.signum() + b.signum() + " " + a.bitLength() + " " + b.abs());
        System.out.println(BigInteger.TWO.pow(100) + " " + BigInteger.valueOf(3).modPow(BigInteger.valueOf(200), BigInteger.valueOf(1000007)));
        System.out.println(a.shiftLeft(3) + " " + a.shiftRight(70) + " " + a.and(b) + " " + a.or(BigInteger.TEN) + " " + b.xor(a) + " " + b.not());
        System.out.println(a.toString(16) + " " + new BigInteger("zz", 36) + " " + a.intValue() + " " + a.longValue() + " " + b.hashCode() + " " + a.equals(new BigInteger(a.toString())));
        System.out.println(BigInteger.valueOf(97).isProbablePrime(20) + " " + BigInteger.valueOf(17).modInverse(BigInteger.valueOf(3120)));
        try {
            a.divide(BigInteger.ZERO);
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
    }
}
