// int a -12 12
final class Builders {
    static int run(int a) {
        StringBuilder s = new StringBuilder("x").append(a).append('y').append(a > 0).append((Object) null).append(2.5f);
        int r = s.length();
        s.insert(1, a).deleteCharAt(0).reverse();
        if (s.charAt(0) == '5') r += 10;
        s.setCharAt(0, (char) ('a' + (a & 7)));
        if (s.indexOf("1") >= 0) r += 100;
        String t = s.toString();
        s.setLength(2);
        if (t.startsWith("b")) r += 1000;
        return r + t.hashCode() + s.toString().hashCode() + String.join(",", t, "z").length() + t.replace('l', 'L').hashCode();
    }
}
