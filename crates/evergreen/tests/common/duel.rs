//! A duel: one attack, answered by a bare solver and by sessions that share a store; no verdict may differ.
//!
//! Both sides are long-lived. Each attack is one push-pop level, so a session sees names declared, popped and
//! declared again with other sorts thousands of times.

use evergreen::{Next, Session};
use evergreen_testing::attack::{Attack, Choices};
use evergreen_testing::random::Random;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

/// Milliseconds that z3 may take for one check, as a flag; what it does not decide in that time is no use to
/// a duel.
pub(crate) const PATIENCE: &str = "-t:300";

/// A z3 process that is told one text after the other.
pub(crate) struct Bare {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    asked: usize,
}

impl Bare {
    /// Starts one.
    pub(crate) fn start() -> Bare {
        let mut child = std::process::Command::new(evergreen_testing::tools::find("z3"))
            .args(["-in", "-smt2", PATIENCE])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("z3 starts");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Bare { child, input, output, asked: 0 }
    }

    /// What it prints for a text.
    pub(crate) fn ask(&mut self, text: &str) -> String {
        self.asked += 1;
        let mark = format!("end-of-answer-{}", self.asked);
        write!(self.input, "{text}\n(echo \"{mark}\")\n").expect("z3 reads");
        self.input.flush().expect("z3 reads");
        let mut answer = String::new();
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).expect("z3 prints") > 0, "z3 died on:\n{text}");
            if line.trim_end() == mark {
                return answer;
            }
            answer.push_str(&line);
        }
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        // A destructor has nobody to tell.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a session prints for a text.
pub(crate) fn tell(session: &mut Session, text: &str) -> String {
    let mut out = String::new();
    session.feed(text.as_bytes());
    while let Some(next) = session.step(&mut out) {
        assert_eq!(next, Next::Continue, "the session ended in:\n{text}");
    }
    out
}

/// Two definite answers that differ.
pub(crate) fn differ(expected: &str, got: &str) -> bool {
    let (expected, got) = (super::verdicts(expected), super::verdicts(got));
    let unsure = |v: &str| v == "unknown" || v == "timeout";
    expected.len() != got.len() || expected.iter().zip(&got).any(|(e, g)| e != g && !unsure(e) && !unsure(g))
}

/// Has z3 confirm cores: what a session names after an `unsat` must be unsatisfiable by itself. The session
/// must have been told to make cores before anything else.
pub(crate) fn cores_hold(attack: &Attack, session: &mut Session, bare: &mut Bare) -> Result<(), String> {
    let script = attack.named();
    let got = tell(session, &script);
    let mut answers = Answers { rest: &got };
    for line in script.lines() {
        if line.starts_with("(check-sat-assuming") {
            answers.line();
        } else if line == "(check-sat)" {
            let (verdict, core) = (answers.line(), answers.expression());
            if verdict != "unsat" || core.starts_with("(error") {
                continue;
            }
            let names = core.split(|c: char| !c.is_ascii_alphanumeric()).filter_map(|n| n.strip_prefix('n'));
            let chosen: Vec<usize> = names.filter_map(|n| n.parse().ok()).collect();
            let confirmed = bare.ask(&attack.only(&chosen));
            if super::verdicts(&confirmed) == ["sat"] {
                return Err(format!("the core {core} is satisfiable:\n{script}--- evergreen\n{got}"));
            }
        }
    }
    Ok(())
}

/// The session's start when it is to make cores.
pub(crate) const WITH_CORES: &str = "(set-option :produce-unsat-cores true)\n";

/// The plain dress with a request for all scalar values after each check that has no assumptions.
fn asking_for_values(attack: &Attack) -> String {
    let names = attack.plain_names();
    let names: Vec<&str> = attack.scalars().into_iter().map(|i| &*names[i]).collect();
    let ask = format!("(check-sat)\n(get-value ({}))\n", names.join(" "));
    attack.plain().replace("(check-sat)\n", &ask)
}

/// Runs an attack against every session; the first difference as text.
pub(crate) fn duel(
    attack: &Attack,
    dresses: usize,
    choices: &mut Choices<'_>,
    bare: &mut Bare,
    sessions: &mut [(String, Session)],
) -> Result<(), String> {
    let plain = attack.plain();
    let expected = bare.ask(&plain);
    if super::errors(&expected) > 0 {
        return Err(format!("z3 does not take the script:\n{plain}\n{expected}"));
    }
    let alone = attack.alone();
    let expected_alone = bare.ask(&alone);
    for (name, session) in sessions.iter_mut() {
        let got = tell(session, &plain);
        complain(name, "plain", &plain, &expected, &got)?;
        for _ in 0..dresses {
            // A fuzzer's bytes decide the script; what it wears is decided by chance that the bytes seed.
            let seed = choices.below(256) as u64;
            let dressed = attack.dress(&mut Choices::Seeded(Random::for_index(seed, dresses as u64)));
            let got = tell(session, &dressed);
            complain(name, "dressed", &dressed, &expected, &got)?;
        }
        let got = tell(session, &alone);
        complain(name, "each constraint alone", &alone, &expected_alone, &got)?;
        let script = asking_for_values(attack);
        let got = tell(session, &script);
        values_hold(attack, &script, &got, bare).map_err(|e| format!("{name}: {e}"))?;
        let stats = session.stats().engine;
        if stats.contradicted > 0 {
            return Err(format!("{name}: our evaluation contradicts a model of z3 in:\n{script}\n{got}"));
        }
    }
    Ok(())
}

fn complain(name: &str, dress: &str, script: &str, expected: &str, got: &str) -> Result<(), String> {
    if differ(expected, got) || super::errors(got) > 0 {
        return Err(format!("{name}, {dress}:\n{script}--- z3\n{expected}--- evergreen\n{got}"));
    }
    Ok(())
}

/// Has z3 confirm values: the script again, each check under the values that were given for it.
fn values_hold(attack: &Attack, script: &str, got: &str, bare: &mut Bare) -> Result<(), String> {
    let names = attack.plain_names();
    let scalars = attack.scalars();
    let mut answers = Answers { rest: got };
    let mut confirm = String::new();
    for line in script.lines() {
        if line.starts_with("(check-sat-assuming") {
            answers.line();
        } else if line == "(check-sat)" {
            let verdict = answers.line();
            let values = answers.expression();
            // A sat that is known without a model has the solver asked again, and that may take it too long.
            if verdict != "sat" || values.starts_with("(error") {
                continue;
            }
            let equalities: String = values_of(&values, scalars.len())
                .ok_or_else(|| format!("not {} values: {values}\n{script}\n{got}", scalars.len()))?
                .iter()
                .zip(&scalars)
                .map(|(value, &i)| format!("(assert (= {} {value}))\n", names[i]))
                .collect();
            confirm.push_str(&format!("(push 1)\n{equalities}(check-sat)\n(pop 1)\n"));
        } else if !line.starts_with("(get-value") {
            confirm.push_str(line);
            confirm.push('\n');
        }
    }
    let confirmed = bare.ask(&confirm);
    if super::verdicts(&confirmed).contains(&"unsat") || super::errors(&confirmed) > 0 {
        return Err(format!(
            "values that do not satisfy the script:\n{script}\n{got}\n--- z3\n{confirmed}\n{confirm}"
        ));
    }
    Ok(())
}

/// Printed answers, taken off one by one.
struct Answers<'a> {
    rest: &'a str,
}

impl Answers<'_> {
    fn line(&mut self) -> String {
        let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
        self.rest = rest;
        line.trim().to_string()
    }

    /// A balanced expression: as many lines as it takes.
    fn expression(&mut self) -> String {
        let mut text = String::new();
        loop {
            text.push_str(&self.line());
            text.push('\n');
            if self.rest.is_empty() || depth(&text) == 0 {
                return text;
            }
        }
    }
}

/// Open parentheses, strings aside. The generator's names have none inside bars.
fn depth(text: &str) -> i64 {
    let (mut depth, mut quoted) = (0, false);
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth -= 1,
            _ => {}
        }
    }
    depth
}

/// The second halves of the pairs in `((name value) …)`.
fn values_of(text: &str, count: usize) -> Option<Vec<String>> {
    let inner = text.trim().strip_prefix('(')?.strip_suffix(')')?;
    let mut values = Vec::new();
    let mut pair = String::new();
    for c in inner.chars() {
        pair.push(c);
        if c == ')' && depth(&pair) == 0 {
            let inner = pair.trim().strip_prefix('(')?.strip_suffix(')')?;
            values.push(inner.split_once(' ')?.1.trim().to_string());
            pair.clear();
        }
    }
    (values.len() == count).then_some(values)
}
