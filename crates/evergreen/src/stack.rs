//! The live assertion stack of a script: what a solver would have read, kept so that it can be sent later.

use crate::verbatim::Text;
use evergreen_canon::Aside;
use evergreen_smtlib::{Cells, Labelled};
use evergreen_term::{Name, SymbolId, TermId};
use std::cell::Cell;
use std::rc::Rc;

/// What a solver would have read: one command, or a run of assertions that is one here.
#[derive(Clone, Debug)]
pub(crate) enum Said {
    Command(String),
    /// Assertions of the cells of an array, together a table.
    Cells(Rc<Cells>),
}

impl Said {
    /// The text, as the client wrote it.
    pub(crate) fn text(&self) -> &str {
        match self {
            Said::Command(text) => text,
            Said::Cells(cells) => &cells.text,
        }
    }

    /// The text of each command.
    pub(crate) fn for_each(&self, mut take: impl FnMut(&str)) {
        match self {
            Said::Command(text) => take(text),
            Said::Cells(cells) => cells.commands().for_each(take),
        }
    }
}

/// An assertion.
#[derive(Clone, Debug)]
pub(crate) struct Assertion {
    pub(crate) term: TermId,
    /// The name given by `(! … :named n)`.
    pub(crate) label: Option<Name>,
    /// The place of its text among the frame's commands.
    pub(crate) command: usize,
}

/// What lies between two pushes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    /// Tells this frame from every other that was ever at its depth.
    pub(crate) id: u64,
    /// Commands to replay, in order.
    pub(crate) commands: Vec<Said>,
    pub(crate) assertions: Vec<Assertion>,
    pub(crate) asides: Vec<Aside>,
    pub(crate) symbols: Vec<SymbolId>,
    /// Terms of the assertions with labels of z3's.
    pub(crate) labelled: Vec<Labelled>,
    /// Whether an assertion gives a name to a term, `(! … :named n)`.
    pub(crate) names: bool,
    /// Whether a recursive function is defined in here.
    pub(crate) recursive: bool,
    /// Whether one is that is not evidently well-founded: an axiom of everything that is asked.
    pub(crate) axiomatic: bool,
    /// Something in here was not understood, or understood but refused by the solver: only the solver knows
    /// what the frame means. Set while the frame is sent to the solver, when everything else about it is only
    /// read.
    pub(crate) opaque: Cell<bool>,
}

impl Frame {
    /// Whether a command asserts something that the client gave no name.
    pub(crate) fn is_unnamed(&self, command: usize) -> bool {
        let found = self.assertions.binary_search_by_key(&command, |a| a.command);
        found.is_ok_and(|i| self.assertions[i].label.is_none())
    }
}

/// A command that no `pop` undoes.
#[derive(Clone, Debug)]
pub(crate) struct Unscoped {
    pub(crate) command: String,
    /// A declaration, as opposed to an option or a remark: a solver's complaint about it matters.
    pub(crate) declares: bool,
    /// An option that is not known to leave the meaning of the script alone.
    odd: bool,
}

/// The stack.
#[derive(Debug)]
pub(crate) struct Stack {
    pub(crate) frames: Vec<Frame>,
    /// Options, remarks, the logic, and declarations under `:global-declarations`.
    pub(crate) unscoped: Vec<Unscoped>,
    pub(crate) global_symbols: Vec<SymbolId>,
    pub(crate) global_declarations: bool,
    global_recursive: bool,
    global_axiomatic: bool,
    /// What `set-logic` has said.
    pub(crate) logics: Vec<String>,
    next_id: u64,
}

/// What a recursive definition is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Recursion {
    /// Evidently well-founded: one function fits it, and so it can be left out where nothing uses it.
    Founded,
    /// An axiom that could be false.
    Axiom,
}

impl Default for Stack {
    fn default() -> Stack {
        Stack::new()
    }
}

impl Stack {
    pub(crate) fn new() -> Stack {
        let mut stack = Stack {
            frames: Vec::new(),
            unscoped: Vec::new(),
            global_symbols: Vec::new(),
            global_declarations: false,
            global_recursive: false,
            global_axiomatic: false,
            logics: Vec::new(),
            next_id: 0,
        };
        stack.push(1);
        stack
    }

    pub(crate) fn top(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("there is always a bottom frame")
    }

    pub(crate) fn push(&mut self, levels: u32) {
        for _ in 0..levels {
            self.next_id += 1;
            self.frames.push(Frame { id: self.next_id, ..Frame::default() });
        }
    }

    /// Whether something was declared, locally or globally, or asserted, or a level opened. From then on
    /// `:global-declarations` cannot be changed.
    pub(crate) fn is_begun(&self) -> bool {
        self.frames.len() > 1
            || !self.frames[0].commands.is_empty()
            || self.unscoped.iter().any(|unscoped| unscoped.declares)
    }

    /// Whether a level is open, or something was declared that closing the last one would undo.
    pub(crate) fn is_scoped(&self) -> bool {
        let declares = |frame: &Frame| frame.names || frame.commands.len() > frame.assertions.len();
        self.frames.len() > 1 || self.frames.iter().any(declares)
    }

    /// Whether the last levels may have declared a sort or defined something: have more than assertions and
    /// declarations of symbols.
    pub(crate) fn defines_above(&self, levels: u32) -> bool {
        let is_plain = |said: &Said| match said {
            Said::Command(text) => {
                ["(assert", "(declare-fun", "(declare-const"].iter().any(|word| text.starts_with(word))
            }
            Said::Cells(_) => true,
        };
        let kept = self.frames.len().saturating_sub(levels as usize);
        !self.frames[kept..].iter().flat_map(|frame| &frame.commands).all(is_plain)
    }

    /// False when there are not that many levels.
    pub(crate) fn pop(&mut self, levels: u32) -> bool {
        let levels = levels as usize;
        if levels >= self.frames.len() {
            return false;
        }
        self.frames.truncate(self.frames.len() - levels);
        true
    }

    /// Forgets assertions, and declarations unless they are global: those are in no frame.
    pub(crate) fn reset_assertions(&mut self) {
        self.frames.clear();
        self.push(1);
    }

    pub(crate) fn option(&mut self, command: String) {
        self.unscoped.push(Unscoped { command, declares: false, odd: false });
    }

    pub(crate) fn odd_option(&mut self, command: String) {
        self.unscoped.push(Unscoped { command, declares: false, odd: true });
    }

    /// Whether an option asks z3 for models in the layout of its version 2, which is no SMT-LIB.
    pub(crate) fn has_old_models(&self) -> bool {
        let is_said = |command: &str| {
            let command = command.to_ascii_lowercase();
            command.contains(":model.v2") && command.contains("true")
        };
        self.unscoped.iter().any(|unscoped| !unscoped.declares && is_said(&unscoped.command))
    }

    /// Whether there is a heap, which cvc5 prints with its models.
    pub(crate) fn has_heap(&self) -> bool {
        let is_heap = |command: &str| command.starts_with("(declare-heap");
        let said = self.frames.iter().flat_map(|frame| &frame.commands);
        self.unscoped.iter().any(|unscoped| is_heap(&unscoped.command))
            || said.into_iter().any(|said| matches!(said, Said::Command(text) if is_heap(text)))
    }

    pub(crate) fn odd_options(&self) -> impl Iterator<Item = &str> {
        self.unscoped.iter().filter(|u| u.odd).map(|u| &*u.command)
    }

    pub(crate) fn declare(&mut self, command: String, symbols: &[SymbolId]) {
        if self.global_declarations {
            self.unscoped.push(Unscoped { command, declares: true, odd: false });
            self.global_symbols.extend(symbols);
        } else {
            self.top().commands.push(Said::Command(command));
            self.top().symbols.extend(symbols);
        }
    }

    /// Adds an assertion; `names` are those of terms in it, its own `label` included.
    pub(crate) fn assert(
        &mut self,
        command: String,
        term: TermId,
        label: Option<Name>,
        names: &[(Name, TermId)],
    ) {
        let top = self.top();
        top.names |= !names.is_empty();
        top.assertions.push(Assertion { term, label, command: top.commands.len() });
        top.commands.push(Said::Command(command));
    }

    /// Adds a run of cells as one assertion, of the table that they make.
    pub(crate) fn assert_table(&mut self, cells: Rc<Cells>, table: TermId) {
        let top = self.top();
        top.assertions.push(Assertion { term: table, label: None, command: top.commands.len() });
        top.commands.push(Said::Cells(cells));
    }

    /// Notes that the last declaration defines a recursive function.
    pub(crate) fn note_recursive(&mut self, recursion: Recursion) {
        let axiomatic = recursion == Recursion::Axiom;
        if self.global_declarations {
            self.global_recursive = true;
            self.global_axiomatic |= axiomatic;
        } else {
            self.top().recursive = true;
            self.top().axiomatic |= axiomatic;
        }
    }

    /// Whether definitions are in force that are axioms of every query, mentioned there or not.
    pub(crate) fn is_axiomatic(&self) -> bool {
        self.global_axiomatic || self.frames.iter().any(|f| f.axiomatic)
    }

    /// The length of everything that is in force.
    pub(crate) fn text_length(&self) -> usize {
        let scoped = self.frames.iter().flat_map(|f| &f.commands).map(|said| said.text().len());
        scoped.chain(self.unscoped.iter().map(|u| u.command.len())).sum()
    }

    /// Adds everything that is in force, options excepted, to a text.
    pub(crate) fn write(&self, text: &mut Text) {
        self.logics.iter().for_each(|logic| text.add(logic.as_bytes()));
        text.end();
        self.unscoped.iter().filter(|u| u.declares).for_each(|u| text.add(u.command.as_bytes()));
        text.end();
        for frame in &self.frames {
            frame.commands.iter().for_each(|said| said.for_each(|command| text.add(command.as_bytes())));
            text.end();
        }
    }

    /// Whether recursive functions are defined.
    ///
    /// A definition is an axiom that no name stands for, and a solver unfolds it for every term of the
    /// script. So what it gives as a core may be unsatisfiable only with a definition that no member of the
    /// core mentions.
    pub(crate) fn is_recursive(&self) -> bool {
        self.global_recursive || self.frames.iter().any(|f| f.recursive)
    }

    pub(crate) fn assertions(&self) -> impl Iterator<Item = &Assertion> {
        self.frames.iter().flat_map(|f| &f.assertions)
    }

    /// The declared symbols, oldest first.
    pub(crate) fn symbols(&self) -> impl Iterator<Item = SymbolId> + '_ {
        self.global_symbols.iter().chain(self.frames.iter().flat_map(|f| &f.symbols)).copied()
    }

    /// Objectives and soft constraints. Their places and the optimization options are part of their roles.
    pub(crate) fn asides(&self) -> Vec<Aside> {
        let mut all: Vec<Aside> = self.frames.iter().flat_map(|f| f.asides.iter().cloned()).collect();
        if all.is_empty() {
            return all;
        }
        let options: String =
            self.unscoped.iter().filter(|u| u.command.contains(":opt.")).map(|u| &*u.command).collect();
        for (i, aside) in all.iter_mut().enumerate() {
            aside.role.extend(format!(" {i} {options}").into_bytes());
        }
        all
    }

    pub(crate) fn is_opaque(&self) -> bool {
        self.frames.iter().any(|f| f.opaque.get())
    }
}
