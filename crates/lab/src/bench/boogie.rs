//! A verification condition in the style of Boogie: hundreds of quantified axioms over declared sorts, then
//! goals, each between push and pop. How long until the first goal has a key, and until each further one has?

use super::paths::Random;
use super::samples::Samples;
use evergreen::smtlib::{Command, Context, Splitter, Tape};
use evergreen::{CanonMode, Canonizer, TermId, Terms, split};
use std::fmt::Write;

/// Bytes of the generated script, about.
const SIZE: usize = 250_000;
/// Goals of the script.
const GOALS: usize = 12;
const FUNCTIONS: u64 = 160;

/// Functions take one, two or three arguments of sort T@U, by number; some truth values, some integers.
fn arity(function: u64) -> u64 {
    1 + function % 3
}

fn result(function: u64) -> &'static str {
    ["T@U", "T@U", "Bool", "Int"][(function % 4) as usize]
}

/// A term of sort T@U over bound variables.
fn object(random: &mut Random, variables: u64, depth: u32) -> String {
    if depth == 0 || random.below(3) == 0 {
        return format!("x{}", random.below(variables));
    }
    // Functions whose number is 0 or 1 modulo 4 give objects.
    let function = random.below(FUNCTIONS / 4) * 4 + random.below(2);
    let args: Vec<String> = (0..arity(function)).map(|_| object(random, variables, depth - 1)).collect();
    format!("(|fun#{function}| {})", args.join(" "))
}

fn atom(random: &mut Random, variables: u64) -> String {
    match random.below(4) {
        0 => format!("(= {} {})", object(random, variables, 2), object(random, variables, 1)),
        1 => {
            let function = random.below(FUNCTIONS / 4) * 4 + 2;
            let args: Vec<String> = (0..arity(function)).map(|_| object(random, variables, 2)).collect();
            format!("(|fun#{function}| {})", args.join(" "))
        }
        2 => {
            let function = random.below(FUNCTIONS / 4) * 4 + 3;
            let args: Vec<String> = (0..arity(function)).map(|_| object(random, variables, 1)).collect();
            format!("(< (|fun#{function}| {}) {})", args.join(" "), random.below(100))
        }
        _ => format!(
            "(<= (U_2_int {}) (U_2_int {}))",
            object(random, variables, 1),
            object(random, variables, 2)
        ),
    }
}

fn axiom(random: &mut Random, number: usize) -> String {
    let variables = 1 + random.below(3);
    let bound: String = (0..variables).map(|i| format!("(x{i} T@U) ")).collect();
    let premise = atom(random, variables);
    let sort = format!("(= (type x0) (Ctor {}))", random.below(40));
    let (a, b) = (atom(random, variables), atom(random, variables));
    let pattern = object(random, variables, 2);
    let pattern = if pattern.starts_with('(') { pattern } else { format!("(|fun#0| {pattern})") };
    format!(
        "(assert (forall ({}) (! (=> (and {sort} {premise}) (and {a}\n (or {b} (not {sort}))))\n :qid \
         |axiom.{number}:15|\n \
         :skolemid |{number}|\n :pattern ({pattern})\n)))\n",
        bound.trim_end()
    )
}

fn goal(random: &mut Random, number: usize) -> String {
    let mut text = format!("(push 1)\n(set-info :boogie-vc-id Impl$$_module.__default.Method{number})\n");
    for i in 0..6 {
        let _ = writeln!(text, "(declare-fun x{i} () T@U)");
    }
    let blocks = 8;
    let mut lets = String::new();
    for block in 0..blocks {
        let next = if block == 0 { "true".into() } else { format!("anon{}_correct", block - 1) };
        let (a, b) = (atom(random, 6), atom(random, 6));
        let _ = writeln!(
            lets,
            "(let ((anon{block}_correct (=> (and {a} (= (ControlFlow 0 {block}) (- 0 {number}))) (and {b} \
             (=> {b} {next})))))"
        );
    }
    let _ = write!(
        text,
        "(assert (not {lets}(=> (= (ControlFlow 0 0) {blocks}) anon{}_correct){}))\n(check-sat)\n(pop 1)\n",
        blocks - 1,
        ")".repeat(blocks)
    );
    text
}

/// The script.
pub(super) fn generate() -> String {
    let mut random = Random::new(11);
    let mut text = String::from(
        "(set-option :print-success false)\n(set-info :smt-lib-version 2.6)\n(set-option :auto_config \
         false)\n\
         (set-option :smt.mbqi false)\n(declare-sort T@U 0)\n(declare-sort T@T 0)\n(declare-fun type (T@U) \
         T@T)\n\
         (declare-fun Ctor (Int) T@T)\n(declare-fun U_2_int (T@U) Int)\n(declare-fun ControlFlow (Int Int) \
         Int)\n",
    );
    for function in 0..FUNCTIONS {
        let params = vec!["T@U"; arity(function) as usize].join(" ");
        let _ = writeln!(text, "(declare-fun |fun#{function}| ({params}) {})", result(function));
    }
    let goals: Vec<String> = (0..GOALS).map(|g| goal(&mut random, g)).collect();
    let tail: usize = goals.iter().map(String::len).sum();
    let mut number = 0;
    while text.len() + tail < SIZE {
        text += &axiom(&mut random, number);
        number += 1;
    }
    goals.iter().for_each(|g| text += g);
    text
}

/// Where the time goes.
#[derive(Default)]
pub(super) struct Keyed {
    /// Bytes of the script.
    pub bytes: usize,
    /// Axioms and other assertions before the first goal.
    pub axioms: usize,
    /// Cutting into commands and s-expressions, the whole script.
    pub read: Samples,
    /// The same and names, sorts and terms: the whole script.
    pub elaborate: Samples,
    /// Slice, canonical form and key of the first goal with all axioms.
    pub first: Samples,
    /// The same for each further goal.
    pub further: Samples,
    /// From the first byte to the first goal's key.
    pub total: Samples,
}

/// Reads, elaborates and keys the script some times over.
pub(super) fn measure(rounds: usize) -> Result<Keyed, String> {
    let text = generate();
    let mut keyed = Keyed { bytes: text.len(), ..Keyed::default() };
    for _ in 0..rounds {
        keyed.read.time(|| read_only(&text))?;
        round(&text, &mut keyed)?;
    }
    Ok(keyed)
}

fn read_only(text: &str) -> Result<(), String> {
    let mut splitter = Splitter::new();
    splitter.feed(text.as_bytes());
    splitter.finish();
    let mut nodes = Vec::new();
    while let Some(piece) = splitter.next_piece() {
        nodes = Tape::read_into(piece.text, nodes).map_err(|d| d.message)?.into_nodes();
    }
    Ok(())
}

fn round(text: &str, keyed: &mut Keyed) -> Result<(), String> {
    let start = std::time::Instant::now();
    let mut terms = Terms::new();
    let mut context = Context::new(&mut terms);
    let mut canonizer = Canonizer::new(CanonMode::Full);
    let mut splitter = Splitter::new();
    splitter.feed(text.as_bytes());
    splitter.finish();
    let mut assertions: Vec<TermId> = Vec::new();
    let mut marks = Vec::new();
    let mut goals = 0;
    let mut spent = std::time::Duration::ZERO;
    while let Some(piece) = splitter.next_piece() {
        match context.read(&mut terms, piece.text).map_err(|d| d.message)? {
            Command::Assert { term, .. } => assertions.push(term),
            Command::Push(_) => marks.push(assertions.len()),
            Command::Pop(_) => assertions.truncate(marks.pop().unwrap_or(0)),
            Command::CheckSat => {
                let began = std::time::Instant::now();
                key(&mut terms, &mut canonizer, &assertions);
                let took = began.elapsed();
                spent += took;
                if goals == 0 {
                    keyed.axioms = marks.first().copied().unwrap_or(0);
                    keyed.first.add(took);
                    keyed.total.add(start.elapsed());
                } else {
                    keyed.further.add(took);
                }
                goals += 1;
            }
            Command::Opaque => return Err("a command that is not understood".into()),
            _ => {}
        }
    }
    keyed.elaborate.add(start.elapsed() - spent);
    Ok(())
}

/// As the reuse engine does it.
fn key(terms: &mut Terms, canonizer: &mut Canonizer, assertions: &[TermId]) {
    let pieces: Vec<TermId> = assertions.iter().flat_map(|&a| split(terms, a)).collect();
    for part in canonizer.parts(terms, &pieces) {
        let part: Vec<TermId> = part.iter().map(|&i| pieces[i as usize]).collect();
        std::hint::black_box(canonizer.canonize(terms, &part));
    }
}
