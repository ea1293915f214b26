package evergreen.runner;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The class file of a function whose answers are given: it hands each abstract method to an InvocationHandler.
 *
 * <p>A java.lang.reflect.Proxy would initialize the classes of all parameters of its methods, which a lambda does not: the branches of
 * their initializers would be on no path.
 */
final class FunctionClass {
    private static final String HANDLER = "java/lang/reflect/InvocationHandler";
    private static final String METHODS = "[Ljava/lang/reflect/Method;";

    private final ByteArrayOutputStream constants = new ByteArrayOutputStream();
    private final DataOutputStream pool = new DataOutputStream(constants);
    private final Map<String, Integer> known = new HashMap<>();
    private int count = 1;

    private FunctionClass() {}

    /** The abstract methods of an interface, but for those that every object has. */
    static Method[] methods(Class<?> type) {
        List<Method> all = new ArrayList<>();
        Set<String> known = new HashSet<>();
        for (Method method : type.getMethods()) {
            if (!Modifier.isAbstract(method.getModifiers()) || isOfObject(method)) continue;
            // Two interfaces above may declare the same method.
            MethodType of = MethodType.methodType(method.getReturnType(), method.getParameterTypes());
            if (known.add(method.getName() + of.toMethodDescriptorString())) all.add(method);
        }
        return all.toArray(new Method[0]);
    }

    private static boolean isOfObject(Method method) {
        try {
            Object.class.getMethod(method.getName(), method.getParameterTypes());
            return true;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }

    /** A class of this name with a constructor of (InvocationHandler, Method[]). */
    static byte[] of(String name, Class<?> type, Method[] methods) {
        try {
            return new FunctionClass().write(name.replace('.', '/'), type.getName().replace('.', '/'), methods);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private byte[] write(String name, String type, Method[] methods) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(body);
        out.writeShort(Modifier.PUBLIC | Modifier.FINAL | 0x20);
        out.writeShort(type(name));
        out.writeShort(type("java/lang/Object"));
        out.writeShort(1);
        out.writeShort(type(type));
        out.writeShort(2);
        field(out, "handler", "L" + HANDLER + ";");
        field(out, "methods", METHODS);
        out.writeShort(1 + methods.length);
        constructor(out, name);
        for (int i = 0; i < methods.length; i++) method(out, name, methods[i], i);
        out.writeShort(0);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        DataOutputStream head = new DataOutputStream(file);
        head.writeInt(0xcafebabe);
        head.writeShort(0);
        // Code without jumps needs no frames.
        head.writeShort(52);
        head.writeShort(count);
        constants.writeTo(head);
        body.writeTo(head);
        return file.toByteArray();
    }

    private void field(DataOutputStream out, String name, String descriptor) throws IOException {
        out.writeShort(Modifier.PRIVATE);
        out.writeShort(text(name));
        out.writeShort(text(descriptor));
        out.writeShort(0);
    }

    private void constructor(DataOutputStream out, String name) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream code = new DataOutputStream(bytes);
        code.writeByte(0x2a); // aload_0
        code.writeByte(0xb7); // invokespecial
        code.writeShort(member(10, "java/lang/Object", "<init>", "()V"));
        code.writeByte(0x2a);
        code.writeByte(0x2b); // aload_1
        code.writeByte(0xb5); // putfield
        code.writeShort(member(9, name, "handler", "L" + HANDLER + ";"));
        code.writeByte(0x2a);
        code.writeByte(0x2c); // aload_2
        code.writeByte(0xb5);
        code.writeShort(member(9, name, "methods", METHODS));
        code.writeByte(0xb1); // return
        method(out, "<init>", "(L" + HANDLER + ";" + METHODS + ")V", bytes.toByteArray(), 3, 3);
    }

    private void method(DataOutputStream out, String owner, Method method, int index) throws IOException {
        Class<?>[] parameters = method.getParameterTypes();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream code = new DataOutputStream(bytes);
        code.writeByte(0x2a);
        code.writeByte(0xb4); // getfield
        code.writeShort(member(9, owner, "handler", "L" + HANDLER + ";"));
        code.writeByte(0x2a);
        code.writeByte(0x2a);
        code.writeByte(0xb4);
        code.writeShort(member(9, owner, "methods", METHODS));
        number(code, index);
        code.writeByte(0x32); // aaload
        number(code, parameters.length);
        code.writeByte(0xbd); // anewarray
        code.writeShort(type("java/lang/Object"));
        int local = 1;
        for (int i = 0; i < parameters.length; i++) {
            code.writeByte(0x59); // dup
            number(code, i);
            local += load(code, parameters[i], local);
            code.writeByte(0x53); // aastore
        }
        code.writeByte(0xb9); // invokeinterface
        String of = "(Ljava/lang/Object;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;";
        code.writeShort(member(11, HANDLER, "invoke", of));
        code.writeByte(4);
        code.writeByte(0);
        result(code, method.getReturnType());
        String descriptor = MethodType.methodType(method.getReturnType(), parameters).toMethodDescriptorString();
        method(out, method.getName(), descriptor, bytes.toByteArray(), 9, local);
    }

    /** Loads a parameter as an object; the number of its locals. */
    private int load(DataOutputStream code, Class<?> type, int local) throws IOException {
        boolean isWide = type == long.class || type == double.class;
        int operation = 0x15; // iload
        if (type == long.class) operation = 0x16;
        if (type == float.class) operation = 0x17;
        if (type == double.class) operation = 0x18;
        if (!type.isPrimitive()) operation = 0x19;
        code.writeByte(operation);
        code.writeByte(local);
        if (type.isPrimitive()) {
            Class<?> box = MethodType.methodType(type).wrap().returnType();
            code.writeByte(0xb8); // invokestatic
            String descriptor = MethodType.methodType(box, type).toMethodDescriptorString();
            code.writeShort(member(10, box.getName().replace('.', '/'), "valueOf", descriptor));
        }
        return isWide ? 2 : 1;
    }

    private void result(DataOutputStream code, Class<?> type) throws IOException {
        if (type == void.class) {
            code.writeByte(0x57); // pop
            code.writeByte(0xb1);
            return;
        }
        Class<?> box = MethodType.methodType(type).wrap().returnType();
        code.writeByte(0xc0); // checkcast
        String name = box.getName().replace('.', '/');
        code.writeShort(type(name));
        if (!type.isPrimitive()) {
            code.writeByte(0xb0); // areturn
            return;
        }
        code.writeByte(0xb6); // invokevirtual
        String descriptor = MethodType.methodType(type).toMethodDescriptorString();
        code.writeShort(member(10, name, type.getName() + "Value", descriptor));
        int operation = 0xac; // ireturn
        if (type == long.class) operation = 0xad;
        if (type == float.class) operation = 0xae;
        if (type == double.class) operation = 0xaf;
        code.writeByte(operation);
    }

    private static void number(DataOutputStream code, int number) throws IOException {
        code.writeByte(0x11); // sipush
        code.writeShort(number);
    }

    private void method(DataOutputStream out, String name, String descriptor, byte[] code, int stack, int locals)
            throws IOException {
        out.writeShort(Modifier.PUBLIC);
        out.writeShort(text(name));
        out.writeShort(text(descriptor));
        out.writeShort(1);
        out.writeShort(text("Code"));
        out.writeInt(12 + code.length);
        out.writeShort(stack);
        out.writeShort(locals);
        out.writeInt(code.length);
        out.write(code);
        out.writeShort(0);
        out.writeShort(0);
    }

    private int text(String text) throws IOException {
        Integer at = known.get(text);
        if (at != null) return at;
        pool.writeByte(1);
        pool.writeUTF(text);
        known.put(text, count);
        return count++;
    }

    private int type(String name) throws IOException {
        int text = text(name);
        Integer at = known.get("class " + name);
        if (at != null) return at;
        pool.writeByte(7);
        pool.writeShort(text);
        known.put("class " + name, count);
        return count++;
    }

    private int member(int tag, String owner, String name, String descriptor) throws IOException {
        int of = type(owner);
        int named = text(name);
        int typed = text(descriptor);
        pool.writeByte(12);
        pool.writeShort(named);
        pool.writeShort(typed);
        int both = count++;
        pool.writeByte(tag);
        pool.writeShort(of);
        pool.writeShort(both);
        return count++;
    }
}
