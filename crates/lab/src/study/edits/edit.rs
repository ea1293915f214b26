//! Edits of a program as changes of its text.

/// What an edit does, as far as that says what may be solved again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Something new that the old does not use.
    Addition,
    /// Other names.
    Renaming,
    /// Another order.
    Reordering,
    /// Something less that the rest did not use.
    Removal,
    /// Another meaning.
    Change,
}

impl Kind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Addition => "addition",
            Kind::Renaming => "renaming",
            Kind::Reordering => "reordering",
            Kind::Removal => "removal",
            Kind::Change => "change",
        }
    }

    /// Whether nothing old may be solved again.
    pub(super) fn is_pure(self) -> bool {
        self != Kind::Change
    }
}

/// One change of a text.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// A text before another one.
    Before(&'static str, &'static str),
    /// A text at the end.
    End(&'static str),
    /// A text in place of another one, wherever that is.
    Replace(&'static str, &'static str),
    /// The declaration that begins so, moved before the one that begins so.
    Move(&'static str, &'static str),
    /// The declaration that begins so is gone.
    Remove(&'static str),
    /// All declarations in the reverse order.
    Reverse,
}

/// An edit of a program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edit {
    pub name: &'static str,
    pub kind: Kind,
    pub steps: &'static [Step],
    /// Old methods that the edit affects: those whose names contain one of these; `*` for all.
    pub affects: &'static [&'static str],
    /// New parts of names, and what they were before.
    pub renamed: &'static [(&'static str, &'static str)],
    /// What the client is given besides.
    pub options: &'static [&'static str],
}

impl Edit {
    pub(super) const fn new(name: &'static str, kind: Kind, steps: &'static [Step]) -> Edit {
        Edit { name, kind, steps, affects: &[], renamed: &[], options: &[] }
    }

    pub(super) const fn affects(self, affects: &'static [&'static str]) -> Edit {
        Edit { affects, ..self }
    }

    pub(super) const fn renamed(self, renamed: &'static [(&'static str, &'static str)]) -> Edit {
        Edit { renamed, ..self }
    }

    pub(super) const fn options(self, options: &'static [&'static str]) -> Edit {
        Edit { options, ..self }
    }

    /// The name that a method had before.
    pub(super) fn old_name(&self, name: &str) -> String {
        self.renamed.iter().fold(name.to_string(), |name, (new, old)| name.replace(new, old))
    }

    /// Whether the edit affects a method, by its old name.
    pub(super) fn is_affected(&self, old: &str) -> bool {
        self.affects.iter().any(|part| *part == "*" || old.contains(part))
    }

    /// The edited text.
    ///
    /// # Errors
    /// If the program has not what the edit changes.
    pub(super) fn apply(&self, text: &str) -> Result<String, String> {
        let missing = |what: &str| format!("the edit \"{}\" finds no \"{what}\" in the program", self.name);
        let mut text = text.to_string();
        for step in self.steps {
            text = match *step {
                Step::Before(place, new) => {
                    let at = text.find(place).ok_or_else(|| missing(place))?;
                    format!("{}{new}{}", &text[..at], &text[at..])
                }
                Step::End(new) => format!("{text}\n{new}"),
                Step::Replace(old, new) if text.contains(old) => text.replace(old, new),
                Step::Replace(old, _) => return Err(missing(old)),
                Step::Move(what, place) => {
                    let (block, rest) = cut(&text, what).ok_or_else(|| missing(what))?;
                    let at = rest.find(place).ok_or_else(|| missing(place))?;
                    format!("{}{}\n\n{}", &rest[..at], block.trim_end(), &rest[at..])
                }
                Step::Remove(what) => cut(&text, what).ok_or_else(|| missing(what))?.1,
                Step::Reverse => {
                    let mut blocks = blocks(&text);
                    blocks.reverse();
                    blocks.join("\n\n") + "\n"
                }
            };
        }
        Ok(text)
    }
}

/// The declaration that begins so, up to the next empty line outside of braces, and the text without it.
fn cut(text: &str, what: &str) -> Option<(String, String)> {
    let start = text.find(what)?;
    let (mut depth, mut end) = (0i32, start);
    for line in text[start..].split_inclusive('\n') {
        let opened = line.matches('{').count() as i32 - line.matches('}').count() as i32;
        // The end of what it stands in.
        if depth + opened < 0 {
            break;
        }
        depth += opened;
        end += line.len();
        if depth == 0 && line.trim().is_empty() {
            break;
        }
    }
    Some((text[start..end].to_string(), format!("{}{}", &text[..start], &text[end..])))
}

/// The declarations of a file, which empty lines outside of braces separate.
fn blocks(text: &str) -> Vec<String> {
    let (mut blocks, mut block, mut depth) = (Vec::new(), String::new(), 0i32);
    for line in text.lines().chain([""]) {
        depth += line.matches('{').count() as i32 - line.matches('}').count() as i32;
        if depth == 0 && line.trim().is_empty() {
            if !block.is_empty() {
                blocks.push(std::mem::take(&mut block));
            }
            continue;
        }
        if !block.is_empty() {
            block.push('\n');
        }
        block.push_str(line);
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a {\n  x\n\n  y\n}\n\nb\n\nc { z }\n";

    fn apply(steps: &'static [Step]) -> Result<String, String> {
        Edit::new("test", Kind::Change, steps).apply(TEXT)
    }

    #[test]
    fn declarations_are_moved_removed_and_turned_around_as_wholes() {
        assert_eq!(apply(&[Step::Reverse]).as_deref(), Ok("c { z }\n\nb\n\na {\n  x\n\n  y\n}\n"));
        assert_eq!(apply(&[Step::Remove("a {")]).as_deref(), Ok("b\n\nc { z }\n"));
        assert_eq!(apply(&[Step::Move("c {", "b")]).as_deref(), Ok("a {\n  x\n\n  y\n}\n\nc { z }\n\nb\n\n"));
    }

    #[test]
    fn an_edit_that_finds_nothing_to_change_is_an_error() {
        assert!(apply(&[Step::Replace("nowhere", "here")]).is_err());
        assert!(apply(&[Step::Remove("nowhere")]).is_err());
        assert!(apply(&[Step::Before("nowhere", "new")]).is_err());
    }
}
