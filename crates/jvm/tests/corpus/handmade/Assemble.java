import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes {@code OldInstructions.class}: the instructions that javac does not emit (nop, swap, jsr, jsr_w, ret,
 * wide ret) and every form of the pop and dup family. Class file version 49: later ones may not hold jsr.
 *
 * <p>Run it as {@code java Assemble.java DIRECTORY}.
 */
public class Assemble {
    static final int NOP = 0, ICONST_0 = 3, ICONST_1 = 4, ICONST_2 = 5, ICONST_3 = 6, ICONST_4 = 7, ICONST_5 = 8, LCONST_1 = 10;
    static final int BIPUSH = 16, LDC_W = 19, LDC2_W = 20, ILOAD = 21, ILOAD_0 = 26, ILOAD_1 = 27, ISTORE = 54, ISTORE_0 = 59, ISTORE_1 = 60;
    static final int ASTORE = 58, ASTORE_1 = 76, ASTORE_2 = 77, ASTORE_3 = 78, POP = 87, POP2 = 88, DUP_X1 = 90, DUP_X2 = 91, DUP2 = 92;
    static final int DUP2_X1 = 93, DUP2_X2 = 94, SWAP = 95, IADD = 96, LADD = 97, LSUB = 101, IMUL = 104, LMUL = 105, IDIV = 108;
    static final int IINC = 132, I2L = 133, L2I = 136, IFGT = 157, JSR = 168, RET = 169, IRETURN = 172, RETURN = 177;
    static final int GETSTATIC = 178, INVOKEVIRTUAL = 182, INVOKESTATIC = 184, WIDE = 196, GOTO_W = 200, JSR_W = 201;

    /** Instructions of one method, with labels for jumps. */
    static final class Code {
        final List<Integer> bytes = new ArrayList<>();
        final Map<String, Integer> labels = new HashMap<>();
        final List<Object[]> jumps = new ArrayList<>();

        Code op(int... bs) {
            for (int b : bs) {
                bytes.add(b & 255);
            }
            return this;
        }

        /** An instruction with a two byte operand. */
        Code op2(int op, int operand) {
            return op(op, operand >> 8, operand);
        }

        Code at(String label) {
            labels.put(label, bytes.size());
            return this;
        }

        Code jump(int op, String label) {
            boolean wide = op == GOTO_W || op == JSR_W;
            jumps.add(new Object[] {bytes.size(), label, wide});
            return wide ? op(op, 0, 0, 0, 0) : op(op, 0, 0);
        }

        /** Pops that many ints and returns them as decimal digits, the top one first; local 0 must be 0. */
        Code digits(int values) {
            for (int i = 0; i < values; i++) {
                op(ILOAD_0, BIPUSH, 10, IMUL, IADD, ISTORE_0);
            }
            return op(ILOAD_0, IRETURN);
        }

        byte[] done() {
            byte[] out = new byte[bytes.size()];
            for (int i = 0; i < out.length; i++) {
                out[i] = (byte) (int) bytes.get(i);
            }
            for (Object[] j : jumps) {
                int from = (Integer) j[0];
                int by = labels.get(j[1]) - from;
                int width = (Boolean) j[2] ? 4 : 2;
                for (int k = 0; k < width; k++) {
                    out[from + 1 + k] = (byte) (by >> 8 * (width - 1 - k));
                }
            }
            return out;
        }
    }

    interface Body {
        void write(DataOutputStream out) throws IOException;
    }

    private final ByteArrayOutputStream poolBytes = new ByteArrayOutputStream();
    private final ByteArrayOutputStream methodBytes = new ByteArrayOutputStream();
    private final Map<String, Integer> known = new HashMap<>();
    private final Code main = new Code();
    private int entries = 1;
    private int methods;

    private int entry(String key, int slots, Body body) throws IOException {
        Integer at = known.get(key);
        if (at == null) {
            body.write(new DataOutputStream(poolBytes));
            at = entries;
            entries += slots;
            known.put(key, at);
        }
        return at;
    }

    private int pair(int tag, int a, int b) throws IOException {
        return entry(tag + "." + a + "." + b, 1, o -> {
            o.writeByte(tag);
            o.writeShort(a);
            if (b >= 0) {
                o.writeShort(b);
            }
        });
    }

    private int utf8(String s) throws IOException {
        return entry("u" + s, 1, o -> {
            o.writeByte(1);
            o.writeUTF(s);
        });
    }

    private int type(String name) throws IOException {
        return pair(7, utf8(name), -1);
    }

    private int longValue(long v) throws IOException {
        return entry("l" + v, 2, o -> {
            o.writeByte(5);
            o.writeLong(v);
        });
    }

    private int integer(int v) throws IOException {
        return entry("i" + v, 1, o -> {
            o.writeByte(3);
            o.writeInt(v);
        });
    }

    private int member(int tag, String owner, String name, String descriptor) throws IOException {
        return pair(tag, type(owner), pair(12, utf8(name), utf8(descriptor)));
    }

    private void method(String name, String descriptor, Code code, String... handler) throws IOException {
        byte[] bytes = code.done();
        DataOutputStream o = new DataOutputStream(methodBytes);
        o.writeShort(9);
        o.writeShort(utf8(name));
        o.writeShort(utf8(descriptor));
        o.writeShort(1);
        o.writeShort(utf8("Code"));
        o.writeInt(12 + bytes.length + 8 * (handler.length / 3));
        o.writeShort(20);
        o.writeShort(310);
        o.writeInt(bytes.length);
        o.write(bytes);
        o.writeShort(handler.length / 3);
        for (int i = 0; i < handler.length; i++) {
            o.writeShort(code.labels.get(handler[i]));
            if (i % 3 == 2) {
                o.writeShort(0);
            }
        }
        o.writeShort(0);
        methods++;
    }

    /** A test of one int argument, printed by main. */
    private void test(String name, int argument, Code code, String... handler) throws IOException {
        method(name, "(I)I", code, handler);
        main.op2(GETSTATIC, member(9, "java/lang/System", "out", "Ljava/io/PrintStream;"));
        main.op(BIPUSH, argument);
        main.op2(INVOKESTATIC, member(10, "OldInstructions", name, "(I)I"));
        main.op2(INVOKEVIRTUAL, member(10, "java/io/PrintStream", "println", "(I)V"));
    }

    private void subroutines() throws IOException {
        test("twice", 3, new Code().op(ILOAD_0, ISTORE_1).jump(JSR, "sub").jump(JSR, "sub").op(ILOAD_1, IRETURN)
            .at("sub").op(ASTORE_2, IINC, 1, 5, RET, 2));
        test("nested", 1, new Code().jump(JSR_W, "outer").op(ILOAD_0, IRETURN)
            .at("outer").op(WIDE, ASTORE, 1, 44).jump(JSR, "inner").op(NOP).jump(JSR, "inner").op(WIDE, RET, 1, 44)
            .at("inner").op(ASTORE_1, IINC, 0, 7, RET, 1));
        // finally as it was once compiled: the block is a subroutine of the normal way and of the handler.
        test("finallyNormal", 2, finallyBlock(), "from", "to", "handler");
        test("finallyThrown", 0, finallyBlock(), "from", "to", "handler");
        // A loop around a subroutine that may leave without returning.
        test("leaves", 4, new Code().op(ICONST_0, ISTORE_1).at("loop").jump(JSR, "sub").op(IINC, 1, 100).jump(GOTO_W, "loop")
            .at("sub").op(ASTORE_2, IINC, 1, 1, IINC, 0, -1, ILOAD_0).jump(IFGT, "again").op(ILOAD_1, IRETURN)
            .at("again").op(RET, 2));
    }

    private Code finallyBlock() {
        return new Code().op(ICONST_0, ISTORE_1)
            .at("from").op(BIPUSH, 40, ILOAD_0, IDIV, ISTORE_1).at("to").jump(JSR, "finally").op(ILOAD_1, IRETURN)
            .at("handler").op(ASTORE_3).jump(JSR, "finally").op(NOP, IINC, 1, 50, ILOAD_1, IRETURN)
            .at("finally").op(ASTORE_2, IINC, 1, 1, RET, 2);
    }

    private void stack() throws IOException {
        test("swap", 0, new Code().op(ICONST_1, ICONST_2, NOP, SWAP).digits(2));
        test("pop2Ints", 0, new Code().op(ICONST_1, ICONST_2, ICONST_3, POP2).digits(1));
        test("pop2Long", 0, new Code().op(ICONST_4, LCONST_1, POP2).digits(1));
        test("dupX1", 0, new Code().op(ICONST_1, ICONST_2, DUP_X1).digits(3));
        test("dupX2Ints", 0, new Code().op(ICONST_1, ICONST_2, ICONST_3, DUP_X2).digits(4));
        test("dupX2Long", 0, new Code().op(LCONST_1, ICONST_5, DUP_X2, POP, L2I).digits(2));
        test("dup2Ints", 0, new Code().op(ICONST_1, ICONST_2, DUP2).digits(4));
        test("dup2Long", 0, new Code().op(LCONST_1, DUP2, LADD, L2I).digits(1));
        test("dup2X1Ints", 0, new Code().op(ICONST_1, ICONST_2, ICONST_3, DUP2_X1).digits(5));
        test("dup2X1Long", 0, new Code().op(ICONST_3, LCONST_1, DUP2_X1, L2I, IADD, I2L, LADD, L2I).digits(1));
        test("dup2X2Ints", 0, new Code().op(ICONST_1, ICONST_2, ICONST_3, ICONST_4, DUP2_X2).digits(6));
        test("dup2X2LongInts", 0, new Code().op(ICONST_2, ICONST_3, LCONST_1, DUP2_X2, L2I, IADD, IADD, I2L, LADD, L2I).digits(1));
        test("dup2X2IntsLong", 0, new Code().op(LCONST_1, ICONST_4, ICONST_5, DUP2_X2, POP2, L2I).digits(3));
        test("dup2X2Longs", 0, new Code().op2(LDC2_W, longValue(70)).op(LCONST_1, DUP2_X2, LSUB, LMUL, L2I).digits(1));
        test("ldcWide", 0, new Code().op2(LDC_W, integer(123456789)).op(IRETURN));
        test("wideSmall", 9, new Code().op(WIDE, ILOAD, 0, 0, WIDE, ISTORE, 0, 1, WIDE, IINC, 0, 1, 255, 0, WIDE, ILOAD, 0, 1, IRETURN));
    }

    private byte[] assemble() throws IOException {
        subroutines();
        stack();
        method("main", "([Ljava/lang/String;)V", main.op(RETURN));
        int self = type("OldInstructions");
        int parent = type("java/lang/Object");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream o = new DataOutputStream(bytes);
        o.writeInt(0xCAFEBABE);
        o.writeInt(49);
        o.writeShort(entries);
        o.write(poolBytes.toByteArray());
        o.writeShort(0x21);
        o.writeShort(self);
        o.writeShort(parent);
        o.writeInt(0);
        o.writeShort(methods);
        o.write(methodBytes.toByteArray());
        o.writeShort(0);
        return bytes.toByteArray();
    }

    public static void main(String[] args) throws IOException {
        Path directory = Path.of(args.length > 0 ? args[0] : ".");
        Files.write(directory.resolve("OldInstructions.class"), new Assemble().assemble());
    }
}
