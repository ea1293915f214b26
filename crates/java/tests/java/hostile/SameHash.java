// char a 64 67, char b 64 99
final class SameHash {
    static int run(char a, char b) {
        switch ("" + a + b) {
            case "Aa": return 1;
            case "BB": return 2;
            case "C#": return 3;
            default: return 0;
        }
    }
}
