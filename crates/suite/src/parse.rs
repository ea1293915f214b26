//! Text back to a suite: line by line, and of everything that is wrong the first with its line.

use crate::body::Body;
use crate::line::Line;
use crate::suite::Text;
use crate::types;
use crate::write::FIRST;
use crate::{Flaw, MethodTests, Suite, Test};
use evergreen_replay::{Receiver, Target, is_test_name};
use std::collections::BTreeMap;
use std::sync::Arc;

impl Suite {
    /// Reads the text of a suite.
    pub fn parse(text: &str) -> Result<Suite, Flaw> {
        let mut reader = Reader::default();
        let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
        first(lines.next())?;
        for (number, text) in lines {
            reader.line(Line::new(text.trim_end(), number), text)?;
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
struct Reader {
    suite: Suite,
    has_class: bool,
    /// Comments that belong to what comes next.
    comments: Vec<String>,
    /// The test whose lines are being read.
    open: Option<Open>,
    /// Names of tests, and where they are.
    names: BTreeMap<String, usize>,
    headings: BTreeMap<(String, String), usize>,
}

struct Open {
    name: String,
    number: usize,
    text: String,
    comments: Vec<String>,
    body: Body,
}

impl Reader {
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
                open.body.line(line)
            }
            (_, None) if is_indented => {
                Err(line.expected("\"method ...\" or \"test NAME\" at the beginning of a line"))
            }
            _ => self.heading(line),
        }
    }

    fn heading(&mut self, mut line: Line<'_>) -> Result<(), Flaw> {
        if ["<<<<<<<", "=======", ">>>>>>>", "|||||||"].iter().any(|mark| line.rest().starts_with(mark)) {
            return Err(line.flaw(
                "an unresolved merge conflict\n\
                                  help: keep the tests of both sides; the next update sorts them out",
            ));
        }
        if !self.has_class {
            if !line.takes_word("class") {
                return Err(line.expected("\"class NAME\""));
            }
            self.suite.class = line.name("the name of a class")?;
            self.suite.comments = std::mem::take(&mut self.comments);
            self.has_class = true;
            return line.end();
        }
        self.close()?;
        if line.takes_word("method") {
            return self.method(line);
        }
        if !line.takes_word("test") {
            return Err(line.expected("\"method ...\" or \"test NAME\""));
        }
        let Some(method) = self.suite.methods.last() else {
            return Err(line.flaw("a test before the first \"method ...\""));
        };
        let name = line.name("the name of a test")?;
        line.end()?;
        if !is_test_name(&name) {
            return Err(line.flaw(format!("\"{name}\" cannot be the name of a test in Java")));
        }
        if let Some(other) = self.names.insert(name.clone(), line.number()) {
            return Err(line.flaw(format!("there is a test \"{name}\" in line {other} already")));
        }
        let comments = std::mem::take(&mut self.comments);
        let mut text: String = comments.iter().map(|own| format!("{own}\n")).collect();
        text.push_str(&format!("test {name}\n"));
        let body = Body::new(method.target.clone());
        self.open = Some(Open { name, number: line.number(), text, comments, body });
        Ok(())
    }

    /// `method static int mid(int x, int y, int z)`
    fn method(&mut self, mut line: Line<'_>) -> Result<(), Flaw> {
        let (mut hidden, mut receiver) = (false, Receiver::DefaultConstructor);
        loop {
            if line.takes_word("hidden") {
                hidden = true;
            } else if line.takes_word("static") {
                receiver = Receiver::Static;
            } else {
                break;
            }
        }
        let result = types::read_result(&mut line)?;
        let method = line.name("the name of a method")?;
        let (of, parameters) = parameters(&mut line)?;
        let mut exceptions = Vec::new();
        if line.takes_word("throws") {
            exceptions.push(line.name("a class of exceptions")?);
            while line.takes(",") {
                exceptions.push(line.name("a class of exceptions")?);
            }
        }
        line.end()?;
        let descriptor = types::descriptor(&of, result.as_ref());
        let key = (method.clone(), descriptor.clone());
        if let Some(other) = self.headings.insert(key, line.number()) {
            return Err(line.flaw(format!("the tests of this method begin in line {other} already")));
        }
        let class = self.suite.class.clone();
        let target = Target { class, method, descriptor, receiver, hidden, parameters, exceptions };
        let comments = std::mem::take(&mut self.comments);
        self.suite.methods.push(MethodTests { target: Arc::new(target), tests: Vec::new(), comments });
        Ok(())
    }

    /// The test that was being read is over.
    fn close(&mut self) -> Result<(), Flaw> {
        let Some(open) = self.open.take() else { return Ok(()) };
        let at = Line::new("", open.number);
        let (case, path) =
            open.body.end().map_err(|what| at.flaw(format!("test \"{}\": {what}", open.name)))?;
        let mut test = Test::new(open.name, case, path);
        test.comments = open.comments;
        test.text = Text(Some(open.text));
        if let Some(method) = self.suite.methods.last_mut() {
            method.tests.push(test);
        }
        Ok(())
    }

    fn end(mut self) -> Result<Suite, Flaw> {
        self.close()?;
        if !self.has_class {
            return Err(Flaw { line: 2, what: "expected \"class NAME\", but the text ends".into() });
        }
        self.suite.last_comments = self.comments;
        Ok(self.suite)
    }
}

/// Types and names of parameters.
fn parameters(line: &mut Line<'_>) -> Result<(Vec<evergreen_classfile::Type>, Vec<String>), Flaw> {
    let (mut all, mut names) = (Vec::new(), Vec::new());
    line.need("(")?;
    if line.takes(")") {
        return Ok((all, names));
    }
    loop {
        all.push(types::read(line, "a type")?);
        let name = line.name("the name of a parameter")?;
        if names.contains(&name) {
            return Err(line.flaw(format!("two parameters \"{name}\"")));
        }
        names.push(name);
        if line.takes(")") {
            return Ok((all, names));
        }
        if !line.takes(",") {
            return Err(line.expected("\",\" or \")\""));
        }
    }
}
