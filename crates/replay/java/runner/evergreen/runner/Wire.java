package evergreen.runner;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Values as bytes: a tag, then what it needs. Big endian. Tags of primitives are the letters of descriptors.
 *
 * <pre>
 * Z B C S I J F D   a primitive; F and D as raw bits     N   null
 * T n unit*n        a string, in UTF-16 units             X v a box that holds v
 * [ element n v*n   an array; element is the descriptor of its element type, with dots
 * E class name      an enum constant                      O class   any other object
 * G class name      what a static field holds
 * M class name descriptor n v*n   what a constructor or a static method makes; put: a map of an array of keys and values in
 *                   turn; Iterator: that of a list
 * L class n v*n     a function of this interface with these answers
 * R number          an object of the case's graph, whose objects are arrays as above or
 * { class n (owner name v)*n   the fields of an object, each with the class that declares it
 * </pre>
 */
final class Wire {
    /** Arrays inside arrays deeper than this are objects: an array may contain itself. */
    private static final int DEPTH_BOUND = 8;

    private Wire() {}

    /** A value that was read and not made: strings, arrays and enum constants need the loader of the case. */
    static final class Value {
        char tag;
        private Object plain;
        String type;
        /** Of a call. */
        String descriptor;
        Value[] items;
        /** Of the items, if they are fields. */
        String[] owners;
        String[] names;

        Object make(ClassLoader loader, Graph graph) throws ReflectiveOperationException {
            switch (tag) {
                case 'R':
                    return graph.get((Integer) plain);
                case 'X':
                    return items[0].make(loader, graph);
                case '[':
                    Object array = Array.newInstance(elementType(type, loader), items.length);
                    for (int i = 0; i < items.length; i++) Array.set(array, i, items[i].make(loader, graph));
                    return array;
                case 'E':
                    return constant(Class.forName(type, true, loader), (String) plain);
                case 'G':
                    Field held = Class.forName(type, true, loader).getDeclaredField((String) plain);
                    held.setAccessible(true);
                    return held.get(null);
                case 'M':
                    // In source, `new` initializes the class before its arguments are made.
                    if (plain.equals("<init>")) Class.forName(type, true, loader);
                    return call(type, (String) plain, descriptor, Wire.make(items, loader, graph), loader);
                case 'L':
                    return Answers.make(Class.forName(type, true, loader), items, loader, graph);
                case 'O':
                    throw new InstantiationException("an object of " + type + " cannot be made from a test case");
                default:
                    return plain;
            }
        }
    }

    /** Finds a constructor or static method and calls it. */
    private static Object call(String type, String name, String descriptor, Object[] values, ClassLoader loader)
            throws ReflectiveOperationException {
        Class<?> owner = Class.forName(type, true, loader);
        if (name.equals("put")) return fill(owner, (Object[]) values[0]);
        if (owner == Iterator.class) return ((List<?>) values[0]).iterator();
        Class<?>[] parameters = MethodType.fromMethodDescriptorString(descriptor, loader).parameterArray();
        if (name.equals("<init>")) {
            Constructor<?> constructor = owner.getDeclaredConstructor(parameters);
            if (!Modifier.isPublic(constructor.getModifiers() & owner.getModifiers())) constructor.setAccessible(true);
            return constructor.newInstance(values);
        }
        // The first argument is what the method is called on.
        boolean isOn = name.startsWith(".");
        Method method = isOn
                ? owner.getDeclaredMethod(name.substring(1), Arrays.copyOfRange(parameters, 1, parameters.length))
                : owner.getDeclaredMethod(name, parameters);
        if (!Modifier.isPublic(method.getModifiers() & owner.getModifiers())) method.setAccessible(true);
        if (!isOn) return method.invoke(null, values);
        Object result = method.invoke(values[0], Arrays.copyOfRange(values, 1, values.length));
        // A call that returns nothing changes what it is made on.
        return method.getReturnType() == void.class ? values[0] : result;
    }

    /** A map with these keys and values in turn. */
    @SuppressWarnings("unchecked")
    private static Object fill(Class<?> type, Object[] entries) throws ReflectiveOperationException {
        Map<Object, Object> map = (Map<Object, Object>) type.getConstructor().newInstance();
        for (int i = 0; i < entries.length; i += 2) map.put(entries[i], entries[i + 1]);
        return map;
    }

    static Object[] make(Value[] values, ClassLoader loader, Graph graph) throws ReflectiveOperationException {
        Object[] made = new Object[values.length];
        for (int i = 0; i < made.length; i++) made[i] = values[i].make(loader, graph);
        return made;
    }

    static Class<?> elementType(String descriptor, ClassLoader loader) throws ClassNotFoundException {
        return Class.forName("[" + descriptor, false, loader).getComponentType();
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Object constant(Class type, String name) {
        return Enum.valueOf(type, name);
    }

    static Value[] readValues(DataInputStream in) throws IOException {
        Value[] values = new Value[in.readInt()];
        for (int i = 0; i < values.length; i++) values[i] = readValue(in);
        return values;
    }

    static Value readValue(DataInputStream in) throws IOException {
        Value value = new Value();
        value.tag = (char) in.readUnsignedByte();
        switch (value.tag) {
            case 'X':
                value.items = new Value[] {readValue(in)};
                break;
            case '[':
                value.type = readText(in);
                value.items = readValues(in);
                break;
            case 'E':
            case 'G':
                value.type = readText(in);
                value.plain = readText(in);
                break;
            case 'M':
                value.type = readText(in);
                value.plain = readText(in);
                value.descriptor = readText(in);
                value.items = readValues(in);
                break;
            case 'L':
                value.type = readText(in);
                value.items = readValues(in);
                break;
            case 'O':
                value.type = readText(in);
                break;
            case 'R':
                value.plain = in.readInt();
                break;
            case '{':
                readFields(value, in);
                break;
            default:
                value.plain = readPlain(value.tag, in);
        }
        return value;
    }

    private static void readFields(Value value, DataInputStream in) throws IOException {
        value.type = readText(in);
        value.items = new Value[in.readInt()];
        value.owners = new String[value.items.length];
        value.names = new String[value.items.length];
        for (int i = 0; i < value.items.length; i++) {
            value.owners[i] = readText(in);
            value.names[i] = readText(in);
            value.items[i] = readValue(in);
        }
    }

    private static Object readPlain(char tag, DataInputStream in) throws IOException {
        switch (tag) {
            case 'Z':
                return in.readBoolean();
            case 'B':
                return in.readByte();
            case 'C':
                return in.readChar();
            case 'S':
                return in.readShort();
            case 'I':
                return in.readInt();
            case 'J':
                return in.readLong();
            case 'F':
                return Float.intBitsToFloat(in.readInt());
            case 'D':
                return Double.longBitsToDouble(in.readLong());
            case 'N':
                return null;
            case 'T':
                char[] units = new char[in.readInt()];
                for (int i = 0; i < units.length; i++) units[i] = in.readChar();
                return new String(units);
            default:
                throw new IOException("no such tag: " + tag);
        }
    }

    static void writeValue(DataOutputStream out, boolean primitive, Object value, int depth) throws IOException {
        if (value == null || value instanceof String) {
            writeString(out, (String) value);
        } else if (value.getClass().isArray() && depth < DEPTH_BOUND) {
            writeArray(out, value, depth);
        } else if (value instanceof Enum) {
            out.writeByte('E');
            writeText(out, ((Enum<?>) value).getDeclaringClass().getName());
            writeText(out, ((Enum<?>) value).name());
        } else if (!writePrimitive(out, primitive, value)) {
            out.writeByte('O');
            writeText(out, value.getClass().getName());
        }
    }

    private static void writeArray(DataOutputStream out, Object array, int depth) throws IOException {
        Class<?> element = array.getClass().getComponentType();
        int length = Array.getLength(array);
        out.writeByte('[');
        writeText(out, array.getClass().getName().substring(1));
        out.writeInt(length);
        for (int i = 0; i < length; i++) writeValue(out, element.isPrimitive(), Array.get(array, i), depth + 1);
    }

    /** Whether it was a primitive in a box; reflection puts every primitive into one. */
    private static boolean writePrimitive(DataOutputStream out, boolean primitive, Object value) throws IOException {
        int index = 0;
        while (index < BOXES.length && BOXES[index] != value.getClass()) index++;
        if (index == BOXES.length) return false;
        if (!primitive) out.writeByte('X');
        char tag = "ZBCSIJFD".charAt(index);
        out.writeByte(tag);
        switch (tag) {
            case 'Z':
                out.writeBoolean((Boolean) value);
                break;
            case 'B':
                out.writeByte((Byte) value);
                break;
            case 'C':
                out.writeChar((Character) value);
                break;
            case 'S':
                out.writeShort((Short) value);
                break;
            case 'I':
                out.writeInt((Integer) value);
                break;
            case 'J':
                out.writeLong((Long) value);
                break;
            case 'F':
                out.writeInt(Float.floatToRawIntBits((Float) value));
                break;
            default:
                out.writeLong(Double.doubleToRawLongBits((Double) value));
        }
        return true;
    }

    private static final Class<?>[] BOXES = {
        Boolean.class, Byte.class, Character.class, Short.class, Integer.class, Long.class, Float.class, Double.class
    };

    /** A string, which may be null and may have lone surrogates. */
    static void writeString(DataOutputStream out, String value) throws IOException {
        if (value == null) {
            out.writeByte('N');
            return;
        }
        out.writeByte('T');
        out.writeInt(value.length());
        for (int i = 0; i < value.length(); i++) out.writeChar(value.charAt(i));
    }

    /** A name: UTF-8 with its length in bytes before it. */
    static String readText(DataInputStream in) throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    static void writeText(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }
}
