//! A z3 process that is asked whether terms have the values that we say.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The z3 of the project (`.tools/bin`), of `EVERGREEN_TOOLS`, or of the path.
fn binary() -> PathBuf {
    let mut places = vec![concat!(env!("CARGO_MANIFEST_DIR"), "/../../.tools/bin/z3").into()];
    if let Some(tools) = std::env::var_os("EVERGREEN_TOOLS") {
        places.insert(0, PathBuf::from(tools).join("bin/z3"));
    }
    places.into_iter().find(|place| place.exists()).unwrap_or_else(|| "z3".into())
}

/// The output of z3 for a script.
pub(crate) fn run(script: &str) -> String {
    let path = binary();
    let mut child = Command::new(&path)
        .args(["-in", "-smt2"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|e| panic!("cannot start z3 at {path:?}: {e}; these tests need a z3"));
    let mut stdin = child.stdin.take().expect("a pipe");
    let text = script.to_string();
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("z3 ends");
    writer.join().expect("the writer ends").expect("z3 reads its input");
    String::from_utf8(output.stdout).expect("z3 prints text")
}

/// z3's verdict on each claim.
#[derive(Debug, PartialEq, Eq, Clone)]
pub(crate) enum Verdict {
    True,
    False(String),
    Unknown(String),
}

/// Asks z3 about Boolean ground terms: first its simplifier, then, where that is not enough, its solver.
pub(crate) fn judge(preamble: &str, claims: &[String]) -> Vec<Verdict> {
    let mut script = preamble.to_string();
    for claim in claims {
        script.push_str(&format!("(simplify {claim})\n(echo \"<next>\")\n"));
    }
    let output = run(&script);
    let answers: Vec<&str> = output.split("<next>\n").map(str::trim).collect();
    assert_eq!(answers.len(), claims.len() + 1, "one answer per claim: {output}");
    let mut verdicts: Vec<Verdict> = answers[..claims.len()]
        .iter()
        .map(|answer| match *answer {
            "true" => Verdict::True,
            "false" => Verdict::False("simplified to false".into()),
            other => Verdict::Unknown(other.into()),
        })
        .collect();
    let open: Vec<usize> =
        (0..claims.len()).filter(|i| matches!(verdicts[*i], Verdict::Unknown(_))).collect();
    let mut script = format!("(set-option :timeout 2000)\n{preamble}");
    for i in &open {
        script.push_str(&format!(
            "(push)\n(assert (not {}))\n(check-sat)\n(pop)\n(echo \"<next>\")\n",
            claims[*i]
        ));
    }
    let output = run(&script);
    for (i, answer) in open.iter().zip(output.split("<next>\n").map(str::trim)) {
        verdicts[*i] = match answer {
            "unsat" => Verdict::True,
            "sat" => Verdict::False("the opposite is sat".into()),
            other => Verdict::Unknown(other.into()),
        };
    }
    verdicts
}
