//! The constraints of the last problem, kept on a solver's assertion stack: the next problem pops to what
//! they have in common and pushes the rest.
//!
//! Problems that reach a solver behind a reuse layer are misses along the paths of a program: the next one
//! often shares its first constraints with the last. A stack-based solver is fast because it keeps its lemmas
//! about a prefix [Liu HVC'14]; here the stack is aligned only when there is a problem to solve, so that
//! answers reused in between cost the solver nothing.
//!
//! Constraints that come alone have frames of their own, as on a path. Many that come at once share frames,
//! each with half of the rest, because a thousand frames cost a solver more than they can save. So a later
//! problem that agrees with some of them keeps at least half of the possible frames. A declaration stands in
//! the first frame that was pushed while it was missing, and is popped with that frame. A name that is
//! declared otherwise than before empties the stack, and so do declarations that are more than constants and
//! functions, unless they are the same text.

use std::collections::HashMap;

use crate::answer;

/// The assertion stack of a solver.
#[derive(Debug, Default)]
pub(crate) struct KeptStack {
    frames: Vec<Frame>,
    /// Declarations in the frames, by name.
    live: HashMap<String, String>,
}

#[derive(Debug)]
struct Frame {
    constraints: Vec<String>,
    /// The names declared in it.
    names: Vec<String>,
}

/// Of the constraints pushed at once, so many at the end have frames of their own.
const ALONE: usize = 4;

/// A declaration and the name that it declares; everything that is not a plain declaration has one name.
fn declarations(text: &str) -> Vec<(String, String)> {
    const OPAQUE: &str = "(";
    let commands = answer::expressions(text).unwrap_or_default();
    let plain = |command: &&str| {
        let parts = answer::items(command)?;
        match parts[..] {
            ["declare-fun" | "declare-const", name, ..] => Some((name.to_string(), command.to_string())),
            _ => None,
        }
    };
    match commands.iter().map(plain).collect::<Option<Vec<_>>>() {
        Some(plain) => plain,
        None => vec![(OPAQUE.to_string(), text.to_string())],
    }
}

impl KeptStack {
    /// The commands that bring the stack in line with a problem: its constraints, one term each, and its
    /// declarations. `assertion` writes the assertion of a constraint, by its place.
    pub(crate) fn sync(
        &mut self,
        text: &str,
        constraints: &[&str],
        assertion: impl Fn(&mut String, usize, &str),
    ) -> String {
        let needed = declarations(text);
        let (mut kept, mut common) = (0, 0);
        for frame in &self.frames {
            let end = common + frame.constraints.len();
            // The last constraint is pushed anew: the requested values may be declared in none of the frames.
            if end >= constraints.len() || constraints[common..end] != frame.constraints[..] {
                break;
            }
            (kept, common) = (kept + 1, end);
        }
        let mut commands = String::new();
        self.pop_to(kept, &mut commands);
        let opaque = |name: &String| name == "(";
        let clash = needed.iter().any(|(name, line)| self.live.get(name).is_some_and(|live| live != line));
        let mixed = needed.iter().any(|(name, _)| opaque(name)) != self.live.keys().any(opaque);
        if clash || mixed && !self.live.is_empty() {
            common = 0;
            self.pop_to(0, &mut commands);
        }
        let mut missing: Vec<(String, String)> =
            needed.into_iter().filter(|(name, _)| !self.live.contains_key(name)).collect();
        while common < constraints.len() {
            let left = constraints.len() - common;
            let count = if left > ALONE { left / 2 } else { 1 };
            commands.push_str("(push 1)\n");
            let mut names = Vec::new();
            for (name, line) in missing.drain(..) {
                commands.push_str(&line);
                commands.push('\n');
                self.live.insert(name.clone(), line);
                names.push(name);
            }
            let here = &constraints[common..common + count];
            here.iter().enumerate().for_each(|(i, term)| assertion(&mut commands, common + i, term));
            self.frames.push(Frame { constraints: here.iter().map(|c| c.to_string()).collect(), names });
            common += count;
        }
        commands
    }

    fn pop_to(&mut self, length: usize, commands: &mut String) {
        let count = self.frames.len().saturating_sub(length);
        if count > 0 {
            commands.push_str(&format!("(pop {count})\n"));
        }
        for frame in self.frames.drain(length..) {
            for name in frame.names {
                self.live.remove(&name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sync(stack: &mut KeptStack, declarations: &str, constraints: &[&str]) -> String {
        let write =
            |text: &mut String, _: usize, constraint: &str| text.push_str(&format!("+{constraint}\n"));
        stack.sync(declarations, constraints, write).replace('\n', " ").trim_end().to_string()
    }

    #[test]
    fn only_what_differs_is_popped_and_pushed() {
        let mut stack = KeptStack::default();
        let (x, y) = ("(declare-const x Int)", "(declare-const x Int)\n(declare-fun y () Int)\n");
        assert_eq!(sync(&mut stack, x, &["a", "b"]), "(push 1) (declare-const x Int) +a (push 1) +b");
        assert_eq!(sync(&mut stack, y, &["a", "c"]), "(pop 1) (push 1) (declare-fun y () Int) +c");
        assert_eq!(sync(&mut stack, y, &["a", "c", "d"]), "(push 1) +d");
        // A problem that is the start of the last one has its last frame again, which may
        // have to declare something.
        assert_eq!(
            sync(&mut stack, y, &["a"]),
            "(pop 3) (push 1) (declare-const x Int) (declare-fun y () Int) +a"
        );
        assert_eq!(sync(&mut stack, "", &[]), "(pop 1)");
    }

    #[test]
    fn many_at_once_share_frames() {
        let mut stack = KeptStack::default();
        let mut constraints: Vec<String> = (0..20).map(|i| i.to_string()).collect();
        let said = |stack: &mut KeptStack, constraints: &[String]| {
            let constraints: Vec<&str> = constraints.iter().map(String::as_str).collect();
            sync(stack, "", &constraints).replace("(push 1)", "|").replace('+', "")
        };
        let expected = "| 0 1 2 3 4 5 6 7 8 9 | 10 11 12 13 14 | 15 16 | 17 | 18 | 19".to_string();
        assert_eq!(said(&mut stack, &constraints), expected);
        constraints[19] = "x".into();
        assert_eq!(said(&mut stack, &constraints), "(pop 1) | x");
        constraints[12] = "y".into();
        assert_eq!(said(&mut stack, &constraints), "(pop 5) | 10 11 y 13 14 | 15 16 | 17 | 18 | x");
    }

    #[test]
    fn names_with_another_meaning_empty_the_stack() {
        let mut stack = KeptStack::default();
        sync(&mut stack, "(declare-const x Int)", &["a", "b"]);
        let said = sync(&mut stack, "(declare-const x Bool)", &["a", "b", "c"]);
        assert_eq!(said, "(pop 2) (push 1) (declare-const x Bool) +a (push 1) +b (push 1) +c");
        let sort = "(declare-sort S 0) (declare-const x S)";
        assert!(
            sync(&mut stack, sort, &["a", "d"]).starts_with("(pop 2) (pop 1) (push 1) (declare-sort S 0)")
        );
        assert_eq!(sync(&mut stack, sort, &["a", "e"]), "(pop 1) (push 1) +e");
        let said = sync(&mut stack, "(declare-const x Int)", &["a", "e", "f"]);
        assert!(said.starts_with("(pop 2) (push 1) (declare-const x Int) +a"), "{said}");
    }
}
