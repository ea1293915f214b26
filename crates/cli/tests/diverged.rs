//! Code on which the machine and the JVM once disagreed: every test of it is replayed, and they agree.

use crate::common::{Folder, evergreen, run, stdout};
use serde_json::{Value, json};

const ONCE: &str = r##"
import java.text.DecimalFormat;
import java.util.function.Function;

public class Once {
    static class Own extends RuntimeException {
        final int n;
        Own(int n) { this.n = n; }
        @Override public String getMessage() { return n > 10 ? "big" : "small"; }
    }
    // The message is asked for after the method has ended: its branches are none of the method's.
    public static int message(int n) { if (n > 0) throw new Own(n); return 0; }
    public static String format(int n) {
        return new DecimalFormat("#,##0").format(n % 1000 == 0 ? n : -n / 1000);
    }
    // Code that the JVM makes for a reference has no text for what is null.
    public static int reference(int n) {
        Function<String, Integer> f = String::length;
        return f.apply(n > 0 ? null : "a");
    }
    public static String home(int n) { return n > 0 ? System.getenv("HOME") : "x"; }
}
"##;

#[test]
fn what_once_diverged_does_not() {
    let folder = Folder::new();
    let mut command = evergreen(&folder);
    command.env_remove("EVERGREEN_NATIVE").arg("explore").arg(folder.file("Once.java", ONCE));
    let output = run(command.args(["--json", "--range", "n=-2000..2000"]), "");
    let events: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).expect("an event")).collect();
    let diverged: Vec<&Value> = events.iter().filter(|event| event["event"] == "divergence").collect();
    assert!(diverged.is_empty(), "{diverged:#?}");
    let summary = events.last().expect("a summary");
    assert_eq!(
        (&summary["missing"], &summary["bounds"]["environment"]),
        (&json!({}), &json!(1)),
        "{summary}"
    );
    // The null is the program's own.
    let found: Vec<&Value> = events.iter().filter(|event| event["event"] == "finding").collect();
    let method = found.first().and_then(|finding| finding["method"].as_str());
    assert_eq!((found.len(), method), (1, Some("Once.reference(int)")), "{found:#?}");
}
