//! Reads the text of an invariant: declarations here, expressions in
//! `parse/expression.rs` and `parse/relation.rs`.
//!
//! One pass, types known at once: every name is declared before its use (classes may name later classes as
//! targets), so that a message can point at the first word that does not fit.

mod expression;
mod relation;

use crate::diagnostic::Diagnostic;
use crate::invariant::{
    Class, ClassId, Field, FieldId, FunId, Function, Int, Invariant, Kind, Limit, Part, Rel, RelId, Set,
    StaticField, Var,
};
use crate::lex::{Word, words};
use expression::Term;

/// Reads an invariant.
///
/// # Errors
/// The first error of the text, with its place.
pub fn parse(source: &str) -> Result<Invariant, Diagnostic> {
    let words = words(source)?;
    let mut parser = Parser {
        source,
        words,
        at: 0,
        invariant: Invariant::default(),
        scope: Vec::new(),
        lets: Vec::new(),
        calls: Vec::new(),
        depth: 0,
    };
    parser.file()?;
    Ok(parser.invariant)
}

/// The most classes, fields, and nesting that a text may have.
const MOST: usize = 60;

struct Parser<'a> {
    source: &'a str,
    words: Vec<(usize, Word<'a>)>,
    at: usize,
    invariant: Invariant,
    /// Variables in scope, innermost last, with the class of their objects where it is known.
    scope: Vec<(&'a str, Option<ClassId>)>,
    lets: Vec<(&'a str, Term)>,
    /// The arguments of calls of the function that is being read.
    calls: Vec<Set>,
    depth: usize,
}

type Parsed<T> = Result<T, Diagnostic>;

impl<'a> Parser<'a> {
    fn word(&self) -> Word<'a> {
        self.words[self.at].1
    }

    fn next(&mut self) -> Word<'a> {
        let word = self.word();
        if self.at + 1 < self.words.len() {
            self.at += 1;
        }
        word
    }

    /// A message about word number `at`.
    fn wrong<T>(&self, at: usize, message: impl Into<String>, help: Option<&str>) -> Parsed<T> {
        Err(Diagnostic::at(self.source, self.words[at].0, message.into(), help))
    }

    fn expected<T>(&self, what: &str) -> Parsed<T> {
        let found = match self.word() {
            Word::Name(name) => format!("\"{name}\""),
            Word::Number(n) => format!("\"{n}\""),
            Word::Sign(sign) => format!("\"{sign}\""),
            Word::End => "the end of the text".to_string(),
        };
        self.wrong(self.at, format!("expected {what}, found {found}"), None)
    }

    fn sign(&mut self, sign: &str) -> bool {
        let found = matches!(self.word(), Word::Sign(found) if found == sign);
        if found {
            self.next();
        }
        found
    }

    fn need(&mut self, sign: &str) -> Parsed<()> {
        if self.sign(sign) { Ok(()) } else { self.expected(&format!("\"{sign}\"")) }
    }

    fn keyword(&mut self, keyword: &str) -> bool {
        let found = self.word() == Word::Name(keyword);
        if found {
            self.next();
        }
        found
    }

    fn name(&mut self, what: &str) -> Parsed<&'a str> {
        match self.word() {
            Word::Name(name) if !KEYWORDS.contains(&name) => {
                self.next();
                Ok(name)
            }
            _ => self.expected(what),
        }
    }

    fn file(&mut self) -> Parsed<()> {
        self.class_names()?;
        loop {
            match self.word() {
                Word::End => break,
                Word::Name("root" | "class") => self.class()?,
                Word::Name("let") => self.binding()?,
                Word::Name("fun") => self.function()?,
                Word::Name(word @ ("invariant" | "implied")) => self.part(word == "implied")?,
                _ => return self.expected("\"class\", \"let\", \"fun\", \"invariant\" or \"implied\""),
            }
        }
        if self.invariant.shape.classes.is_empty() {
            return self.wrong(
                self.at,
                "no class is declared",
                Some("begin with: root class Name { field: Type }"),
            );
        }
        Ok(())
    }

    /// Declares all classes by name, the root class first, so that fields can name later ones.
    fn class_names(&mut self) -> Parsed<()> {
        let mut root = None;
        let mut names: Vec<(&str, usize)> = Vec::new();
        for at in 0..self.words.len() - 1 {
            if let (Word::Name("class"), Word::Name(name)) = (self.words[at].1, self.words[at + 1].1) {
                if names.iter().any(|(other, _)| *other == name) {
                    return self.wrong(at + 1, format!("class \"{name}\" is declared twice"), None);
                }
                if at > 0 && self.words[at - 1].1 == Word::Name("root") {
                    if root.is_some() {
                        return self.wrong(at - 1, "a second root class", Some("one class is the root"));
                    }
                    root = Some(names.len());
                }
                names.push((name, self.words[at + 1].0));
            }
        }
        if names.len() > MOST {
            return self.wrong(0, format!("{} classes; at most {MOST} are supported", names.len()), None);
        }
        match root {
            None if names.is_empty() => {}
            None => {
                return self.wrong(
                    0,
                    "no root class",
                    Some("write \"root class\" before one of the classes"),
                );
            }
            Some(root) => {
                let name = names.remove(root);
                names.insert(0, name);
            }
        }
        for (name, at) in names {
            let class = Class {
                name: name.to_string(),
                parent: None,
                fields: Vec::new(),
                program_name: None,
                nulls: Vec::new(),
                statics: Vec::new(),
                at,
            };
            self.invariant.shape.classes.push(class);
        }
        Ok(())
    }

    fn class_name(&mut self) -> Parsed<ClassId> {
        let at = self.at;
        let name = self.name("the name of a class")?;
        match self.invariant.shape.class(name) {
            Some(class) => Ok(class),
            None => {
                self.wrong(at, format!("no class is called \"{name}\""), Some("declare it with \"class\""))
            }
        }
    }

    fn class(&mut self) -> Parsed<()> {
        self.keyword("root");
        if !self.keyword("class") {
            return self.expected("\"class\"");
        }
        let id = self.class_name()?;
        if self.sign("=") {
            let mut full = self.name("the class's full name")?.to_string();
            while self.sign(".") {
                full = format!("{full}.{}", self.name("a part of the class's name")?);
            }
            self.invariant.shape.classes[usize::from(id.0)].program_name = Some(full);
        }
        if self.keyword("extends") {
            let at = self.at;
            let parent = self.class_name()?;
            if self.invariant.shape.is(parent, id) {
                return self.wrong(at, "a class that extends itself", None);
            }
            let fields = self.invariant.shape.fields_of(parent).to_vec();
            let above = &self.invariant.shape.classes[usize::from(parent.0)];
            let (nulls, statics) = (above.nulls.clone(), above.statics.clone());
            let class = &mut self.invariant.shape.classes[usize::from(id.0)];
            class.parent = Some(parent);
            class.fields = fields;
            class.nulls = nulls;
            class.statics = statics;
        }
        self.need("{")?;
        while !self.sign("}") {
            self.field(id)?;
            let _ = self.sign(",") || self.sign(";");
        }
        Ok(())
    }

    fn field(&mut self, owner: ClassId) -> Parsed<()> {
        let back = self.word() == Word::Name("back") && self.words[self.at + 1].1 != Word::Sign(":");
        if back {
            self.next();
        }
        let at = self.at;
        let name = self.name("the name of a field or \"}\"")?;
        let shape = &self.invariant.shape;
        let Class { nulls, statics, .. } = &shape.classes[usize::from(owner.0)];
        if shape.fields_of(owner).iter().any(|f| shape.fields[usize::from(f.0)].name == name)
            || nulls.iter().any(|(other, _)| other == name)
            || statics.iter().any(|other| other.name == name)
        {
            return self.wrong(at, format!("field \"{name}\" is declared twice"), None);
        }
        if shape.fields.len() >= MOST {
            return self.wrong(at, format!("more than {MOST} fields"), None);
        }
        self.need(":")?;
        let place = self.words[at].0;
        if !back && self.keyword("null") {
            self.invariant.shape.classes[usize::from(owner.0)].nulls.push((name.to_string(), place));
            return Ok(());
        }
        if !back && self.keyword("static") {
            let held = self.static_field(name.to_string(), place)?;
            self.invariant.shape.classes[usize::from(owner.0)].statics.push(held);
            return Ok(());
        }
        let kind = if self.keyword("int") {
            match self.word() {
                Word::Number(_) | Word::Sign("-") => {
                    let (low, high) = self.range()?;
                    Kind::Int(low, high)
                }
                _ => Kind::Key,
            }
        } else if self.keyword("bool") {
            Kind::Bool
        } else if self.keyword("enum") {
            Kind::Enum(self.constants()?)
        } else {
            Kind::Reference { target: self.class_name()?, back }
        };
        let id = FieldId(self.invariant.shape.fields.len() as u8);
        self.invariant.shape.fields.push(Field { name: name.to_string(), owner, kind, at: place });
        self.invariant.shape.classes[usize::from(owner.0)].fields.push(id);
        Ok(())
    }

    /// `java.util.TreeSet.PRESENT`
    fn static_field(&mut self, name: String, at: usize) -> Parsed<StaticField> {
        let mut parts = vec![self.name("the full name of a class and its static field")?];
        while self.sign(".") {
            parts.push(self.name("a part of the class's name, or its static field")?);
        }
        let constant = parts.pop().unwrap_or_default().to_string();
        if parts.is_empty() {
            return self.expected("\".\" and the static field");
        }
        Ok(StaticField { name, class: parts.join("."), constant, at })
    }

    fn constants(&mut self) -> Parsed<Vec<String>> {
        self.need("{")?;
        let mut names = vec![self.name("a constant")?.to_string()];
        while self.sign(",") {
            names.push(self.name("a constant")?.to_string());
        }
        self.need("}")?;
        Ok(names)
    }

    /// `low..high`, where `high` may be `scope`.
    fn range(&mut self) -> Parsed<(i64, Limit)> {
        let at = self.at;
        let low = self.number()?;
        self.need("..")?;
        if self.keyword("scope") {
            return Ok((low, Limit::Scope));
        }
        let high = self.number()?;
        if low > high {
            return self.wrong(at, format!("the range {low}..{high} is empty"), None);
        }
        if low < -100_000 || high > 100_000 {
            return self.wrong(at, "a range beyond -100000..100000", Some("leave the range out for keys"));
        }
        Ok((low, Limit::Number(high)))
    }

    fn number(&mut self) -> Parsed<i64> {
        let negative = self.sign("-");
        match self.word() {
            Word::Number(n) => {
                self.next();
                Ok(if negative { -n } else { n })
            }
            _ => self.expected("a number"),
        }
    }

    fn binding(&mut self) -> Parsed<()> {
        self.next();
        let name = self.name("a name")?;
        self.need("=")?;
        let term = self.term()?;
        self.lets.push((name, term));
        Ok(())
    }

    fn function(&mut self) -> Parsed<()> {
        self.next();
        let name = self.name("the name of a function")?;
        self.need("(")?;
        let parameter = self.name("a name")?;
        self.need(":")?;
        let class = self.class_name()?;
        self.need(")")?;
        self.need(":")?;
        let (low, high) = self.range()?;
        self.need("=")?;
        let id = FunId(self.invariant.functions.len() as u8);
        if usize::from(id.0) >= MOST {
            return self.wrong(self.at, format!("more than {MOST} functions"), None);
        }
        let body = Int::Number(low);
        let function = Function { name: name.to_string(), class, low, high, body, along: None };
        self.invariant.functions.push(function);
        self.scope.push((parameter, Some(class)));
        self.calls.clear();
        let at = self.at;
        let body = self.int()?;
        self.scope.pop();
        let mut along: Option<RelId> = None;
        for argument in std::mem::take(&mut self.calls) {
            match argument {
                Set::Join(of, rel) if *of == Set::Var(Var(0)) => {
                    along = Some(match along {
                        Some(other) => self.invariant.relation(Rel::Union(other, rel)),
                        None => rel,
                    });
                }
                _ => {
                    let help = format!("call it as {name}({parameter}.field)");
                    return self.wrong(
                        at,
                        format!("\"{name}\" calls itself on something other"),
                        Some(&help),
                    );
                }
            }
        }
        let function = &mut self.invariant.functions[usize::from(id.0)];
        function.body = body;
        function.along = along;
        Ok(())
    }

    fn part(&mut self, implied: bool) -> Parsed<()> {
        self.next();
        let at = self.words[self.at].0;
        let name = self.name("the name of this part of the invariant")?.to_string();
        self.need(":")?;
        let formula = self.formula()?;
        self.invariant.parts.push(Part { name, implied, at, formula });
        Ok(())
    }
}

/// Words that cannot be names.
const KEYWORDS: [&str; 26] = [
    "class",
    "extends",
    "let",
    "fun",
    "invariant",
    "implied",
    "all",
    "some",
    "no",
    "lone",
    "one",
    "in",
    "this",
    "none",
    "true",
    "false",
    "if",
    "then",
    "else",
    "max",
    "min",
    "sum",
    "enum",
    "scope",
    "null",
    "static",
];
