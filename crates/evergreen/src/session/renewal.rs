//! Gives memory back: reads what is in force once more, in an arena of its own.
//!
//! Terms are never freed, so that a session of many queries would grow for as long as it runs, however little
//! of them is still in force. When there are many terms and the client closes levels or resets, the stack is
//! read again from its text, as a solver that is started anew would read it, and the arena takes the place of
//! the one before. The solver processes keep what they have: the stack's texts and the names of its frames
//! stay.
//!
//! That happens only where the text says all: a stack with a command that was not understood keeps its arena.

use super::{Last, Session, repeated};
use crate::stack::{Assertion, Frame, Said, Stack};
use evergreen_smtlib::{Command, Context, Labelled, Resetting};
use evergreen_solver::{Command as SolverCommand, Kind};
use evergreen_term::{SymbolId, Terms};

/// So many terms are kept in any case: some tens of megabytes. A log of a C program has most of its terms
/// again after each reset, and reads them from what is kept.
const FEWEST: usize = 150_000;
/// The arena may have so many times the terms that there were when levels were first closed in it: a client
/// that sends all its axioms again after each reset would otherwise have a new arena for each.
const SHARE: usize = 6;

/// When to take a new arena.
#[derive(Default)]
pub(super) struct Renewal {
    /// The number of terms; `None` before levels were closed for the first time.
    limit: Option<usize>,
    #[cfg(test)]
    test: InTest,
}

/// For tests: whether it happens whenever it can, and how often it has.
#[cfg(test)]
#[derive(Default)]
struct InTest {
    hastens: bool,
    times: usize,
}

impl Renewal {
    /// Whether there are more terms than there may be.
    fn is_due(&mut self, terms: usize) -> bool {
        #[cfg(test)]
        if self.test.hastens {
            return true;
        }
        terms >= *self.limit.get_or_insert(FEWEST.max(SHARE * terms))
    }

    fn begin(&mut self) {
        self.limit = None;
        #[cfg(test)]
        {
            self.test.times += 1;
        }
    }
}

/// A reader at the start of a script for that solver.
pub(super) fn context_for(solver: &SolverCommand, terms: &mut Terms) -> Context {
    let mut context = Context::new(terms);
    if solver.kind == Kind::Z3 {
        context.set_resetting(Resetting::Nothing);
        context.read_as_z3(terms);
    }
    if solver.kind == Kind::Cvc5 {
        context.read_as_cvc5();
    }
    context
}

/// What a frame has of the arena.
#[derive(Default)]
struct Reread {
    assertions: Vec<Assertion>,
    symbols: Vec<SymbolId>,
    labelled: Vec<Labelled>,
}

/// The whole stack in an arena of its own.
struct Renewed {
    terms: Terms,
    context: Context,
    global_symbols: Vec<SymbolId>,
    frames: Vec<Reread>,
}

impl Renewed {
    /// `None` where the text does not lead to the stack as it is.
    fn read(stack: &Stack, solver: &SolverCommand) -> Option<Renewed> {
        let mut terms = Terms::new();
        let mut context = context_for(solver, &mut terms);
        let mut read = |text: &str| context.read(&mut terms, text.as_bytes()).ok();
        let mut global_symbols = Vec::new();
        let (declared, said): (Vec<_>, Vec<_>) = stack.unscoped.iter().partition(|u| u.declares);
        for unscoped in said {
            read(&unscoped.command)?;
        }
        for unscoped in declared {
            if let Command::DeclareFun(symbol) = read(&unscoped.command)? {
                global_symbols.push(symbol);
            }
        }
        let mut frames = Vec::new();
        for (depth, frame) in stack.frames.iter().enumerate() {
            if depth > 0 {
                read("(push 1)")?;
            }
            let mut new = Reread::default();
            for (place, said) in frame.commands.iter().enumerate() {
                let Said::Command(text) = said else { return None };
                match read(text)? {
                    Command::Assert { term, label, labelled, .. } => {
                        new.labelled.extend(labelled);
                        new.assertions.push(Assertion { term, label, command: place });
                    }
                    Command::DeclareFun(symbol) => new.symbols.push(symbol),
                    Command::DeclareSort { .. }
                    | Command::DefineSort(_)
                    | Command::DefineFun { .. }
                    | Command::DefineFunsRec(_)
                    | Command::DeclareDatatypes(_) => {}
                    _ => return None,
                }
            }
            frames.push(new);
        }
        let renewed = Renewed { terms, context, global_symbols, frames };
        renewed.fits(stack).then_some(renewed)
    }

    /// Whether as many things stand in the same places.
    fn fits(&self, stack: &Stack) -> bool {
        let same = |(frame, new): (&Frame, &Reread)| {
            let places = |all: &[Assertion]| all.iter().map(|a| a.command).collect::<Vec<_>>();
            places(&frame.assertions) == places(&new.assertions)
                && frame.symbols.len() == new.symbols.len()
                && frame.labelled.len() == new.labelled.len()
        };
        self.global_symbols.len() == stack.global_symbols.len()
            && stack.frames.iter().zip(&self.frames).all(same)
    }
}

/// Whether everything in force is plain text.
fn is_plain(stack: &Stack) -> bool {
    let is_text = |said: &Said| matches!(said, Said::Command(_));
    !stack.is_opaque()
        && stack.frames.iter().all(|frame| frame.asides.is_empty() && frame.commands.iter().all(is_text))
}

impl Session {
    /// Takes a new arena if the one there is has become large. Between a command and the next one, when
    /// levels were closed.
    pub(super) fn renew_if_large(&mut self) {
        if !matches!(self.last, Last::None) || !self.renewal.is_due(self.terms.len()) {
            return;
        }
        if !is_plain(&self.stack) || self.is_mixed || self.is_entangled {
            return;
        }
        self.find_last_core();
        match Renewed::read(&self.stack, &self.options.solver) {
            Some(renewed) => self.take(renewed),
            // Something is read in another way than before: not to be tried at each command.
            None => self.renewal.limit = Some(2 * self.terms.len()),
        }
    }

    fn take(&mut self, renewed: Renewed) {
        let Renewed { terms, context, global_symbols, frames } = renewed;
        self.renewal.begin();
        self.terms = terms;
        self.context = context;
        self.stack.global_symbols = global_symbols;
        for (frame, new) in self.stack.frames.iter_mut().zip(frames) {
            (frame.assertions, frame.symbols, frame.labelled) = (new.assertions, new.symbols, new.labelled);
        }
        self.engine.renew();
        self.engine.forget_sets();
        if let Some(side) = &mut self.side {
            side.renew();
        }
        self.trail.clear();
        self.assumptions.clear();
        self.repeated = repeated::Repeated::new();
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Next, SessionOptions};
    use super::*;
    use evergreen_solver::Limits;
    use evergreen_store::Memory;
    use evergreen_testing::random::Random;
    use std::sync::Arc;

    fn session(solver: SolverCommand, hastens: bool) -> Session {
        let mut session = Session::new(SessionOptions {
            solver,
            limits: Limits::default(),
            engine: evergreen_reuse::Options::default(),
            store: Some(Arc::new(Memory::new(1 << 24))),
            file: "script".into(),
        });
        session.renewal.test.hastens = hastens;
        session
    }

    fn z3() -> SolverCommand {
        SolverCommand::new(evergreen_testing::tools::find("z3"))
    }

    /// What a script prints, and how often the arena was renewed.
    fn run(solver: SolverCommand, script: &str, hastens: bool) -> (String, usize) {
        let mut session = session(solver, hastens);
        session.feed(script.as_bytes());
        session.end_of_input();
        let mut out = String::new();
        while session.step(&mut out).is_some_and(|next| next == Next::Continue) {}
        session.finish();
        (out, session.renewal.test.times)
    }

    #[test]
    fn what_is_in_force_means_the_same_in_a_new_arena() {
        let script = "
            (set-option :produce-models true)
            (set-logic ALL)
            (declare-sort Elem 0)
            (declare-datatypes ((Opt 0)) (((none) (some (it Int)))))
            (define-sort Pair () (Array Int Int))
            (define-fun twice ((x Int)) Int (* 2 x))
            (declare-const a Int)
            (declare-const o Opt)
            (assert (! (> (twice a) 10) :named big))
            (push 1)
            (declare-const b Int)
            (define-fun c () Int (+ a b))
            (assert (< c (it o)))
            (push 1)
            (assert (= o (some 3)))
            (check-sat)
            (pop 1)
            (check-sat)
            (assert (> b 0))
            (push 1)
            (assert (and big (= o (some 3))))
            (check-sat)
            (pop 1)
            (pop 1)
            (declare-const b Bool)
            (assert (and b big))
            (push 1) (pop 1)
            (check-sat)
            (get-value (b))
            (assert (not b))
            (check-sat)
            (reset)
            (set-option :global-declarations true)
            (push 1)
            (declare-const a Bool)
            (pop 1)
            (assert a)
            (push 1) (pop 1)
            (check-sat)";
        let (expected, none) = run(z3(), script, false);
        let (renewed, times) = run(z3(), script, true);
        assert_eq!((renewed, none), (expected.clone(), 0));
        assert_eq!(times, 7);
        assert_eq!(expected, "sat\nsat\nunsat\nsat\n((b true))\nunsat\nsat\n");
    }

    #[test]
    fn a_stack_that_the_text_does_not_tell_keeps_its_arena() {
        // A command of nobody's, and an objective.
        for odd in ["(remember this)", "(minimize a)"] {
            let script = format!("(declare-const a Int)(assert (> a 3)){odd}(push 1)(pop 1)");
            assert_eq!(run(z3(), &script, true).1, 0, "{odd}");
        }
        assert_eq!(run(z3(), "(declare-const a Int)(assert (> a 3))(push 1)(pop 1)", true).1, 1);
    }

    #[test]
    fn random_scripts_are_answered_as_in_one_arena() {
        let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
        let mut renewed = 0;
        for _ in 0..60 {
            let mut script = String::from("(set-logic QF_LIA)(declare-const g Int)");
            let mut scopes = vec![vec!["g".to_string()]];
            for step in 0..40 {
                let all: Vec<String> = scopes.concat();
                let mut term = || all[random.below(all.len())].clone();
                let (x, y) = (term(), term());
                match random.below(6) {
                    0 => {
                        script.push_str("(push 1)");
                        scopes.push(Vec::new());
                    }
                    1 if scopes.len() > 1 => {
                        script.push_str("(pop 1)");
                        scopes.pop();
                    }
                    2 => {
                        // Names come back with other meanings.
                        let name = format!("v{}", step % 7);
                        if !all.contains(&name) {
                            script.push_str(&match random.below(2) {
                                0 => format!("(declare-const {name} Int)"),
                                _ => format!("(define-fun {name} () Int (+ {x} {y} 1))"),
                            });
                            scopes.last_mut().expect("a scope").push(name);
                        }
                    }
                    3 => script.push_str(&format!("(assert (< {x} (+ {y} {})))", random.below(5))),
                    4 => script.push_str(&format!("(assert (= (* 2 {x}) (+ {y} {})))", random.below(9))),
                    _ => script.push_str("(check-sat)"),
                }
            }
            let (expected, _) = run(SolverCommand::none(), &script, false);
            let (found, times) = run(SolverCommand::none(), &script, true);
            assert_eq!(found, expected, "{script}");
            renewed += times;
        }
        assert!(renewed > 200, "{renewed}");
    }
}
