//! Scripts: queries as a client would ask them, in pushes and pops, paths, assumptions, definitions.

use super::atom::{rename, with_let};
use super::program::{Program, Query};
use evergreen_testing::random::Random;
use std::collections::HashMap;
use std::fmt::Write as _;

/// What is asked after a check, once its verdict is known.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ask {
    /// Terms, after sat.
    pub values: Vec<String>,
    /// The model, after sat.
    pub model: bool,
    /// The core, after unsat.
    pub core: bool,
}

/// A command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// A declaration or definition.
    Declare(String),
    /// An assertion, perhaps with a name.
    Assert {
        /// The constraint.
        text: String,
        /// Its name.
        name: Option<String>,
    },
    /// `(push 1)`.
    Push,
    /// `(pop 1)`.
    Pop,
    /// A check, under assumptions if there are any.
    Check {
        /// Literals.
        assuming: Vec<String>,
        /// What is asked afterwards.
        ask: Ask,
    },
}

/// Commands that leave the stack as they found it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Group(pub Vec<Step>);

/// How a script ends, so that the next one finds nothing of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// `(pop 1)` of a level that it opened.
    Pop,
    /// `(reset)`.
    Reset,
    /// `(reset-assertions)`, then `(reset)`: z3 keeps declarations and levels over the first, other solvers
    /// do not.
    ResetAssertions,
}

/// A script that needs nothing before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Script {
    /// Declarations.
    pub declarations: Vec<String>,
    /// What is asked.
    pub groups: Vec<Group>,
    /// How it ends.
    pub ending: Ending,
}

/// What a check is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// Declarations and definitions in force.
    pub declarations: Vec<String>,
    /// Assertions in force, with their names.
    pub assertions: Vec<(Option<String>, String)>,
    /// Assumptions.
    pub assuming: Vec<String>,
    /// What is asked afterwards.
    pub ask: Ask,
}

/// The verdicts that are known already, for [`Script::write`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// `sat`.
    Sat,
    /// `unsat`.
    Unsat,
    /// Anything else.
    Unknown,
}

impl Verdict {
    /// As a solver prints it.
    pub fn of(text: &str) -> Verdict {
        match text {
            "sat" => Verdict::Sat,
            "unsat" => Verdict::Unsat,
            _ => Verdict::Unknown,
        }
    }
}

/// Whether a process makes cores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CoreAsking {
    /// `:produce-unsat-cores` is set.
    On,
    /// It is not.
    Off,
}

impl Script {
    /// How many checks it has.
    pub fn checks(&self) -> usize {
        let steps = self.groups.iter().flat_map(|g| &g.0);
        steps.filter(|s| matches!(s, Step::Check { .. })).count()
    }

    /// What each check is about, in order.
    pub fn cases(&self) -> Vec<Case> {
        let mut cases = Vec::new();
        for group in &self.groups {
            let mut declared: Vec<Vec<String>> = vec![self.declarations.clone()];
            let mut asserted: Vec<Vec<(Option<String>, String)>> = vec![Vec::new()];
            for step in &group.0 {
                match step {
                    Step::Declare(text) => declared.last_mut().expect("a level").push(text.clone()),
                    Step::Assert { text, name } => {
                        asserted.last_mut().expect("a level").push((name.clone(), text.clone()));
                    }
                    Step::Push => {
                        declared.push(Vec::new());
                        asserted.push(Vec::new());
                    }
                    Step::Pop => {
                        declared.pop();
                        asserted.pop();
                    }
                    Step::Check { assuming, ask } => cases.push(Case {
                        declarations: declared.concat(),
                        assertions: asserted.concat(),
                        assuming: assuming.clone(),
                        ask: ask.clone(),
                    }),
                }
            }
        }
        cases
    }

    /// The checks alone, in a level of its own: for the bare solver.
    pub fn write_bare(&self) -> String {
        let popped = Script { ending: Ending::Pop, ..self.clone() };
        popped.write("", &[], CoreAsking::Off)
    }

    /// As a client sends it: after each check what its verdict allows to ask. A reset is followed by the
    /// header.
    pub fn write(&self, header: &str, verdicts: &[Verdict], cores: CoreAsking) -> String {
        let mut out = String::new();
        let is_popped = self.ending == Ending::Pop;
        if is_popped {
            out.push_str("(push 1)\n");
        }
        self.declarations.iter().for_each(|d| {
            let _ = writeln!(out, "{d}");
        });
        let mut verdicts = verdicts.iter();
        for step in self.groups.iter().flat_map(|g| &g.0) {
            match step {
                Step::Declare(text) => drop(writeln!(out, "{text}")),
                Step::Assert { text, name: Some(name) } => {
                    let _ = writeln!(out, "(assert (! {text} :named {name}))");
                }
                Step::Assert { text, name: None } => drop(writeln!(out, "(assert {text})")),
                Step::Push => out.push_str("(push 1)\n"),
                Step::Pop => out.push_str("(pop 1)\n"),
                Step::Check { assuming, ask } => {
                    if assuming.is_empty() {
                        out.push_str("(check-sat)\n");
                    } else {
                        let _ = writeln!(out, "(check-sat-assuming ({}))", assuming.join(" "));
                    }
                    let verdict = verdicts.next().copied().unwrap_or(Verdict::Unknown);
                    write_asked(&mut out, ask, verdict, cores, !assuming.is_empty());
                }
            }
        }
        match self.ending {
            Ending::Pop => out.push_str("(pop 1)\n"),
            Ending::Reset => drop(write!(out, "(reset)\n{header}")),
            Ending::ResetAssertions => drop(write!(out, "(reset-assertions)\n(reset)\n{header}")),
        }
        out
    }
}

/// What is asked after a check with that verdict, in this order: values, the model, the core or the
/// assumptions used.
fn write_asked(out: &mut String, ask: &Ask, verdict: Verdict, cores: CoreAsking, is_assuming: bool) {
    match verdict {
        Verdict::Sat => {
            if !ask.values.is_empty() {
                let _ = writeln!(out, "(get-value ({}))", ask.values.join(" "));
            }
            if ask.model {
                out.push_str("(get-model)\n");
            }
        }
        Verdict::Unsat if ask.core && cores == CoreAsking::On => {
            out.push_str(if is_assuming { "(get-unsat-assumptions)\n" } else { "(get-unsat-core)\n" });
        }
        _ => {}
    }
}

/// Makes the scripts of a job about a program.
pub struct Writer<'p> {
    program: &'p mut Program,
    random: &'p mut Random,
    /// Whether assumptions may be any literal, or only propositions.
    any_assumption: bool,
    /// Whether the solver prints models that can be read.
    models: bool,
    names: usize,
}

impl<'p> Writer<'p> {
    /// A writer for scripts that z3 and cvc5 take.
    pub fn new(program: &'p mut Program, random: &'p mut Random) -> Writer<'p> {
        let models = program.vocabulary.has_models;
        Writer { program, random, any_assumption: true, models, names: 0 }
    }

    /// Only what yices takes.
    pub fn plainly(mut self) -> Writer<'p> {
        self.any_assumption = false;
        self.models = false;
        self
    }

    /// The next script.
    pub fn script(&mut self) -> Script {
        self.names = 0;
        let groups = 3 + self.random.below(4);
        let groups = (0..groups).map(|_| self.group()).collect();
        let ending = match self.random.below(24) {
            0 => Ending::Reset,
            1 => Ending::ResetAssertions,
            _ => Ending::Pop,
        };
        let script = Script { declarations: self.program.vocabulary.declarations(), groups, ending };
        match self.random.below(5) {
            0 => renamed(&script, &self.suffixed()),
            1 => renamed(&script, &self.permuted()),
            _ => script,
        }
    }

    fn group(&mut self) -> Group {
        match self.random.below(10) {
            0..=4 => self.flat(),
            5..=7 => self.path(),
            _ => self.guarded(),
        }
    }

    fn ask(&mut self) -> Ask {
        let mut ask = Ask { core: true, ..Ask::default() };
        if self.random.one_in(3) {
            for _ in 0..1 + self.random.below(3) {
                let value = self.program.value(self.random);
                if !ask.values.contains(&value) {
                    ask.values.push(value);
                }
            }
        }
        ask.model = self.models && self.random.one_in(6);
        ask
    }

    fn check(&mut self) -> Step {
        Step::Check { assuming: Vec::new(), ask: self.ask() }
    }

    fn assert(&mut self, text: String, named: bool) -> Step {
        let text = if self.random.one_in(10) { with_let(&text, self.random) } else { text };
        let name = named.then(|| {
            self.names += 1;
            format!("n{}", self.names)
        });
        Step::Assert { text, name }
    }

    /// One query, sometimes checked once more with a constraint added.
    fn flat(&mut self) -> Group {
        let query = self.program.next_query(self.random);
        let named = self.random.one_in(2);
        let mut steps = vec![Step::Push];
        let texts: Vec<String> = query.iter().map(|c| c.write()).collect();
        let mut rest = &texts[..];
        while let [first, others @ ..] = rest {
            match self.random.below(14) {
                0 if !others.is_empty() => {
                    let both = format!("(and {first} {})", others[0]);
                    steps.push(self.assert(both, named));
                    rest = &others[1..];
                    continue;
                }
                1 => {
                    self.names += 1;
                    let name = format!("d{}", self.names);
                    let word = self.random.pick(&["define-fun", "define-const"]);
                    let params = if word == "define-fun" { "() " } else { "" };
                    steps.push(Step::Declare(format!("({word} {name} {params}Bool {first})")));
                    steps.push(self.assert(name, named));
                }
                _ => steps.push(self.assert(first.clone(), named)),
            }
            rest = others;
        }
        steps.push(self.check());
        if self.random.one_in(4) {
            let more = self.program.some(self.random, 1).remove(0).write();
            steps.push(self.assert(more, named));
            steps.push(self.check());
        }
        steps.push(Step::Pop);
        Group(steps)
    }

    /// A path: at each constraint its other arm is asked in a level of its own, then the path goes on under
    /// it.
    fn path(&mut self) -> Group {
        let query: Query = self.program.next_query(self.random);
        let named = self.random.one_in(3);
        let mut steps = vec![Step::Push];
        let mut open = 1;
        for constraint in query.iter().take(5) {
            steps.push(Step::Push);
            let other = self.assert(constraint.other().write(), named);
            steps.extend([other, self.check(), Step::Pop]);
            if self.random.one_in(3) {
                steps.push(Step::Push);
                open += 1;
            }
            steps.push(self.assert(constraint.write(), named));
        }
        steps.push(self.check());
        // Back in an outer level, what was asserted further in is gone.
        if open > 1 {
            steps.push(Step::Pop);
            open -= 1;
            if self.random.one_in(2) {
                let more = self.program.some(self.random, 1).remove(0).write();
                steps.push(self.assert(more, named));
            }
            steps.push(self.check());
        }
        steps.extend((0..open).map(|_| Step::Pop));
        Group(steps)
    }

    /// A query behind propositions, some of which are assumed; or its last constraints as assumptions.
    fn guarded(&mut self) -> Group {
        let query = self.program.next_query(self.random);
        let mut steps = vec![Step::Push];
        if self.any_assumption && self.random.one_in(2) {
            let (kept, assumed) = query.split_at(query.len() / 2);
            for constraint in kept {
                steps.push(self.assert(constraint.write(), false));
            }
            let assuming: Vec<String> = assumed
                .iter()
                .map(|c| c.write())
                .filter(|c| !c.contains("(forall") && !c.contains("(exists"))
                .collect();
            for assuming in [assuming.clone(), assuming.into_iter().skip(1).collect()] {
                let ask = self.ask();
                steps.push(Step::Check { assuming, ask });
            }
        } else {
            let guards: Vec<String> = (0..query.len()).map(|i| format!("g{i}")).collect();
            for (guard, constraint) in guards.iter().zip(&query) {
                steps.push(Step::Declare(format!("(declare-const {guard} Bool)")));
                let guarded = format!("(=> {guard} {})", constraint.write());
                steps.push(self.assert(guarded, false));
            }
            for _ in 0..2 {
                let literal = |random: &mut Random, guard: &String| match random.below(6) {
                    0 => None,
                    1 => Some(format!("(not {guard})")),
                    _ => Some(guard.clone()),
                };
                let assuming = guards.iter().filter_map(|g| literal(self.random, g)).collect();
                let ask = self.ask();
                steps.push(Step::Check { assuming, ask });
            }
        }
        steps.push(Step::Pop);
        Group(steps)
    }

    /// Other names for all symbols.
    fn suffixed(&mut self) -> HashMap<String, String> {
        let suffix = ["_b", "_c", "!1"][self.random.below(3)];
        let symbols = self.program.vocabulary.symbols.iter();
        symbols.map(|(name, ..)| (name.clone(), format!("{name}{suffix}"))).collect()
    }

    /// The symbols of each sort change places.
    fn permuted(&mut self) -> HashMap<String, String> {
        let symbols = &self.program.vocabulary.symbols;
        let mut names = HashMap::new();
        let mut sorts: Vec<(&String, &String)> =
            symbols.iter().map(|(_, params, sort)| (params, sort)).collect();
        sorts.dedup();
        for sort in sorts {
            let of_sort = symbols.iter().filter(|(_, params, s)| (params, s) == sort);
            let old: Vec<&String> = of_sort.map(|s| &s.0).collect();
            let mut new = old.clone();
            self.random.shuffle(&mut new);
            names.extend(old.into_iter().cloned().zip(new.into_iter().cloned()));
        }
        names
    }
}

/// A script under other names.
fn renamed(script: &Script, names: &HashMap<String, String>) -> Script {
    let all = |texts: &[String]| texts.iter().map(|t| rename(t, names)).collect::<Vec<_>>();
    let step = |step: &Step| match step {
        Step::Declare(text) => Step::Declare(rename(text, names)),
        Step::Assert { text, name } => Step::Assert { text: rename(text, names), name: name.clone() },
        Step::Check { assuming, ask } => Step::Check {
            assuming: all(assuming),
            ask: Ask { values: all(&ask.values), model: ask.model, core: ask.core },
        },
        other => other.clone(),
    };
    let groups = script.groups.iter().map(|g| Group(g.0.iter().map(step).collect())).collect();
    Script { declarations: all(&script.declarations), groups, ending: script.ending }
}
