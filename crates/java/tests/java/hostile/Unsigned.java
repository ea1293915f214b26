// int a -3 3, byte b -128 -125
final class Unsigned {
    static int run(int a, byte b) {
        int r = 0;
        if (Integer.compareUnsigned(a, 2) > 0) r += 1;
        if (Integer.divideUnsigned(a, 2) > 1000) r += 2;
        if (Integer.remainderUnsigned(a, 3) == 2) r += 4;
        if ((b & 0xff) > 129) r += 8;
        if (Byte.toUnsignedInt(b) == 128) r += 16;
        if (Integer.toUnsignedString(a).length() > 5) r += 32;
        if (Integer.highestOneBit(a) == 2) r += 64;
        if (Integer.numberOfTrailingZeros(a) == 32) r += 128;
        if (Integer.reverse(a) < 0) r += 256;
        return r + Integer.bitCount(a) * 1000 + Integer.rotateLeft(a, 3);
    }
}
