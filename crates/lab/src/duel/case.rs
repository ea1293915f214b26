//! One check by itself: as a script, under values, under a model, reduced to a core.

use super::atom::symbols;
use super::pipe::inside;
use super::script::Case;
use std::collections::HashMap;

/// Whether a script's assertion or definition may have this name.
fn is_label(name: &str) -> bool {
    let number = name.strip_prefix('n').or_else(|| name.strip_prefix('d'));
    number.is_some_and(|n| n.parse::<u32>().is_ok())
}

/// Definitions in an order in which none mentions a later one; the text that defines a name has it once.
fn in_order<'d>(mut left: Vec<(&'d str, &'d str)>) -> Vec<&'d str> {
    left.sort_unstable();
    let mut ordered = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let names: Vec<&str> = left.iter().map(|d| d.0).collect();
        let is_ready = |text: &str| symbols(text).filter(|word| names.contains(word)).count() == 1;
        let ready: Vec<bool> = left.iter().map(|d| is_ready(d.1)).collect();
        // Definitions in a circle would be refused, and that would be seen.
        let none = !ready.contains(&true);
        let mut flags = ready.into_iter();
        left.retain(|d| {
            let take = none || flags.next().unwrap_or(true);
            ordered.extend(take.then_some(d.1));
            !take
        });
    }
    ordered
}

impl Case {
    fn asserted(&self) -> String {
        let asserted = self.assertions.iter().map(|a| format!("(assert {})\n", a.1));
        asserted.chain(self.assuming.iter().map(|a| format!("(assert {a})\n"))).collect()
    }

    /// A script of its own.
    pub fn write(&self) -> String {
        self.write_with(&[])
    }

    pub(super) fn write_with(&self, more: &[String]) -> String {
        let declared: String = self.declarations.iter().map(|d| format!("{d}\n")).collect();
        format!("(push 1)\n{declared}{}{}(check-sat)\n(pop 1)\n", self.asserted(), more.concat())
    }

    /// The constraints with a model's definitions in place of the declarations.
    pub(super) fn write_under_model(&self, model: &str, more: &[String]) -> Option<String> {
        let mut defined: HashMap<&str, &str> = HashMap::new();
        let definitions = inside(model)?;
        for definition in definitions.into_iter().filter(|d| d.starts_with("(define-fun ")) {
            let name = *inside(definition)?.get(1)?;
            // z3 lists the names of assertions, and what it takes a division by zero to be.
            if !is_label(name) && !["div0", "mod0", "rem0", "/0"].contains(&name) {
                defined.insert(name, definition);
            }
        }
        let mut text = String::new();
        let mut left: Vec<(&str, &str)> = Vec::new();
        for declaration in &self.declarations {
            let words = inside(declaration)?;
            let is_declared = matches!(words[0], "declare-const" | "declare-fun");
            match is_declared.then(|| defined.remove(words[1])).flatten() {
                Some(definition) => left.push((words[1], definition)),
                None if words[0].starts_with("define-") => left.push((words[1], declaration)),
                None => text.push_str(&format!("{declaration}\n")),
            }
        }
        // What is left are the solver's own, which the others mention.
        left.extend(defined);
        for definition in in_order(left) {
            text.push_str(&format!("{definition}\n"));
        }
        Some(format!("(push 1)\n{text}{}{}(check-sat)\n(pop 1)\n", self.asserted(), more.concat()))
    }

    /// The constraints that a core has: those that it names, and all without a name. After assumptions: all
    /// assertions, and the assumptions that it names.
    pub(super) fn write_core(&self, core: &str) -> Option<String> {
        let names = inside(core)?;
        let mut kept = self.clone();
        if self.assuming.is_empty() {
            let all = self.assertions.iter().filter_map(|a| a.0.as_deref()).collect::<Vec<_>>();
            if !names.iter().all(|n| all.contains(n)) {
                return None;
            }
            kept.assertions.retain(|a| a.0.as_deref().is_none_or(|name| names.contains(&name)));
        } else {
            // Solvers print assumptions in words of their own (`(/ 7.0 2.0)` for 3.5), so they are taken as
            // they are.
            if names.len() > self.assuming.len() {
                return None;
            }
            kept.assuming = names.into_iter().map(String::from).collect();
        }
        Some(kept.write())
    }
}
