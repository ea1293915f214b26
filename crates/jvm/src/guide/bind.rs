//! An invariant's classes and fields, found among the machine's: messages point into the invariant's text.

use std::rc::Rc;

use evergreen_heap::diagnostic::{Diagnostic, nearest};
use evergreen_heap::invariant::{Class as Declaring, Kind as Declared, StaticField};
use evergreen_heap::{FieldId, Invariant, Lazy, Scope};

use super::{ClassInvariant, Guide, Plan};
use crate::classes::{Class, ClassId, FieldInfo, access};
use crate::describe::box_kind;
use crate::lazy::LazyOptions;
use crate::machine::Jvm;
use crate::value::Kind;

/// An invariant whose names are known to the machine.
pub(crate) struct Bound {
    pub(crate) invariant: Rc<Invariant>,
    pub(crate) classes: Vec<ClassId>,
    pub(crate) plans: Vec<Box<[Option<Plan>]>>,
}

impl Jvm {
    /// Finds the classes and fields of an invariant.
    ///
    /// # Errors
    /// Its first error, with the place.
    pub(crate) fn bind(&mut self, root: ClassId, stated: &ClassInvariant) -> Result<Bound, String> {
        let wrong = |e: &Diagnostic| format!("{}:{e}", stated.origin);
        let invariant = Rc::new(evergreen_heap::parse(&stated.text).map_err(|e| wrong(&e))?);
        evergreen_heap::implied::check(&invariant, &stated.text).map_err(|e| wrong(&e))?;
        let mut classes = vec![root];
        for class in &invariant.shape.classes[1..] {
            classes.push(self.bind_class(root, class, &stated.text).map_err(|e| wrong(&e))?);
        }
        let mut plans = Vec::new();
        for (at, class) in invariant.shape.classes.iter().enumerate() {
            let found = self.class(classes[at]).clone();
            plans.push(
                self.bind_fields(&invariant, class, &found, &classes, &stated.text).map_err(|e| wrong(&e))?,
            );
        }
        Ok(Bound { invariant, classes, plans })
    }

    /// A guide of an invariant under the scopes that options give.
    ///
    /// # Errors
    /// If it has too many objects.
    pub(crate) fn guide_under(
        &mut self,
        bound: Bound,
        stated: &ClassInvariant,
        options: &LazyOptions,
    ) -> Result<Guide, String> {
        let Bound { invariant, classes, plans } = bound;
        let scope = self.scope_of(&invariant, &classes, options);
        evergreen_heap::implied::check_under(&invariant, &stated.text, &scope)
            .map_err(|e| format!("{}:{e}", stated.origin))?;
        let lazy = match &mut self.make_lazy {
            Some(make) => make(stated, invariant, &scope, options.technique),
            None => Lazy::new(invariant, &scope, options.technique),
        };
        let lazy = lazy.map_err(|e| format!("{}: {e}", stated.origin))?;
        Ok(Guide { lazy, classes, plans })
    }

    /// A class by its full name if the text says it, else nested in the root class, around it or beside it.
    fn bind_class(&mut self, root: ClassId, class: &Declaring, text: &str) -> Result<ClassId, Diagnostic> {
        if let Some(full) = &class.program_name {
            let found = self.load(&full.replace('.', "/"));
            return found.map_err(|_| {
                let help = Some("write its name as Class.getName has it: java.util.TreeMap$Entry");
                Diagnostic::at(text, class.at, format!("no class \"{full}\" on the class path"), help)
            });
        }
        let root = self.class(root).name.clone();
        let package = root.rfind('/').map_or("", |at| &root[..=at]);
        let mut places = vec![format!("{root}${}", class.name)];
        let mut outer: &str = &root;
        while let Some(at) = outer.rfind('$') {
            outer = &outer[..at];
            places.push(format!("{outer}${}", class.name));
        }
        places.push(format!("{package}{}", class.name));
        if let Some(found) = places.iter().find_map(|place| self.load(place).ok()) {
            return Ok(found);
        }
        let root = root.replace('/', ".");
        let message = format!("class {root} has no class \"{}\" in it or beside it", class.name);
        let help = format!("write its whole name: class {} = full.name.Of${0}", class.name);
        Err(Diagnostic::at(text, class.at, message, Some(&help)))
    }

    fn bind_fields(
        &mut self,
        invariant: &Invariant,
        class: &Declaring,
        found: &Rc<Class>,
        classes: &[ClassId],
        text: &str,
    ) -> Result<Box<[Option<Plan>]>, Diagnostic> {
        let mut plans: Box<[Option<Plan>]> = found.instance_fields.iter().map(|_| None).collect();
        for (name, at) in &class.nulls {
            let own = own_field(found, name, *at, text)?;
            if own.kind != Kind::Reference {
                let message = format!("field \"{name}\" is {} and never null", java_type(&own.descriptor));
                return Err(Diagnostic::at(text, *at, message, None));
            }
            plans[own.slot as usize] = Some(Plan::Null);
        }
        for held in &class.statics {
            let own = own_field(found, &held.name, held.at, text)?;
            plans[own.slot as usize] = Some(self.bind_static(own, held, text)?);
        }
        for id in &class.fields {
            let field = &invariant.shape.fields[usize::from(id.0)];
            let own = own_field(found, &field.name, field.at, text)?;
            let fits = match &field.kind {
                Declared::Reference { target, .. } => self.holds(own, classes[usize::from(target.0)]),
                kind => self.holds_plain(own, kind),
            };
            if let Err(why) = fits {
                let place = format!("field \"{}\" of {} ", field.name, found.java_name());
                return Err(Diagnostic::at(text, field.at, place + &why, None));
            }
            plans[own.slot as usize] = Some(Plan::Declared(*id));
        }
        Ok(plans)
    }

    fn bind_static(&mut self, own: &FieldInfo, held: &StaticField, text: &str) -> Result<Plan, Diagnostic> {
        let wrong = |message: String| Err(Diagnostic::at(text, held.at, message, None));
        let Ok(class) = self.load(&held.class.replace('.', "/")) else {
            return wrong(format!("no class \"{}\" on the class path", held.class));
        };
        let Some(field) = self.class(class).static_field(&held.constant).cloned() else {
            return wrong(format!("class {} has no static field \"{}\"", held.class, held.constant));
        };
        let of = field.descriptor.strip_prefix('L').and_then(|name| name.strip_suffix(';'));
        let fits = match of.map(|name| self.load(name)) {
            Some(Ok(of)) => self.holds(own, of),
            _ => Err(format!("cannot hold {}, which is no object", held.constant)),
        };
        match fits {
            Ok(()) => Ok(Plan::Static(class, field.slot)),
            Err(why) => wrong(format!("field \"{}\" {why}", held.name)),
        }
    }

    /// Whether a field can hold objects of a class.
    fn holds(&mut self, own: &FieldInfo, class: ClassId) -> Result<(), String> {
        let of = own.descriptor.strip_prefix('L').and_then(|name| name.strip_suffix(';'));
        let of = of.and_then(|name| self.load(name).ok());
        match of {
            Some(of) if self.class(class).is_assignable_to(of) => Ok(()),
            _ => {
                let target = self.class(class).java_name();
                Err(format!("is of type {} and cannot hold a {target}", java_type(&own.descriptor)))
            }
        }
    }

    /// Whether a field can hold integers, truth values or names.
    fn holds_plain(&mut self, own: &FieldInfo, kind: &Declared) -> Result<(), String> {
        let of = java_type(&own.descriptor);
        match (own.kind, kind) {
            (Kind::Float | Kind::Double, _) => Err(format!("is of type {of}: no integer")),
            (Kind::Reference, Declared::Bool) => Err(format!("is of type {of}, not boolean")),
            (Kind::Reference, Declared::Enum(_)) => {
                Err(format!("is of type {of}: neither boolean nor an integer"))
            }
            (Kind::Reference, _) => {
                let name = own.descriptor.trim_start_matches('L').trim_end_matches(';');
                let number = |kind| !matches!(kind, Kind::Float | Kind::Double | Kind::Boolean);
                let is_box = box_kind(name).is_some_and(number);
                let of_integer = self.load(name).ok().zip(self.load("java/lang/Integer").ok());
                let fits = of_integer.is_some_and(|(of, integer)| self.class(integer).is_assignable_to(of));
                if is_box || fits { Ok(()) } else { Err(format!("is of type {of} and holds no Integer")) }
            }
            (Kind::Boolean, Declared::Bool) => Ok(()),
            (Kind::Boolean, Declared::Enum(names)) if names.len() == 2 => Ok(()),
            (Kind::Boolean, _) => Err("is boolean: declare it bool, or enum with two names".into()),
            (_, Declared::Bool) => Err(format!("is of type {of}, not boolean")),
            _ => Ok(()),
        }
    }

    fn scope_of(&self, invariant: &Invariant, classes: &[ClassId], options: &LazyOptions) -> Scope {
        let mut scope = Scope::each(invariant, options.scope as usize);
        let shape = &invariant.shape;
        for (at, class) in classes.iter().enumerate() {
            let class = self.class(*class);
            let id = evergreen_heap::ClassId(at as u8);
            let held = (0..shape.fields.len() as u8).map(FieldId).any(|field| {
                matches!(
                    shape.kind(field),
                    Declared::Reference { target, back: false } if shape.is(id, *target)
                )
            });
            if class.access & (access::ABSTRACT | access::INTERFACE) != 0 && at > 0 {
                scope = scope.with(id, 0);
            } else if let Some(wanted) = options.scope_of(class) {
                scope = scope.with(id, wanted as usize);
            } else if at == 0 && held {
                scope = scope.with(id, options.scope as usize);
            } else if held && invariant.has_at_most_one(id) {
                scope = scope.with(id, options.scope.min(1) as usize);
            }
        }
        scope
    }
}

/// The field of this name, the class's own before inherited ones.
fn own_field<'c>(class: &'c Class, name: &str, at: usize, text: &str) -> Result<&'c FieldInfo, Diagnostic> {
    if let Some(found) = class.instance_fields.iter().rfind(|own| *own.name == *name) {
        return Ok(found);
    }
    let near = nearest(name, class.instance_fields.iter().map(|own| &*own.name));
    let help = (!near.is_empty()).then(|| format!("did you mean {}?", near.join(" or ")));
    let message = format!("class {} has no field \"{name}\"", class.java_name());
    Err(Diagnostic::at(text, at, message, help.as_deref()))
}

fn java_type(descriptor: &str) -> String {
    evergreen_classfile::Type::parse(descriptor).map_or_else(|_| descriptor.to_string(), |of| of.to_java())
}
