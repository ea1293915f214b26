package shop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import evergreen.CheckFailed;
import evergreen.Sym;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

/** 47 paths of {@code Subject}, a test for each. Written by Evergreen. */
class SubjectTest {
    private final PrintStream out = System.out;
    private final ByteArrayOutputStream caught = new ByteArrayOutputStream();

    @BeforeEach
    void capture() throws Exception {
        System.setOut(new PrintStream(caught, true, "UTF-8"));
    }

    @AfterEach
    void release() {
        System.setOut(out);
    }

    private String printed() throws Exception {
        return caught.toString("UTF-8");
    }

    @Test
    void echo_givesBackWhatItWasGiven() {
        assertTrue(Subject.echo(true));
    }

    @Test
    void echo_givesBackWhatItWasGiven_2() {
        assertFalse(Subject.echo(false));
    }

    @Test
    void echo_givesBackWhatItWasGiven_3() {
        assertEquals((byte) -7, Subject.echo((byte) -7));
    }

    @Test
    void echo_givesBackWhatItWasGiven_4() {
        assertEquals('\ud800', Subject.echo('\ud800'));
    }

    @Test
    void echo_givesBackWhatItWasGiven_5() {
        assertEquals('\\', Subject.echo('\\'));
    }

    @Test
    void echo_givesBackWhatItWasGiven_6() {
        assertEquals(Short.MIN_VALUE, Subject.echo(Short.MIN_VALUE));
    }

    @Test
    void echo_givesBackWhatItWasGiven_7() {
        assertEquals(Integer.MIN_VALUE, Subject.echo(Integer.MIN_VALUE));
    }

    @Test
    void echo_givesBackWhatItWasGiven_8() {
        assertEquals(-5L, Subject.echo(-5L));
    }

    @Test
    void echo_givesBackWhatItWasGiven_9() {
        assertEquals(0.1f, Subject.echo(0.1f));
    }

    @Test
    void echo_givesBackWhatItWasGiven_10() {
        assertEquals(-0.0f, Subject.echo(-0.0f));
    }

    @Test
    void echo_givesBackWhatItWasGiven_11() {
        assertEquals(Double.NaN, Subject.echo(Double.NaN));
    }

    @Test
    void echo_givesBackWhatItWasGiven_12() {
        assertEquals(-0.0, Subject.echo(-0.0));
    }

    @Test
    void echo_givesBackWhatItWasGiven_13() {
        assertEquals(Double.MIN_VALUE, Subject.echo(Double.MIN_VALUE));
    }

    @Test
    void echo_givesBackWhatItWasGiven_14() {
        assertEquals("\"\\u0041\n\u00e9\udfff", Subject.echo("\"\\u0041\n\u00e9\udfff"));
    }

    @Test
    void echo_givesBackWhatItWasGiven_15() {
        assertNull(Subject.echo((String) null));
    }

    @Test
    void echo_givesBackWhatItWasGiven_16() {
        Object result = Subject.echo(Character.valueOf('A'));
        assertEquals(Character.valueOf('A'), result);
    }

    @Test
    void echo_givesBackWhatItWasGiven_17() {
        Object result = Subject.echo((Object) new int[] {1, 2});
        assertArrayEquals(new int[] {1, 2}, (int[]) result);
    }

    @Test
    void echo_givesBackWhatItWasGiven_18() {
        Integer result = Subject.echo(Integer.valueOf(1000));
        assertEquals(Integer.valueOf(1000), result);
    }

    @Test
    void echo_givesBackWhatItWasGiven_19() {
        Subject.Color result = Subject.echo(Subject.Color.GREEN);
        assertEquals(Subject.Color.GREEN, result);
    }

    @Test
    void echo_givesBackWhatItWasGiven_20() {
        assertArrayEquals(new int[] {3, -1}, Subject.echo(new int[] {3, -1}));
    }

    @Test
    void echo_givesBackWhatItWasGiven_21() {
        int[] argument1 = {
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
            27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39
        };
        int[] result = Subject.echo(argument1);
        assertArrayEquals(
                new int[] {
                    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24,
                    25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39
                },
                result);
    }

    @Test
    void echo_givesBackWhatItWasGiven_22() {
        assertArrayEquals(new byte[] {-1}, Subject.echo(new byte[] {-1}));
    }

    @Test
    void echo_givesBackWhatItWasGiven_23() {
        assertArrayEquals(new double[] {0.5}, Subject.echo(new double[] {0.5}));
    }

    @Test
    void echo_givesBackWhatItWasGiven_24() {
        assertArrayEquals(new boolean[] {true}, Subject.echo(new boolean[] {true}));
    }

    @Test
    void echo_givesBackWhatItWasGiven_25() {
        String[][] result = Subject.echo(new String[][] {{"a", null}, new String[0], null});
        assertArrayEquals(new String[][] {{"a", null}, new String[0], null}, result);
    }

    @Test
    void larger_givesBackWhatItWasGiven() {
        Comparable result = Subject.larger(Integer.valueOf(3), Integer.valueOf(4));
        assertEquals(Integer.valueOf(4), result);
    }

    @Test
    void join_joinsTwo() throws Throwable {
        String result = (String) invoke(
                Subject.class, null, "join", new Class<?>[] {String[].class},
                (Object) new String[] {"a", "b"});
        assertEquals("ab", result);
    }

    @Test
    void join_joinsMany() throws Throwable {
        String[] argument1 = {
            "many", "many", "many", "many", "many", "many", "many", "many", "many", "many", "many", "many",
            "many", "many", "many", "many", "many", "many", "many", "many"
        };
        String result = (String) invoke(
                Subject.class, null, "join", new Class<?>[] {String[].class}, (Object) argument1);
        assertEquals(
                "manymanymanymanymanymanymanymanymanymanymanymanymanymanymanymanymanymanymanymany", result);
    }

    @Test
    void quotient_throwsArithmeticExceptionAtLine108() {
        ArithmeticException thrown = assertThrows(ArithmeticException.class, () -> Subject.quotient(1, 0));
        assertEquals("/ by zero", thrown.getMessage());
    }

    @Test
    void quotient_returnsMinus3() {
        assertEquals(-3, Subject.quotient(-7, 2));
    }

    @Test
    void sum_returns120AfterThreeRounds() {
        int[] values = {
            0, 1001, 2002, 3003, 4004, 5005, 6006, 7007, 8008, 9009, 10010, 11011, 12012, 13013, 14014, 15015,
            16016, 17017, 18018, 19019, 20020, 21021, 22022, 23023, 24024, 25025, 26026, 27027, 28028, 29029,
            30030, 31031, 32032, 33033, 34034, 35035, 36036, 37037, 38038, 39039, 40040, 41041, 42042, 43043,
            44044, 45045, 46046, 47047, 48048, 49049, 50050, 51051, 52052, 53053, 54054, 55055, 56056, 57057,
            58058, 59059
        };
        assertEquals(0, Subject.sum(values, new long[60]));
    }

    // reaches */ the \ u000a end
    @Test
    void greet_reachesTheU000aEnd() throws Exception {
        Subject.greet(
                "long long long long long long long long long long long long "
                        + "long long long long long long long long long long long long "
                        + "long long long long long long long long long long long long "
                        + "long long long long ");
        assertEquals(
                "hello, long long long long long long long long long long "
                        + "long long long long long long long long long long long long "
                        + "long long long long long long long long long long long long "
                        + "long long long long long long \n",
                printed());
    }

    @Test
    void greetAndFail_returns3() throws Exception {
        assertEquals(3, Subject.greetAndFail(3));
        assertEquals("before", printed());
    }

    @Test
    void greetAndFail_throwsIOException() throws Exception {
        IOException thrown = assertThrows(IOException.class, () -> Subject.greetAndFail(4));
        assertEquals("no \"quotes\"\n", thrown.getMessage());
        assertEquals("before", printed());
    }

    @Test
    void throwAnonymous_throws() {
        Throwable thrown = assertThrows(Throwable.class, () -> Subject.throwAnonymous());
        assertEquals("shop.Subject$1", thrown.getClass().getName());
    }

    @Test
    void secret_returns2() throws Throwable {
        assertEquals(2, (int) invoke(Subject.class, null, "secret", new Class<?>[] {int.class}, 1));
    }

    @Test
    void secret_throws() {
        assertThrows(
                IllegalArgumentException.class,
                () -> invoke(Subject.class, null, "secret", new Class<?>[] {int.class}, -1));
    }

    @Test
    void calls_returns() {
        assertEquals(1, new Subject().calls());
    }

    @Test
    void someObject_returnsAStringBuilder() {
        Object result = Subject.someObject();
        assertEquals("java.lang.StringBuilder", result.getClass().getName());
    }

    @Test
    void someLambda_returnsALambda() {
        Runnable result = Subject.someLambda();
        assertNotNull(result);
    }

    @Test
    void check_failsAnAssertion() {
        AssertionError thrown = assertThrows(AssertionError.class, () -> Subject.check(0));
        assertEquals("not positive", thrown.getMessage());
    }

    // draws 66 and 'A'
    @Test
    void draw_draws66AndA() {
        Sym.replay(66, 'A'); // x, c
        assertEquals(131, Subject.draw());
    }

    @Test
    void draw_failsTheCheck() {
        Sym.replay(66, 'B'); // x, c
        CheckFailed thrown = assertThrows(CheckFailed.class, () -> Subject.draw());
        assertEquals("different", thrown.getMessage());
    }

    @Disabled("an argument is an object that no source can make")
    @Test
    void castTo_takesAnObject() {
        assertThrows(
                ClassCastException.class,
                () -> Subject.castTo((Object) null /* an object of shop.Subject */));
    }

    @Disabled("ends the JVM with status 3")
    @Test
    void exit_exits() {
        Subject.exit(3);
    }

    @Test
    void constructor_makesOne() {
        new Subject();
    }

    @Test
    void recurse_overflowsTheStack() {
        StackOverflowError thrown = assertThrows(StackOverflowError.class, () -> Subject.recurse(0));
        assertNull(thrown.getMessage());
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
}
