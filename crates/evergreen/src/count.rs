//! How many solutions: of constraints, and of a whole script.

use crate::stack::{Recursion, Stack};
use crate::{Error, Evergreen};
use evergreen_count::{Budget, Domain};
use evergreen_reuse::{Counted, Engine, Uncountable};
use evergreen_smtlib::{Command, Context, Diagnostic, Located, Position, print_sort, print_term};
use evergreen_term::{SortId, SymbolId, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// The longest part of a term that a message shows, in characters.
const SHOWN: usize = 60;

impl Evergreen {
    /// How many values of the variables satisfy these constraints, whatever the path?
    ///
    /// Counted are the variables that have a domain or occur in a constraint; one without a domain is any
    /// integer. The number is exact, whatever its size, and comes from the store as far as it is known there.
    /// Constraints are linear integer arithmetic with any Boolean structure; others are an error.
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
        self.require_constraints(constraints)?;
        if !domains.iter().all(|(variable, _)| self.terms.owns(*variable)) {
            return Err(Error::ForeignTerm);
        }
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
    /// With the places of their commands.
    asserted: Vec<(TermId, usize)>,
    variables: Vec<Variable>,
}

#[derive(Clone)]
struct Variable {
    name: String,
    term: TermId,
    domain: Domain,
}

impl CountScript {
    /// Reads a script. An error names its place in `file`.
    pub fn read(text: &[u8], file: &str) -> Result<CountScript, String> {
        let mut terms = Terms::new();
        let mut context = Context::new(&mut terms);
        let complain = |complaint: Diagnostic| complaint.render(file, text, Position::START);
        let mut script = context.read_script(&mut terms, text).map_err(complain)?;
        let exit = script.iter().position(|located| located.command == Command::Exit);
        script.truncate(exit.unwrap_or(script.len()));
        for located in &mut script {
            if let Some(complaint) = located.complaint.take() {
                return Err(complain(complaint));
            }
            if located.command == Command::Opaque {
                let message = "not a command that is understood here";
                return Err(complain(Diagnostic::new(located.span.start, message)));
            }
        }
        let last = script.iter().rposition(|located| is_check(&located.command));
        script.truncate(last.map_or(script.len(), |last| last + 1));
        let mut reached = Reached::default();
        for located in script {
            reached.follow(text, located).map_err(complain)?;
        }
        reached.check().map_err(complain)?;
        let mut script = CountScript {
            terms,
            file: file.to_string(),
            text: text.to_vec(),
            asserted: reached.asserted(),
            variables: Vec::new(),
        };
        for symbol in reached.stack.symbols() {
            let declared = script.declare(symbol);
            declared.map_err(|message| {
                let help = "variables that are counted are declared constants of sort Int or Bool";
                let place = reached.declared.get(&symbol).copied().unwrap_or_default();
                complain(Diagnostic::new(place, message).with_help(help))
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

    /// Keeps a variable within a domain, or all variables of sort Int if the name is `*`. What it had before
    /// stays in force.
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
            let place = self.asserted.iter().find(|(term, _)| holds(term)).map_or(0, |(_, place)| *place);
            let help =
                "what is counted is linear: sums, products with numbers, div and mod by numbers, comparisons";
            let complaint = Diagnostic::new(place, describe(&self.terms, &refused)).with_help(help);
            complaint.render(&self.file, &self.text, Position::START)
        })
    }
}

/// Whether a command asks about the assertions.
fn is_check(command: &Command) -> bool {
    matches!(command, Command::CheckSat | Command::CheckSatUsing | Command::CheckSatAssuming(_))
}

/// What is in force at a place of a script: the stack that sessions have too, and places for messages.
#[derive(Default)]
struct Reached {
    stack: Stack,
    /// Of the check that was reached.
    assumed: Vec<(TermId, usize)>,
    asserted: FxHashMap<TermId, usize>,
    declared: FxHashMap<SymbolId, usize>,
    /// The last recursive definition.
    recursive: usize,
}

impl Reached {
    fn follow(&mut self, script: &[u8], located: Located) -> Result<(), Diagnostic> {
        let place = located.span.start;
        let text = String::from_utf8_lossy(&script[located.span]).into_owned();
        self.assumed.clear();
        match located.command {
            Command::SetOption { keyword, value } if keyword == ":global-declarations" => {
                let global = value == "true";
                if self.stack.is_begun() && self.stack.global_declarations != global {
                    let message = "whether declarations are global cannot be changed any more";
                    let help = "set the option before the first declaration, assertion or push";
                    return Err(Diagnostic::new(place, message).with_help(help));
                }
                self.stack.global_declarations = global;
            }
            Command::DeclareFun(symbol) => {
                self.stack.declare(text, &[symbol]);
                self.declared.insert(symbol, place);
            }
            Command::DeclareSort { .. }
            | Command::DefineSort(_)
            | Command::DefineFun { .. }
            | Command::DeclareDatatypes(_)
            | Command::DeclareHeap => self.stack.declare(text, &[]),
            Command::DefineFunsRec(_) => {
                self.stack.declare(text, &[]);
                self.stack.note_recursive(Recursion::Axiom);
                self.recursive = place;
            }
            Command::Assert { term, label, names, .. } => {
                self.stack.assert(text, term, label, &names);
                self.asserted.insert(term, place);
            }
            Command::CheckSatAssuming(assumed) => {
                self.assumed.extend(assumed.into_iter().map(|assumption| (assumption.term, place)));
            }
            Command::Push(levels) => self.stack.push(levels),
            // More levels than are open were complained about.
            Command::Pop(levels) => drop(self.stack.pop(levels)),
            Command::ResetAssertions => self.stack.reset_assertions(),
            Command::Reset => self.stack = Stack::default(),
            _ => {}
        }
        Ok(())
    }

    /// A recursive definition is an axiom about all integers, which may have no model or several: it cannot
    /// be left out, even where no assertion mentions it.
    fn check(&self) -> Result<(), Diagnostic> {
        if !self.stack.is_recursive() {
            return Ok(());
        }
        let help = "a definition that does not call itself (define-fun) can be used";
        Err(Diagnostic::new(self.recursive, "cannot count under a recursive definition").with_help(help))
    }

    fn asserted(&self) -> Vec<(TermId, usize)> {
        let place = |term: TermId| (term, self.asserted.get(&term).copied().unwrap_or_default());
        let asserted = self.stack.assertions().map(|assertion| place(assertion.term));
        asserted.chain(self.assumed.iter().copied()).collect()
    }
}

/// Whether a term is another or has it somewhere inside.
fn contains(terms: &Terms, whole: TermId, part: TermId) -> bool {
    let mut seen = FxHashSet::default();
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
