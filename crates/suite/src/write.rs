//! The text of a suite.

use crate::line::name;
use crate::{Format, MethodTests, Suite, Test, path};
use std::fmt::Write;

/// The first line.
pub(crate) const FIRST: &str = "evergreen suite 1";

/// The line of a test whose path was sampled.
pub(crate) const SAMPLED: &str = "sampled";

impl<L: Format> Suite<L> {
    /// The text. Tests that were read and not changed since have the lines that they had.
    pub fn write(&self) -> String {
        let mut out = format!("{FIRST}\n");
        comments(&mut out, &self.comments);
        let _ = writeln!(out, "{} {}", L::UNIT, name(&self.class, L::WORDS));
        for method in &self.methods {
            method.write(&mut out);
        }
        if !self.last_comments.is_empty() {
            out.push('\n');
            comments(&mut out, &self.last_comments);
        }
        out
    }
}

fn comments(out: &mut String, lines: &[String]) {
    lines.iter().for_each(|line| {
        let _ = writeln!(out, "{line}");
    });
}

impl<L: Format> MethodTests<L> {
    fn write(&self, out: &mut String) {
        out.push('\n');
        comments(out, &self.comments);
        let _ = writeln!(out, "{} {}", L::FUNCTION, L::heading(&self.target));
        for test in &self.tests {
            out.push('\n');
            match &test.text.0 {
                Some(text) => out.push_str(text),
                None => test.write(out, &self.target),
            }
        }
    }
}

impl<L: Format> Test<L> {
    fn write(&self, out: &mut String, section: &L::Target) {
        comments(out, &self.comments);
        let _ = writeln!(out, "{}", first_line::<L>(&self.name));
        let path = self.path.as_ref().map(|path| path::write::<L>(path, section));
        let sampled = self.sampled.then(|| SAMPLED.to_string());
        let beside = path.into_iter().chain(sampled);
        for line in L::inputs(&self.case, section).into_iter().chain(beside).chain(L::outcome(&self.case)) {
            let _ = writeln!(out, "  {line}");
        }
    }
}

/// The line above the lines of a test.
pub(crate) fn first_line<L: Format>(test: &str) -> String {
    format!("test {}", name(test, L::WORDS))
}
