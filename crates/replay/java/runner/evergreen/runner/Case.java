package evergreen.runner;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/** One test case: what to call, with what; and, once it ran, how it ended. */
final class Case {
    // How a case ended; the numbers are part of the protocol.
    static final int RETURNED_NOTHING = 1;
    static final int RETURNED = 2;
    static final int THREW = 3;
    static final int TIMED_OUT = 4;
    static final int EXITED = 5;
    static final int REFUSED = 6;

    int index;
    int limitMs;
    private String className;
    private String method;
    private String descriptor;
    private Graph graph;
    /** What the method is called on; null: nothing, or a new object. */
    private Wire.Value receiver;
    private Wire.Value[] arguments;
    private Wire.Value[] draws;

    CaseLoader loader;
    Runner.Printed printed;
    int kind;
    /** Whether it met the end of memory or stack. */
    boolean exhausted;
    /** What follows the kind in the answer. */
    ByteArrayOutputStream ending;

    static Case read(DataInputStream in) throws IOException {
        Case read = new Case();
        read.index = in.readInt();
        read.limitMs = in.readInt();
        read.className = Wire.readText(in);
        read.method = Wire.readText(in);
        read.descriptor = Wire.readText(in);
        read.graph = Graph.read(in);
        if (in.readBoolean()) read.receiver = Wire.readValue(in);
        read.arguments = Wire.readValues(in);
        read.draws = Wire.readValues(in);
        return read;
    }

    void run() {
        try {
            Executable callee;
            Object[] values;
            Object on;
            try {
                callee = find();
                graph.make(className, loader);
                on = receiver == null ? null : receiver.make(loader, graph);
            } catch (ReflectiveOperationException | RuntimeException | NoClassDefFoundError e) {
                refused(e);
                return;
            }
            // The receiver comes before the arguments, as in source.
            if (receiver == null && callee instanceof Method && !Modifier.isStatic(callee.getModifiers())) on = newReceiver();
            try {
                values = Wire.make(arguments, loader, graph);
                loader.draw(Wire.make(draws, loader, graph));
            } catch (ReflectiveOperationException | RuntimeException | NoClassDefFoundError e) {
                refused(e);
                return;
            }
            returned(callee, call(callee, on, values));
        } catch (InvocationTargetException e) {
            threw(e.getCause());
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            // Reflection's own: what the callee throws comes wrapped.
            refused(e);
        } catch (Throwable e) {
            // An initializer that fails, or too little memory or stack left to call anything.
            threw(e);
        }
    }

    /** The method or constructor; its class is loaded and not initialized yet. */
    private Executable find() throws ReflectiveOperationException {
        Class<?> owner = Class.forName(className, false, loader);
        Class<?>[] parameters = MethodType.fromMethodDescriptorString(descriptor, loader).parameterArray();
        Executable found;
        if (method.equals("<init>")) {
            found = owner.getDeclaredConstructor(parameters);
        } else {
            found = findMethod(owner);
        }
        found.setAccessible(true);
        return found;
    }

    /** By the whole descriptor: bridges differ from what they call in the result only. Inherited methods count. */
    private Method findMethod(Class<?> owner) throws NoSuchMethodException {
        for (Class<?> type = owner; type != null; type = type.getSuperclass()) {
            for (Method candidate : type.getDeclaredMethods()) {
                if (candidate.getName().equals(method) && descriptorOf(candidate).equals(descriptor)) return candidate;
            }
        }
        for (Method candidate : owner.getMethods()) {
            if (candidate.getName().equals(method) && descriptorOf(candidate).equals(descriptor)) return candidate;
        }
        throw new NoSuchMethodException(className + "." + method + descriptor);
    }

    private static String descriptorOf(Method method) {
        return MethodType.methodType(method.getReturnType(), method.getParameterTypes()).toMethodDescriptorString();
    }

    private Object call(Executable callee, Object on, Object[] values) throws ReflectiveOperationException {
        if (callee instanceof Constructor) return ((Constructor<?>) callee).newInstance(values);
        return ((Method) callee).invoke(on, values);
    }

    private Object newReceiver() throws ReflectiveOperationException {
        Constructor<?> constructor = Class.forName(className, true, loader).getDeclaredConstructor();
        constructor.setAccessible(true);
        return constructor.newInstance();
    }

    private void returned(Executable callee, Object result) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Class<?> type = callee instanceof Method ? ((Method) callee).getReturnType() : void.class;
        if (type == void.class) {
            end(RETURNED_NOTHING, bytes);
            return;
        }
        Wire.writeValue(new DataOutputStream(bytes), type.isPrimitive(), result, 0);
        end(RETURNED, bytes);
    }

    private void refused(Throwable thrown) {
        boolean isWrapped = thrown instanceof InvocationTargetException && thrown.getCause() != null;
        Throwable reason = isWrapped ? thrown.getCause() : thrown;
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            Wire.writeText(new DataOutputStream(bytes), String.valueOf(reason));
            end(REFUSED, bytes);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void threw(Throwable thrown) {
        loader.takeProbes();
        exhausted = thrown instanceof VirtualMachineError;
        String message;
        try {
            message = thrown.getMessage();
        } catch (Throwable e) {
            message = null;
        }
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            Wire.writeText(out, thrown.getClass().getName());
            Wire.writeString(out, message);
            end(THREW, bytes);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void end(int how, ByteArrayOutputStream rest) {
        ending = rest;
        kind = how;
    }
}
