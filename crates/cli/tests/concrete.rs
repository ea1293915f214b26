//! Java where symbols cannot go: start-up code of the JDK that reads the machine, reflection, and operations
//! that only numbers have. Everything is replayed on the JVM.

use crate::common::{Folder, evergreen, run, stdout};
use std::process::Command;

const STARTS: &str = r##"
import java.util.*;
import java.text.*;
import java.io.*;
import java.util.logging.*;
public class Starts {
    static final Logger LOG = Logger.getLogger("a");
    public static int logger(int x) {
        LOG.fine("x" + x);
        if (LOG.isLoggable(Level.FINE)) return 5;
        if (LOG != Logger.getLogger("a") || !LOG.getName().equals("a")) return 6;
        return x > 3 ? 1 : 2;
    }
    public static int calendar(int x) {
        GregorianCalendar c = new GregorianCalendar(2020, 1, 3);
        c.add(Calendar.DAY_OF_MONTH, 30);
        return c.get(Calendar.MONTH) * 10 + c.get(Calendar.DAY_OF_WEEK) + (x > 3 ? 100 : 200);
    }
    public static String formats(int x) {
        return new DecimalFormat("#,##0.00").format(1234.5) + String.format("%.2f", 2.5) + (x > 3);
    }
    public static int file(int x) throws IOException {
        if (new File("/does/not/exist").exists()) return 3;
        try (FileReader r = new FileReader("/does/not/exist")) {
            return 4;
        } catch (FileNotFoundException e) {
            return e.getMessage().length() + (x > 3 ? 100 : 200);
        }
    }
    public static int environment(int x) {
        return System.getenv("A_NAME_THAT_NOBODY_SETS") == null && x > 3 ? 1 : 2;
    }
    public static int property(int x) {
        System.setProperty("a.b", "c");
        String b = System.getProperty("a.b") + System.getProperty("line.separator").length();
        return b.equals("c1") && System.getProperty("a.c", "d").equals("d") && x > 3 ? 1 : 2;
    }
    public static int zone(int x) {
        return TimeZone.getTimeZone("UTC").getRawOffset() + (TimeZone.getDefault() != null && x > 3 ? 1 : 2);
    }
}
"##;

const REFLECTED: &str = r#"
import java.lang.reflect.*;
public class Reflected {
    public static class Box {
        public int z = 4;
        private long hidden = 7;
        public Box() { }
        public Box(int z) { if (z < 0) throw new IllegalStateException("low"); this.z = z; }
        public int plus(int i) { return i + z; }
        public static String twice(String s, long n) { return s + s + n; }
    }
    public static int make(int x) throws Exception {
        Box b = (Box) Class.forName("Reflected$Box").getDeclaredConstructor().newInstance();
        return b.z + (x > 3 ? 1 : 0);
    }
    public static int call(int x) throws Exception {
        return (Integer) Box.class.getMethod("plus", int.class).invoke(new Box(), x) > 7 ? 1 : 2;
    }
    public static int throwing(int x) throws Exception {
        try {
            return Box.class.getConstructor(int.class).newInstance(x).z > 5 ? 1 : 2;
        } catch (InvocationTargetException e) {
            return e.getCause().getMessage().equals("low") ? 3 : 4;
        }
    }
    public static int fields(int x) throws Exception {
        Field f = Box.class.getDeclaredField("z");
        Box b = new Box();
        f.setInt(b, x);
        Field h = Box.class.getDeclaredField("hidden");
        h.setAccessible(true);
        h.setLong(b, 9L);
        return f.getInt(b) > 3 ? (int) h.getLong(b) : Box.class.getDeclaredFields().length;
    }
    public static String wide(int x) throws Exception {
        return (String) Box.class.getMethod("twice", String.class, long.class).invoke(null, "a", 3) + (x > 3);
    }
    public static int missing(int x) {
        try {
            Box.class.getMethod("nothing");
            return 1;
        } catch (NoSuchMethodException e) {
            return x > 3 ? 2 : 3;
        }
    }
    public static int wrong(int x) throws Exception {
        try {
            Box.class.getMethod("plus", int.class).invoke(new Box(), "text");
            return 1;
        } catch (IllegalArgumentException e) {
            // The JVM has another text once a method was called often.
            return x > 3 ? 2 : 3;
        }
    }
}
"#;

const SAMPLED: &str = r#"
public class Sampled {
    public static int text(double d, int x) {
        if (("" + d).length() > 3) return x > 3 ? 1 : 2;
        return x > 3 ? 3 : 4;
    }
    public static int formatted(double d) { return String.format("%.2f", d).startsWith("-") ? 1 : 2; }
    public static int interned(String s) { return s != null && s.intern() == "a" ? 1 : 2; }
}
"#;

/// Explores a class file without the driver API.
fn explore(name: &str, source: &str, flags: &[&str]) -> String {
    let folder = Folder::new();
    let file = folder.path(&format!("{name}.java"));
    std::fs::write(&file, source).expect("a source");
    let javac = Command::new("javac").args(["-g", "-d"]).arg(folder.path("")).arg(&file).status();
    assert!(javac.expect("javac").success());
    let mut command = evergreen(&folder);
    command.arg("explore").arg(folder.path(&format!("{name}.class"))).args(flags);
    stdout(&run(&mut command, ""))
}

/// The JDK reads files, variables and the time zone when its classes are initialized, and starts threads for
/// loggers: all of that is followed, and results say where they depend on the machine.
#[test]
fn start_up_code_of_the_jdk_is_followed() {
    let text = explore("Starts", STARTS, &[]);
    assert!(!text.contains("unsupported") && !text.contains("FOUND"), "{text}");
    assert!(text.contains(" 0 divergences"), "{text}");
    assert!(text.contains("within this environment"), "{text}");
    let line = |method: &str| {
        let mut lines = text.lines().skip_while(|line| !line.starts_with(&format!("Starts.{method}(")));
        lines.nth(1).expect("a line of its paths").to_string()
    };
    // What no file, no variable and no property decides is explored in full.
    for method in ["logger", "formats"] {
        assert!(line(method).contains("2 paths") && !line(method).contains("within"), "{text}");
    }
    for method in ["calendar", "file", "environment", "property"] {
        assert!(
            line(method).contains("2 paths") && line(method).contains("within this environment"),
            "{text}"
        );
    }
}

#[test]
fn members_are_called_by_reflection() {
    let text = explore("Reflected", REFLECTED, &["--verbose"]);
    assert!(!text.contains("unsupported") && !text.contains("FOUND"), "{text}");
    // The JDK looks at its properties before it makes accessors.
    assert!(text.contains(" 0 divergences"), "{text}");
    assert!(text.contains("all paths within this environment explored"), "{text}");
    // In three cases: low, above 5, and between.
    for result in
        ["returns 1 ", "returns 2 ", "returns 3 ", "returns 5 ", "returns 9 ", "returns \"aa3true\""]
    {
        assert!(text.contains(result), "no {result} in {text}");
    }
}

/// A path goes on with values of its model, and with others; inputs that do not matter stay symbolic.
#[test]
fn texts_of_floats_are_sampled() {
    let text = explore("Sampled", SAMPLED, &["--verbose", "--method", "text"]);
    for result in ["returns 1 ", "returns 2 ", "returns 3 ", "returns 4 "] {
        assert!(text.contains(result), "no {result} in {text}");
    }
    assert!(text.contains("d fixed for the characters of a symbolic double at Sampled.text"), "{text}");
    assert!(text.contains("not all paths explored") && text.contains(" 0 divergences"), "{text}");
    assert!(!text.contains("unsupported"), "{text}");
    let text = explore("Sampled", SAMPLED, &["--verbose", "--method", "text", "--no-sampling"]);
    assert!(text.contains("unsupported") && !text.contains("sampled"), "{text}");
}

#[test]
fn formats_and_interned_texts_are_sampled() {
    for method in ["formatted", "interned"] {
        let text = explore("Sampled", SAMPLED, &["--verbose", "--method", method, "--time", "20"]);
        assert!(text.contains("(sampled)") && text.contains(" 0 divergences"), "{text}");
        assert!(text.contains("not all paths explored"), "{text}");
    }
}

const THREADS: &str = r#"
import java.util.concurrent.*;
public class Threads {
    static int shared;
    public static int joined(int x) throws Exception {
        shared = 0;
        Thread t = new Thread(() -> { shared = x; });
        t.start();
        t.join();
        return shared > 3 && !t.isAlive() ? 1 : 2;
    }
    public static int pool(int x) throws Exception {
        ExecutorService e = Executors.newFixedThreadPool(2);
        Future<Integer> f = e.submit(() -> x + 1);
        Future<Integer> g = e.submit(() -> f.get() > 3 ? 1 : 2);
        Future<Integer> h = e.submit(() -> 10);
        int r = g.get() + h.get();
        e.shutdown();
        return r;
    }
    public static int handed(int x) throws Exception {
        BlockingQueue<Integer> q = new ArrayBlockingQueue<>(1);
        Thread t = new Thread(() -> { try { q.put(x); q.put(x > 7 ? 1 : 2); } catch (InterruptedException e) { } });
        t.start();
        return q.take() == x ? q.take() : 3;
    }
    public static int dying(int x) throws Exception {
        Thread t = new Thread(() -> { if (x > 3) throw new IllegalStateException("dead"); shared = 5; });
        t.setUncaughtExceptionHandler((u, e) -> shared = e.getMessage().length());
        shared = 0;
        t.start();
        t.join();
        return shared;
    }
    public static int monitors(int x) throws Exception {
        Object lock = new Object();
        int[] seen = { 0 };
        Thread t = new Thread(() -> { synchronized (lock) { seen[0] = x; lock.notifyAll(); } });
        synchronized (lock) {
            t.start();
            while (seen[0] == 0 && x != 0) lock.wait();
        }
        t.join();
        return seen[0] > 3 ? 1 : 2;
    }
}
"#;

/// One thread after the other, in one of the orders that a JVM may take; results say so.
#[test]
fn threads_run_one_after_the_other() {
    let text = explore("Threads", THREADS, &["--verbose"]);
    assert!(!text.contains("unsupported") && !text.contains("FOUND"), "{text}");
    assert!(text.contains(" 0 divergences") && text.contains("within one schedule of threads"), "{text}");
    assert!(!text.contains(", all paths explored"), "{text}");
    for result in ["returns 1 ", "returns 2 ", "returns 11 ", "returns 12 ", "returns 4 ", "returns 5 "] {
        assert!(text.contains(result), "no {result} in {text}");
    }
}
