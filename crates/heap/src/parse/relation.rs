//! Relations after a dot, plain fields, and the properties of a set by its form: its class, and whether
//! it has at most one member.

use super::{MOST, Parsed, Parser};
use crate::invariant::{ClassId, FieldId, Kind, Rel, RelId, Set};
use crate::lex::Word;

impl Parser<'_> {
    /// The integer or boolean field that `name` means after `set`.
    pub(super) fn plain_field(&self, at: usize, set: &Set, name: &str) -> Parsed<Option<FieldId>> {
        let shape = &self.invariant.shape;
        let all = (0..shape.fields.len() as u8).map(FieldId);
        let named: Vec<FieldId> = all.filter(|f| shape.fields[usize::from(f.0)].name == name).collect();
        if named.iter().any(|f| shape.target(*f).is_some()) || named.is_empty() {
            return Ok(None);
        }
        let field = match (self.class_of(set), named.as_slice()) {
            (_, [only]) => Some(*only),
            (Some(class), several) => several.iter().copied().find(|f| shape.fields_of(class).contains(f)),
            (None, _) => None,
        };
        let Some(field) = field else {
            return self.wrong(at, format!("several classes have a field \"{name}\""), Some("rename one"));
        };
        if !self.lone(set) {
            let help = "take it of a variable: all n in E: ... n.field ...";
            let message = format!("field \"{name}\" of a set that may have several members");
            return self.wrong(at, message, Some(help));
        }
        Ok(Some(field))
    }

    /// Whether a set has at most one member, by its form.
    pub(super) fn lone(&self, set: &Set) -> bool {
        match set {
            Set::This | Set::None | Set::Var(_) => true,
            Set::Join(of, rel) => self.lone(of) && self.functional(*rel),
            _ => false,
        }
    }

    pub(super) fn functional(&self, rel: RelId) -> bool {
        let name = |rel: RelId| match self.invariant.relations[usize::from(rel.0)] {
            Rel::Field(field) => Some(&self.invariant.shape.fields[usize::from(field.0)].name),
            _ => None,
        };
        match self.invariant.relations[usize::from(rel.0)] {
            Rel::Field(_) => true,
            // Fields of one name in several classes.
            Rel::Union(a, b) => self.functional(a) && name(b).is_some() && self.leading(a) == name(b),
            _ => false,
        }
    }

    pub(super) fn leading(&self, rel: RelId) -> Option<&String> {
        match self.invariant.relations[usize::from(rel.0)] {
            Rel::Field(field) => Some(&self.invariant.shape.fields[usize::from(field.0)].name),
            Rel::Union(a, _) => self.leading(a),
            _ => None,
        }
    }

    /// The class of a set's members, where it is known.
    pub(super) fn class_of(&self, set: &Set) -> Option<ClassId> {
        match set {
            Set::This => Some(ClassId(0)),
            Set::Class(class) => Some(*class),
            Set::Var(var) => self.scope.get(usize::from(var.0)).and_then(|v| v.1),
            Set::Join(_, rel) => self.class_of_target(*rel),
            Set::Both(a, _) | Set::Minus(a, _) => self.class_of(a),
            Set::Union(a, b) => self.class_of(a).filter(|a| Some(*a) == self.class_of(b)),
            Set::None => None,
        }
    }

    pub(super) fn class_of_target(&self, rel: RelId) -> Option<ClassId> {
        match self.invariant.relations[usize::from(rel.0)] {
            Rel::Field(field) => self.invariant.shape.target(field),
            Rel::Transpose(of) => match self.invariant.relations[usize::from(of.0)] {
                Rel::Field(field) => Some(self.invariant.shape.fields[usize::from(field.0)].owner),
                _ => None,
            },
            Rel::Closure(of) | Rel::Star(of) | Rel::Minus(of, _) | Rel::Both(of, _) => {
                self.class_of_target(of)
            }
            Rel::Union(a, b) => self.class_of_target(a).filter(|a| Some(*a) == self.class_of_target(b)),
        }
    }

    /// A relation after a dot: a field, `~r`, `^r`, `*r` or `(r + s)`.
    pub(super) fn relation_atom(&mut self) -> Parsed<RelId> {
        self.depth += 1;
        if self.depth > MOST {
            return self.wrong(self.at, "nested too deeply", None);
        }
        let at = self.at;
        let rel = match self.next() {
            Word::Sign("~") => {
                let of = self.relation_atom()?;
                self.invariant.relation(Rel::Transpose(of))
            }
            Word::Sign("^") => {
                let of = self.relation_atom()?;
                self.invariant.relation(Rel::Closure(of))
            }
            Word::Sign("*") => {
                let of = self.relation_atom()?;
                self.invariant.relation(Rel::Star(of))
            }
            Word::Sign("(") => {
                let mut left = self.relation_atom()?;
                while let Word::Sign(sign @ ("+" | "&" | "-")) = self.word() {
                    self.next();
                    let right = self.relation_atom()?;
                    left = self.invariant.relation(match sign {
                        "+" => Rel::Union(left, right),
                        "&" => Rel::Both(left, right),
                        _ => Rel::Minus(left, right),
                    });
                }
                self.need(")")?;
                left
            }
            Word::Name(name) => self.reference_field(at, name)?,
            _ => {
                self.at = at;
                return self.expected("a field, \"~\", \"^\", \"*\" or \"(\"");
            }
        };
        self.depth -= 1;
        Ok(rel)
    }

    pub(super) fn reference_field(&mut self, at: usize, name: &str) -> Parsed<RelId> {
        let shape = &self.invariant.shape;
        let all = (0..shape.fields.len() as u8).map(FieldId);
        let named: Vec<FieldId> = all
            .filter(|f| shape.fields[usize::from(f.0)].name == name && shape.target(*f).is_some())
            .collect();
        let mut relations =
            named.into_iter().map(|f| self.invariant.relation(Rel::Field(f))).collect::<Vec<_>>();
        let Some(first) = (!relations.is_empty()).then(|| relations.remove(0)) else {
            let references = self.invariant.shape.fields.iter();
            let plain = references.clone().any(|f| f.name == name);
            let known: Vec<&str> = references
                .filter(|f| matches!(f.kind, Kind::Reference { .. }))
                .map(|f| f.name.as_str())
                .collect();
            let help = format!("the reference fields are: {}", known.join(", "));
            let message = match plain {
                true => format!("field \"{name}\" is no reference"),
                false => format!("no field is called \"{name}\""),
            };
            return self.wrong(at, message, Some(&help));
        };
        Ok(relations.into_iter().fold(first, |a, b| self.invariant.relation(Rel::Union(a, b))))
    }
}
