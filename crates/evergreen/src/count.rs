//! How many solutions: of constraints, and of a whole script.

use crate::{Error, Evergreen};
use evergreen_count::{Budget, Domain};
use evergreen_reuse::{Counted, Engine, Uncountable};
use evergreen_smtlib::{Command, Context, Diagnostic, Position, print_sort, print_term};
use evergreen_term::{SortId, SymbolId, TermId, Terms};
use std::ops::Range;

/// The longest part of a term that a message shows, in characters.
const SHOWN: usize = 60;

impl Evergreen {
    /// How many values of the variables satisfy these constraints, whatever the path?
    ///
    /// Counted are the variables that have a domain or occur in a constraint; one without a domain is any integer. The
    /// number is exact, whatever its size, and comes from the store as far as it is known there. Constraints are linear
    /// integer arithmetic with any Boolean structure; others are an error.
    ///
    /// ```
    /// use evergreen::{Budget, Count, Domain, Evergreen, Fun, SortId};
    ///
    /// # fn main() -> Result<(), evergreen::Error> {
    /// # let Some(_) = evergreen::solver::find_program("z3") else {
    /// #     panic!("this example needs z3: run scripts/setup.sh and put .tools/bin on PATH");
    /// # };
    /// let mut evergreen = Evergreen::builder().store("memory:").build()?;
    /// let (x, y) = (evergreen.constant("x", SortId::INT), evergreen.constant("y", SortId::INT));
    /// let less = evergreen.app(Fun::Lt, &[x, y])?;
    /// let word = Domain::signed(32);
    /// let counted = evergreen.count(&[less], &[(x, word.clone()), (y, word)], Budget::default())?;
    /// // n (n - 1) / 2 for n = 2^32.
    /// assert_eq!(counted.count, Count::Exact(9_223_372_034_707_292_160u64.into()));
    ///
    /// // Other names, moved, turned around: the same component, found in the store.
    /// let (a, b) = (evergreen.constant("a", SortId::INT), evergreen.constant("b", SortId::INT));
    /// let more = evergreen.app(Fun::Gt, &[a, b])?;
    /// let moved = Domain::new(0, (1 << 32) - 1);
    /// evergreen.count(&[more], &[(a, moved.clone()), (b, moved)], Budget::default())?;
    /// assert_eq!(evergreen.stats().counts.reused, 1);
    /// # Ok(())
    /// # }
    /// ```
    pub fn count(
        &mut self,
        constraints: &[TermId],
        domains: &[(TermId, Domain)],
        budget: Budget,
    ) -> Result<Counted, Error> {
        let counted = self.engine.count(&self.terms, constraints, domains, budget);
        counted.map_err(|refused| Error::Uncountable(describe(&self.terms, &refused)))
    }

    /// As [`Evergreen::count`], of the path with these constraints.
    pub fn count_branch(
        &mut self,
        new: &[TermId],
        domains: &[(TermId, Domain)],
        budget: Budget,
    ) -> Result<Counted, Error> {
        let all: Vec<TermId> = self.path.iter().chain(new).copied().collect();
        self.count(&all, domains, budget)
    }
}

/// What cannot be counted, and why.
fn describe(terms: &Terms, refused: &Uncountable) -> String {
    let text = print_term(terms, refused.term);
    let cut: String = text.chars().take(SHOWN).collect();
    let dots = if cut.len() < text.len() { "…" } else { "" };
    format!("cannot count \"{cut}{dots}\": {}", refused.why)
}

/// The assertions of a script, for counting.
///
/// They are those of its last `(check-sat)`, or those at its end if there is none.
pub struct CountScript {
    terms: Terms,
    file: String,
    text: Vec<u8>,
    asserted: Vec<(TermId, Range<usize>)>,
    variables: Vec<Variable>,
}

#[derive(Clone)]
struct Variable {
    name: String,
    term: TermId,
    domain: Domain,
}

/// What is in force at a place of a script.
#[derive(Clone, Default)]
struct Scope {
    asserted: Vec<(TermId, Range<usize>)>,
    declared: Vec<(SymbolId, Range<usize>)>,
}

impl CountScript {
    /// Reads a script. What is wrong with it is told with its place in `file`.
    pub fn read(text: &[u8], file: &str) -> Result<CountScript, String> {
        let mut terms = Terms::new();
        let mut context = Context::new(&mut terms);
        let complain = |complaint: Diagnostic| complaint.render(file, text, Position::START);
        let script = context.read_script(&mut terms, text).map_err(complain)?;
        let mut scopes = vec![Scope::default()];
        let mut checked: Option<Scope> = None;
        for located in script {
            let place = located.span.clone();
            if let Some(complaint) = located.complaint {
                return Err(complain(complaint));
            }
            let Some(top) = scopes.last_mut() else { break };
            match located.command {
                Command::Assert { term, .. } => top.asserted.push((term, place)),
                Command::DeclareFun(symbol) => top.declared.push((symbol, place)),
                Command::Push(levels) => {
                    let copies = (0..levels).map(|_| top.clone()).collect::<Vec<_>>();
                    scopes.extend(copies);
                }
                Command::Pop(levels) => {
                    let kept = scopes.len().saturating_sub(levels as usize).max(1);
                    scopes.truncate(kept);
                }
                Command::Reset | Command::ResetAssertions => scopes = vec![Scope::default()],
                Command::CheckSat | Command::CheckSatUsing => checked = Some(top.clone()),
                Command::CheckSatAssuming(assumed) => {
                    let mut scope = top.clone();
                    scope.asserted.extend(assumed.iter().map(|a| (a.term, place.clone())));
                    checked = Some(scope);
                }
                Command::Exit => break,
                Command::Opaque => {
                    return Err(complain(Diagnostic::new(
                        place.start,
                        "not a command that is understood here",
                    )));
                }
                _ => {}
            }
        }
        let scope = checked.or_else(|| scopes.pop()).unwrap_or_default();
        let mut script = CountScript {
            terms,
            file: file.to_string(),
            text: text.to_vec(),
            asserted: scope.asserted,
            variables: Vec::new(),
        };
        for (symbol, place) in scope.declared {
            let declared = script.declare(symbol);
            declared.map_err(|message| {
                let help = "variables that are counted are declared constants of sort Int or Bool";
                complain(Diagnostic::new(place.start, message).with_help(help))
            })?;
        }
        Ok(script)
    }

    fn declare(&mut self, symbol: SymbolId) -> Result<(), String> {
        let name = self.terms.symbol_text(symbol).to_string();
        let declared = self.terms.symbol_of(symbol);
        let sort = declared.result;
        if !declared.params.is_empty() {
            return Err(format!("\"{name}\" is a function"));
        }
        if sort != SortId::INT && sort != SortId::BOOL {
            return Err(format!("\"{name}\" is of sort {}", print_sort(&self.terms, sort)));
        }
        let term = self.terms.apply(symbol, &[]).map_err(|e| e.to_string())?;
        self.variables.push(Variable { name, term, domain: Domain::ALL });
        Ok(())
    }

    /// The names of the variables, in the order of their declarations.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.variables.iter().map(|v| &*v.name)
    }

    /// Keeps a variable within a domain, or all variables of sort Int if the name is `*`. What it had before stays in force.
    pub fn restrict(&mut self, name: &str, domain: &Domain) -> Result<(), String> {
        let all = name == "*";
        let terms = &self.terms;
        let mut any = all;
        for variable in &mut self.variables {
            if variable.name == name || all && terms.sort_of(variable.term) == SortId::INT {
                variable.domain = variable.domain.meet(domain);
                any = true;
            }
        }
        if any {
            return Ok(());
        }
        let known: Vec<&str> = self.variables().take(8).collect();
        let known = if known.is_empty() { "none".to_string() } else { known.join(", ") };
        Err(format!("{}: no variable \"{name}\"\nhelp: its variables: {known}", self.file))
    }

    /// Counts the solutions.
    pub fn count(&self, engine: &mut Engine, budget: Budget) -> Result<Counted, String> {
        let domains: Vec<(TermId, Domain)> =
            self.variables.iter().map(|v| (v.term, v.domain.clone())).collect();
        let constraints: Vec<TermId> = self.asserted.iter().map(|(term, _)| *term).collect();
        engine.count(&self.terms, &constraints, &domains, budget).map_err(|refused| {
            let holds = |term: &TermId| contains(&self.terms, *term, refused.term);
            let place =
                self.asserted.iter().find(|(term, _)| holds(term)).map_or(0, |(_, place)| place.start);
            let help =
                "what is counted is linear: sums, products with numbers, div and mod by numbers, comparisons";
            let complaint = Diagnostic::new(place, describe(&self.terms, &refused)).with_help(help);
            complaint.render(&self.file, &self.text, Position::START)
        })
    }
}

/// Whether a term is another or has it somewhere inside.
fn contains(terms: &Terms, whole: TermId, part: TermId) -> bool {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut open = vec![whole];
    while let Some(term) = open.pop() {
        if term == part {
            return true;
        }
        // Arguments have smaller ids than what they are arguments of.
        if term > part && seen.insert(term) {
            open.extend(terms.args(term));
        }
    }
    false
}
