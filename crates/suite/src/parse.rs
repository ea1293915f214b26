//! Text back to a suite: line by line, and of everything that is wrong the first with its line.

use crate::line::{Line, PATH};
use crate::suite::Text;
use crate::write::{FIRST, SAMPLED, first_line};
use crate::{Decision, Flaw, Format, MethodTests, Suite, Test, path};
use std::collections::BTreeMap;
use std::sync::Arc;

impl<L: Format> Suite<L> {
    /// Reads the text of a suite.
    pub fn parse(text: &str) -> Result<Suite<L>, Flaw> {
        let mut reader = Reader::default();
        let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
        first(lines.next())?;
        for (number, text) in lines {
            reader.line(Line::new(text.trim_end(), number, L::WORDS), text)?;
        }
        reader.end()
    }
}

/// The first line names the format and its version.
fn first(line: Option<(usize, &str)>) -> Result<(), Flaw> {
    let text = line.map_or("", |(_, text)| text.trim_end());
    let flaw = |what: String| Err(Flaw { line: 1, what });
    match text.strip_prefix("evergreen suite ") {
        _ if text == FIRST => Ok(()),
        Some(version) if version.parse::<u32>().is_ok() => flaw(format!(
            "version {version} of the format, of which version 1 is known here\n\
             help: use an Evergreen that is as new as the one that wrote it"
        )),
        _ => flaw(format!("expected \"{FIRST}\": this is no suite")),
    }
}

/// The suite read so far.
#[derive(Default)]
struct Reader<L: Format> {
    suite: Suite<L>,
    has_class: bool,
    /// Comments that belong to what comes next.
    comments: Vec<String>,
    /// The test whose lines are being read.
    open: Option<Open<L>>,
    /// Names of tests, and where they are.
    names: BTreeMap<String, usize>,
    /// Names and signatures of functions, and where their headings are.
    headings: BTreeMap<(String, String), usize>,
}

struct Open<L: Format> {
    name: String,
    number: usize,
    text: String,
    comments: Vec<String>,
    target: Arc<L::Target>,
    path: Option<Vec<Decision>>,
    sampled: Option<()>,
    body: L::Body,
}

impl<L: Format> Open<L> {
    /// One more line.
    fn line(&mut self, mut line: Line<'_>) -> Result<(), Flaw> {
        if line.takes_word(PATH) {
            let path = path::read::<L>(&mut line, &self.target)?;
            line.once(&mut self.path, path, PATH)?;
        } else if line.rest() == SAMPLED {
            line.takes_word(SAMPLED);
            line.once(&mut self.sampled, (), SAMPLED)?;
        } else {
            L::read_line(&mut self.body, &mut line)?;
        }
        line.end()
    }
}

impl<L: Format> Reader<L> {
    fn line(&mut self, line: Line<'_>, text: &str) -> Result<(), Flaw> {
        let is_indented = text.starts_with([' ', '\t']);
        match (line.rest(), &mut self.open) {
            ("", _) => Ok(()),
            (comment, Some(open)) if comment.starts_with('#') && is_indented => {
                open.comments.push(comment.to_string());
                open.text.push_str(&format!("{text}\n"));
                Ok(())
            }
            (comment, _) if comment.starts_with('#') => {
                self.comments.push(comment.to_string());
                Ok(())
            }
            (_, Some(open)) if is_indented => {
                if !self.comments.is_empty() {
                    // A comment that is not indented, amid a test.
                    self.comments.iter().for_each(|own| open.text.push_str(&format!("{own}\n")));
                    open.comments.append(&mut self.comments);
                }
                open.text.push_str(&format!("{text}\n"));
                open.line(line)
            }
            (_, None) if is_indented => {
                Err(line.expected(&format!("{} at the beginning of a line", beginnings::<L>())))
            }
            _ => self.heading(line),
        }
    }

    fn heading(&mut self, mut line: Line<'_>) -> Result<(), Flaw> {
        if ["<<<<<<<", "=======", ">>>>>>>", "|||||||"].iter().any(|mark| line.rest().starts_with(mark)) {
            return Err(line.flaw(
                "a merge conflict that nobody resolved\n\
                                  help: keep the tests of both sides; the next update sorts them out",
            ));
        }
        if !self.has_class {
            if !line.takes_word(L::UNIT) {
                return Err(line.expected(&format!("\"{} NAME\"", L::UNIT)));
            }
            self.suite.class = line.name(&format!("the name of a {}", L::UNIT))?;
            self.suite.comments = std::mem::take(&mut self.comments);
            self.has_class = true;
            return line.end();
        }
        self.close()?;
        if line.takes_word(L::FUNCTION) {
            return self.function(line);
        }
        if !line.takes_word("test") {
            return Err(line.expected(&beginnings::<L>()));
        }
        let Some(section) = self.suite.methods.last() else {
            return Err(line.flaw(format!("a test before the first \"{} ...\"", L::FUNCTION)));
        };
        let name = line.name("the name of a test")?;
        line.end()?;
        if let Some(what) = L::name_flaw(&name) {
            return Err(line.flaw(what));
        }
        if let Some(other) = self.names.insert(name.clone(), line.number()) {
            return Err(line.flaw(format!("there is a test \"{name}\" in line {other} already")));
        }
        let comments = std::mem::take(&mut self.comments);
        let mut text: String = comments.iter().map(|own| format!("{own}\n")).collect();
        text.push_str(&format!("{}\n", first_line::<L>(&name)));
        let target = section.target.clone();
        let body = L::body(&target);
        let (number, path, sampled) = (line.number(), None, None);
        self.open = Some(Open { name, number, text, comments, target, path, sampled, body });
        Ok(())
    }

    /// `method static int mid(int x, int y, int z)`
    fn function(&mut self, mut line: Line<'_>) -> Result<(), Flaw> {
        let target = L::read_heading(&self.suite.class, &mut line)?;
        line.end()?;
        let key = (L::name(&target).to_string(), L::signature(&target).to_string());
        if let Some(other) = self.headings.insert(key, line.number()) {
            let what = format!("the tests of this {} begin in line {other} already", L::FUNCTION);
            return Err(line.flaw(what));
        }
        let comments = std::mem::take(&mut self.comments);
        self.suite.methods.push(MethodTests { target: Arc::new(target), tests: Vec::new(), comments });
        Ok(())
    }

    /// The test that was being read is over.
    fn close(&mut self) -> Result<(), Flaw> {
        let Some(open) = self.open.take() else { return Ok(()) };
        let flaw = |what: String| Flaw { line: open.number, what: format!("test \"{}\": {what}", open.name) };
        let case = L::end(open.body).map_err(flaw)?;
        let mut test = Test::new(open.name, case, open.path);
        test.sampled = open.sampled.is_some();
        test.comments = open.comments;
        test.text = Text(Some(open.text));
        if let Some(method) = self.suite.methods.last_mut() {
            method.tests.push(test);
        }
        Ok(())
    }

    fn end(mut self) -> Result<Suite<L>, Flaw> {
        self.close()?;
        if !self.has_class {
            let what = format!("expected \"{} NAME\", but the text ends", L::UNIT);
            return Err(Flaw { line: 2, what });
        }
        self.suite.last_comments = self.comments;
        Ok(self.suite)
    }
}

/// What a line that is not indented begins with.
fn beginnings<L: Format>() -> String {
    format!("\"{} ...\" or \"test NAME\"", L::FUNCTION)
}
