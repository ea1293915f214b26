package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** 30 paths, a test for each. Written by Evergreen. */
class GraphsTest {
    @Test
    void constructed_endsAsItShould() {
        Graphs graphs = make(Graphs.class);
        assertEquals(0, graphs.constructed());
    }

    @Test
    void sum_endsAsItShould() {
        Graphs graphs = make(Graphs.class);
        assertEquals(0L, graphs.sum());
    }

    @Test
    void sum_endsAsItShould_2() {
        Graphs graphs = make(Graphs.class);
        Object root = make("shop.Graphs$Node");
        Object rootLeft = make("shop.Graphs$Node");
        Object rootRight = make("shop.Graphs$Node");
        set(graphs, "root", root);
        set(root, "key", 5L, "left", rootLeft, "right", rootRight);
        set(rootLeft, "key", -3L);
        set(rootRight, "key", 1099511627776L);
        assertEquals(1099511627778L, graphs.sum());
    }

    @Test
    void round_endsAsItShould() {
        Graphs graphs = make(Graphs.class);
        Object root = make("shop.Graphs$Node");
        set(graphs, "root", root);
        set(root, "right", root);
        assertEquals(1, graphs.round());
    }

    @Test
    void isShared_endsAsItShould() {
        Graphs graphs = make(Graphs.class);
        Object root = make("shop.Graphs$Node");
        Object rootLeft = make("shop.Graphs$Node");
        set(graphs, "root", root);
        set(root, "left", rootLeft, "right", rootLeft);
        assertTrue(graphs.isShared());
    }

    @Test
    void counts_endsAsItShould() {
        Graphs graphs = make(Graphs.class);
        set(graphs, "count", 7, "shop.Base.count", 9);
        assertEquals(709, graphs.counts());
    }

    @Test
    void limit_endsAsItShould() {
        Graphs graphs = make(Graphs.class);
        set(graphs, "limit", -4);
        assertEquals(-4, graphs.limit());
    }

    @Test
    void rootOf_endsAsItShould() {
        Graphs graphs = make(Graphs.class);
        Object root = make("shop.Graphs$Node");
        Object rootLeft = make("shop.Graphs$Node");
        Object rootRight = make("shop.Graphs$Node");
        set(graphs, "root", root);
        set(root, "key", 5L, "left", rootLeft, "right", rootRight);
        set(rootLeft, "key", -3L);
        set(rootRight, "key", 1099511627776L);
        Object result = graphs.rootOf();
        assertEquals("shop.Graphs$Node", result.getClass().getName());
    }

    @Test
    void fail_endsAsItShould() {
        Graphs graphs = make(Graphs.class);
        Object root = make("shop.Graphs$Node");
        Object rootLeft = make("shop.Graphs$Node");
        Object rootRight = make("shop.Graphs$Node");
        set(graphs, "root", root);
        set(root, "key", 5L, "left", rootLeft, "right", rootRight);
        set(rootLeft, "key", -3L);
        set(rootRight, "key", 1099511627776L);
        IllegalStateException thrown = assertThrows(IllegalStateException.class, () -> graphs.fail());
        assertEquals("root 5", thrown.getMessage());
    }

    @Test
    void round_endsAsItShould_2() {
        Graphs graphs = make(Graphs.class);
        assertThrows(NullPointerException.class, () -> graphs.round());
    }

    @Test
    void tagOf_endsAsItShould() {
        Graphs graphs = make(Graphs.class);
        Object graphRoot = make("shop.Graphs$Node");
        set(graphs, "root", graphRoot);
        Object result = Graphs.tagOf(graphs);
        assertNull(result);
    }

    @Test
    void tagOf_endsAsItShould_2() {
        Graphs graphs = make(Graphs.class);
        Object graphRoot = make("shop.Graphs$Node");
        set(graphs, "root", graphRoot);
        set(graphRoot, "tag", "a\"b");
        Object result = Graphs.tagOf(graphs);
        assertEquals("a\"b", result);
    }

    @Test
    void tagOf_endsAsItShould_3() {
        Graphs graphs = make(Graphs.class);
        Object graphRoot = make("shop.Graphs$Node");
        set(graphs, "root", graphRoot);
        set(graphRoot, "tag", 1000);
        Object result = Graphs.tagOf(graphs);
        assertEquals(Integer.valueOf(1000), result);
    }

    @Test
    void round_endsAsItShould_3() {
        Graphs graphs = make(Graphs.class);
        Object root = make("shop.Graphs$Node");
        Object rootRight = make("shop.Graphs$Node");
        Object rootRightRight = make("shop.Graphs$Node");
        Object rootRightRightRight = make("shop.Graphs$Node");
        Object rootRightRightRightRight = make("shop.Graphs$Node");
        Object node = make("shop.Graphs$Node");
        Object node2 = make("shop.Graphs$Node");
        set(graphs, "root", root);
        set(root, "right", rootRight);
        set(rootRight, "right", rootRightRight);
        set(rootRightRight, "right", rootRightRightRight);
        set(rootRightRightRight, "right", rootRightRightRightRight);
        set(rootRightRightRightRight, "right", node);
        set(node, "right", node2);
        set(node2, "right", root);
        assertEquals(7, graphs.round());
    }

    @Test
    void sum_endsAsItShould_3() {
        int[] numbers = {1, 2};
        Graphs[] graphs = (Graphs[]) makeArray("[Lshop.Graphs;", 2);
        Object graphs1 = make("shop.Graphs");
        fill(graphs, null, graphs1);
        set(graphs1, "count", 40);
        assertEquals(1043, Graphs.sum(numbers, numbers, graphs));
    }

    @Test
    void sum_endsAsItShould_4() {
        int[] numbers = {1, 2};
        Graphs[] graphs = (Graphs[]) makeArray("[Lshop.Graphs;", 2);
        Object graphs1 = make("shop.Graphs");
        fill(graphs, null, graphs1);
        set(graphs1, "count", 40);
        assertEquals(43, Graphs.sum((int[]) null, numbers, graphs));
    }

    @Test
    void depth_endsAsItShould() {
        Object[] object = (Object[]) makeArray("[Ljava.lang.Object;", 1);
        fill(object, (Object) object);
        assertEquals(-1, Graphs.depth(object));
    }

    @Test
    void depth_endsAsItShould_2() {
        Object[] object = (Object[]) makeArray("[Ljava.lang.Object;", 1);
        Object object2 = makeArray("[Ljava.lang.Object;", 1);
        Object numbers = new int[5];
        fill(object, (Object) object2);
        fill(object2, (Object) numbers);
        assertEquals(2, Graphs.depth(object));
    }

    @Test
    void isSame_endsAsItShould() {
        Graphs graphs = make(Graphs.class);
        Object root = make("shop.Graphs$Node");
        Object other = make("shop.Graphs");
        set(graphs, "root", root);
        set(other, "root", root);
        assertTrue(graphs.isSame(graphs));
    }

    @Test
    void isSame_endsAsItShould_2() {
        Graphs graphs = make(Graphs.class);
        Object root = make("shop.Graphs$Node");
        Graphs other = make(Graphs.class);
        set(graphs, "root", root);
        set(other, "root", root);
        assertFalse(graphs.isSame(other));
    }

    @Test
    void sharesRoot_endsAsItShould() {
        Graphs graphs = make(Graphs.class);
        Object root = make("shop.Graphs$Node");
        Graphs other = make(Graphs.class);
        set(graphs, "root", root);
        set(other, "root", root);
        assertTrue(graphs.sharesRoot(other));
    }

    @Test
    void read_endsAsItShould() {
        Object graphs = make("shop.Graphs");
        Object cursor = make("shop.Graphs$Cursor");
        Object cursorAt = make("shop.Graphs$Node");
        set(graphs, "count", 4);
        set(cursor, "this$0", graphs, "at", cursorAt);
        set(cursorAt, "key", 6L);
        assertEquals(10L, Graphs.read(cursor));
    }

    @Test
    void peek_endsAsItShould() throws Throwable {
        Object graphs = make("shop.Graphs");
        Object cursor = make("shop.Graphs$Cursor");
        Object nodes = makeArray("[Lshop.Graphs$Node;", 2);
        set(graphs, "limit", 8);
        set(cursor, "this$0", graphs);
        long result = (long) invoke(
                Graphs.class, graphs, "peek",
                new Class<?>[] {Class.forName("shop.Graphs$Cursor"), Class.forName("[Lshop.Graphs$Node;")},
                cursor, nodes);
        assertEquals(10L, result);
    }

    @Test
    void total_endsAsItShould() {
        Object nodes = makeArray("[Lshop.Graphs$Node;", 3);
        Object nodes0 = make("shop.Graphs$Node");
        fill(nodes, nodes0, null, nodes0);
        set(nodes0, "key", 5L);
        assertEquals(1010L, Graphs.total(nodes));
    }

    @Test
    void higherKey_endsAsItShould() {
        TreeMap treeMap = make(TreeMap.class);
        Object root = make("java.util.TreeMap$Entry");
        Object rootLeft = make("java.util.TreeMap$Entry");
        Object rootRight = make("java.util.TreeMap$Entry");
        set(treeMap, "root", root, "size", 3);
        set(root, "key", 10, "left", rootLeft, "right", rootRight, "color", true);
        set(rootLeft, "key", 5, "parent", root, "color", true);
        set(rootRight, "key", 15, "parent", root, "color", true);
        Object result = treeMap.higherKey(Integer.valueOf(7));
        assertEquals(Integer.valueOf(10), result);
    }

    @Test
    void remove_endsAsItShould() {
        TreeSet treeSet = make(TreeSet.class);
        Object m = make("java.util.TreeMap");
        Object mRoot = make("java.util.TreeMap$Entry");
        set(treeSet, "m", m);
        set(m, "root", mRoot, "size", 1);
        set(mRoot, "key", 10, "value", constant("java.util.TreeSet", "PRESENT"), "color", true);
        assertTrue(treeSet.remove(Integer.valueOf(10)));
    }

    @Test
    void pop_endsAsItShould() {
        Graphs.Stack stack = new Graphs.Stack();
        stack.push(1);
        stack.push(2);
        assertEquals(2, stack.pop());
    }

    @Test
    void equalTop_endsAsItShould() {
        Graphs.Stack stack = new Graphs.Stack();
        stack.push(1);
        stack.push(2);
        Graphs.Stack other = new Graphs.Stack();
        other.push(2);
        assertTrue(stack.equalTop(other));
    }

    @Test
    void equalTop_endsAsItShould_2() {
        Graphs.Stack stack = make(Graphs.Stack.class);
        Object top = make("shop.Graphs$Stack$Cell");
        Object topBelow = make("shop.Graphs$Stack$Cell");
        Graphs.Stack other = make(Graphs.Stack.class);
        Object otherTop = make("shop.Graphs$Stack$Cell");
        set(stack, "top", top);
        set(top, "value", 2, "below", topBelow);
        set(topBelow, "value", 1);
        set(other, "top", otherTop);
        set(otherTop, "value", 2);
        assertTrue(stack.equalTop(other));
    }

    @Test
    void higherKey_endsAsItShould_2() {
        TreeMap treeMap = new TreeMap();
        treeMap.put(Integer.valueOf(10), (Object) null);
        treeMap.put(Integer.valueOf(5), (Object) null);
        treeMap.put(Integer.valueOf(15), (Object) null);
        Object result = treeMap.higherKey(Integer.valueOf(7));
        assertEquals(Integer.valueOf(10), result);
    }

    private static Object invoke(
            Class<?> owner, Object receiver, String name, Class<?>[] types, Object... values)
            throws Throwable {
        Method method = owner.getDeclaredMethod(name, types);
        method.setAccessible(true);
        try {
            return method.invoke(receiver, values);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static Object construct(Class<?> owner, Class<?>[] types, Object... values) throws Throwable {
        Constructor<?> constructor = owner.getDeclaredConstructor(types);
        constructor.setAccessible(true);
        try {
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    // Objects are made without a constructor: all their fields are 0, false or null until they are set.
    // Objects of the JDK need the JVM's flag --add-opens java.base/java.util=ALL-UNNAMED.
    private static Object make(String name) {
        try {
            return make(Class.forName(name));
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static <T> T make(Class<T> type) {
        try {
            Class<?> unsafe = Class.forName("sun.misc.Unsafe");
            java.lang.reflect.Field instance = unsafe.getDeclaredField("theUnsafe");
            instance.setAccessible(true);
            Object made = unsafe.getMethod("allocateInstance", Class.class).invoke(instance.get(null), type);
            return type.cast(made);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static Object makeArray(String name, int length) {
        try {
            return java.lang.reflect.Array.newInstance(Class.forName(name).getComponentType(), length);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static void fill(Object array, Object... values) {
        for (int i = 0; i < values.length; i++) {
            java.lang.reflect.Array.set(array, i, values[i]);
        }
    }

    // Names and values in turn. The name of an inherited field has its class before it.
    private static void set(Object object, Object... fields) {
        try {
            for (int i = 0; i < fields.length; i += 2) {
                String name = (String) fields[i];
                int dot = name.lastIndexOf('.');
                Class<?> owner = dot < 0 ? object.getClass() : Class.forName(name.substring(0, dot));
                // Nobody may set the fields of records.
                org.junit.jupiter.api.Assumptions.assumeFalse(isRecord(owner), "a record");
                java.lang.reflect.Field field = owner.getDeclaredField(name.substring(dot + 1));
                field.setAccessible(true);
                field.set(object, fields[i + 1]);
            }
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean isRecord(Class<?> type) {
        return type.getSuperclass() != null && type.getSuperclass().getName().equals("java.lang.Record");
    }

    private static Object constant(String type, String name) {
        try {
            java.lang.reflect.Field field = Class.forName(type).getDeclaredField(name);
            field.setAccessible(true);
            return field.get(null);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
