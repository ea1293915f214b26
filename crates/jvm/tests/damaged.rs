//! Damaged class files: an error or an exception, never a crash of the machine.

use crate::common;
use evergreen_structures::Random;

use evergreen_classfile::read;
use evergreen_explore::{Machine, Pause};
use evergreen_jvm::{Argument, Value};

const SOURCE: &str = r#"
public class Damaged {
    static long total = 3; int field = 4; double d; String s = "x";
    static int sum(int[] a) { int n = 0; for (int x : a) n += x; return n; }
    long mix(long a, double b, float c) { return (long) (a * b) ^ (long) c ^ total; }
    static int choose(int k) { switch (k) { case 1: return 3; case 2: return 5; case 900: return 1; default: return 0; } }
    static String text(Object o) { return o instanceof String ? (String) o : "none"; }
    public static int run(int x) {
        int[][] grid = new int[2][3];
        grid[1][2] = x;
        Damaged object = new Damaged();
        object.d = object.mix(total++, 2.5, 1f) + object.field--;
        try { grid[0][x] = choose(x) / x; } catch (RuntimeException e) { total -= 2; }
        finally { object.s += x; }
        Runnable r = () -> total += x;
        r.run();
        synchronized (object) { return sum(grid[1]) + text(object.s).length() + (int) total; }
    }
}
"#;

#[test]
fn damaged_classes_never_crash_the_machine() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    common::compile(folder.path(), "Damaged", SOURCE);
    let file = folder.path().join("Damaged.class");
    let whole = std::fs::read(&file).expect("javac wrote it");
    let mut numbers = Random::new(11);
    let mut random = |bound: usize| numbers.below(bound);
    let (mut readable, mut ran) = (0, 0);
    while readable < 250 {
        let mut bytes = whole.clone();
        for _ in 0..1 + random(2) {
            let at = random(bytes.len());
            bytes[at] = match random(3) {
                0 => bytes[at] ^ (1 << random(8)),
                1 => bytes[at].wrapping_add(1),
                _ => random(256) as u8,
            };
        }
        if read(&bytes).is_err() {
            continue;
        }
        readable += 1;
        std::fs::write(&file, &bytes).expect("the file can be written");
        let mut jvm = common::machine(folder.path());
        let base = jvm.base_state().expect("the JDK boots");
        let Ok(Some(method)) = jvm.find("Damaged", "run", "(I)I") else { continue };
        for argument in [Argument::Fixed(Value::Int(1)), Argument::Symbolic(None)] {
            let mut state = jvm.start(&base, method, vec![argument]);
            let mut arms = Vec::new();
            for _ in 0..20 {
                match jvm.run(&mut state, 20_000, &mut arms) {
                    Pause::Branch => jvm.take(&mut state, arms.len() - 1),
                    _ => break,
                }
            }
        }
        ran += 1;
    }
    // Most changes hit names and constants: such classes still run, somehow.
    assert!(ran > 60, "only {ran} of {readable} were worth running");
}
