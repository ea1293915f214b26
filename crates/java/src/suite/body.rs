//! The lines of one test, read: inputs, objects, outcome.

use super::heading::parameter;
use super::{types, value};
use evergreen_classfile::Type;
use evergreen_replay::{
    Build, BuildCall, Built, Ending, GraphBody, GraphField, GraphObject, JavaValue, Message, Receiver,
    Target, TestCase,
};
use evergreen_suite::Flaw;
use evergreen_suite::line::Line;
use std::sync::Arc;

/// What was read of a test.
pub struct Body {
    target: Arc<Target>,
    parameters: Vec<Type>,
    result: Option<Type>,
    receiver: Option<JavaValue>,
    arguments: Vec<Option<JavaValue>>,
    draws: Vec<(String, JavaValue)>,
    objects: Vec<GraphObject>,
    build: Vec<Built>,
    ending: Option<Ending>,
    output: Option<Option<String>>,
}

impl Body {
    /// Of a test of this method.
    pub(super) fn new(target: Arc<Target>) -> Body {
        let (parameters, result) = types::parts(&target.descriptor);
        Body {
            arguments: vec![None; parameters.len()],
            target,
            parameters,
            result,
            receiver: None,
            draws: Vec::new(),
            objects: Vec::new(),
            build: Vec::new(),
            ending: None,
            output: None,
        }
    }

    /// One more line.
    pub(super) fn line(&mut self, line: &mut Line<'_>) -> Result<(), Flaw> {
        let word = line.peek();
        match word {
            "this" => {
                line.takes_word(word);
                if self.target.receiver == Receiver::Static {
                    return Err(line.flaw("a static method has no receiver"));
                }
                line.need("=")?;
                let receiver = value::read(line, None)?;
                line.once(&mut self.receiver, receiver, "this")?;
            }
            "draw" => {
                line.takes_word(word);
                let name = line.name("the name of a draw")?;
                line.need("=")?;
                self.draws.push((name, value::read(line, None)?));
            }
            "object" => {
                line.takes_word(word);
                self.object(line)?;
            }
            "build" => {
                line.takes_word(word);
                self.build(line)?;
            }
            "returns" | "throws" | "exits" => {
                line.takes_word(word);
                let ending = self.ending(word, line)?;
                line.once(&mut self.ending, ending, "outcome")?;
            }
            "prints" => {
                line.takes_word(word);
                let text = if line.takes("?") { None } else { Some(line.text()?) };
                line.once(&mut self.output, text, "\"prints\"")?;
            }
            _ => self.argument(line)?,
        }
        Ok(())
    }

    fn argument(&mut self, line: &mut Line<'_>) -> Result<(), Flaw> {
        let name = line.name("an input, \"path\", \"returns\", \"throws\" or \"exits\"")?;
        let names: Vec<String> = (0..self.parameters.len()).map(|at| parameter(&self.target, at)).collect();
        let Some(at) = names.iter().position(|own| *own == name) else {
            let all = if names.is_empty() { "none".into() } else { names.join(", ") };
            return Err(line.flaw(format!("no parameter \"{name}\"; there are {all}")));
        };
        line.need("=")?;
        let of = &self.parameters[at];
        let given = value::read(line, Some(of))?;
        if !fits(&given, of) {
            let shown = value::write(&given, None);
            return Err(line.flaw(format!("\"{shown}\" is no {}", types::write(of))));
        }
        line.once(&mut self.arguments[at], given, &format!("\"{name}\""))
    }

    /// `object @1 (this.root) Tree$Node {key = 5}`
    fn object(&mut self, line: &mut Line<'_>) -> Result<(), Flaw> {
        line.need("@")?;
        let number = line.count("the number of an object")?;
        if number != self.objects.len() {
            return Err(line.flaw(format!("object @{number} where @{} is next", self.objects.len())));
        }
        line.need("(")?;
        let name = match line.rest().starts_with('"') {
            true => line.text()?,
            false => line.until(|c| c == ')').trim_end().to_string(),
        };
        line.need(")")?;
        let (class, body) = match types::read(line, "a class")? {
            Type::Array(element) => {
                let items = value::items(line, &element, 1)?;
                let class = format!("[{element}").replace('/', ".");
                (class, GraphBody::Elements { element: *element, items })
            }
            Type::Class(class) => {
                let class = class.replace('/', ".");
                let fields = fields(line, &class)?;
                (class, GraphBody::Fields(fields))
            }
            other => return Err(line.flaw(format!("\"{}\" is no class", other.to_java()))),
        };
        self.objects.push(GraphObject { class, name, body });
        Ok(())
    }

    /// `build @0 new(int): 8` or `build @0 boolean add(int): 5`
    fn build(&mut self, line: &mut Line<'_>) -> Result<(), Flaw> {
        line.need("@")?;
        let object = line.count("the number of an object")?;
        if line.takes_word("new") {
            let of = types::read_all(line)?;
            let arguments = arguments(line, &of)?;
            let constructor = types::descriptor(&of, None);
            self.build.push(Built { object, constructor, arguments, calls: Vec::new() });
            return Ok(());
        }
        let result = types::read_result(line)?;
        let method = line.name("the name of a method")?;
        let of = types::read_all(line)?;
        let arguments = arguments(line, &of)?;
        let descriptor = types::descriptor(&of, result.as_ref());
        match self.build.last_mut().filter(|built| built.object == object) {
            Some(built) => {
                built.calls.push(BuildCall { method, descriptor, arguments });
                Ok(())
            }
            None => Err(line.flaw(format!("a call on @{object} before \"build @{object} new(...)\""))),
        }
    }

    fn ending(&self, word: &str, line: &mut Line<'_>) -> Result<Ending, Flaw> {
        match word {
            "returns" if line.rest().is_empty() => Ok(Ending::Returned(None)),
            "returns" => Ok(Ending::Returned(Some(value::read(line, self.result.as_ref())?))),
            "throws" => {
                let class = line.name("a class of exceptions")?;
                let message = match line.rest() {
                    "" => Message::Unknown,
                    _ if line.takes_word("null") => Message::Null,
                    _ => Message::Text(line.quoted('"')?),
                };
                Ok(Ending::Threw { class, message })
            }
            _ => match value::read(line, Some(&Type::Int))? {
                JavaValue::Int(status) => Ok(Ending::Exited(status)),
                _ => Err(line.flaw("expected a status, which is an int")),
            },
        }
    }

    /// The test, or what it lacks.
    pub(super) fn end(self) -> Result<TestCase, String> {
        let mut arguments = Vec::with_capacity(self.arguments.len());
        for (at, argument) in self.arguments.into_iter().enumerate() {
            let name = parameter(&self.target, at);
            arguments.push(argument.ok_or_else(|| format!("no value of \"{name}\""))?);
        }
        let lacks = "no outcome\nhelp: write \"returns VALUE\", \"throws CLASS\" or \"exits N\"; the next \
                     update corrects it";
        let ending = self.ending.ok_or(lacks)?;
        let target = match self.receiver {
            Some(_) => Arc::new(Target { receiver: Receiver::Given, ..(*self.target).clone() }),
            None => self.target,
        };
        let case = TestCase {
            target,
            objects: self.objects,
            build: (!self.build.is_empty()).then_some(Build { objects: self.build }),
            receiver: self.receiver,
            arguments,
            draws: self.draws,
            ending,
            output: self.output.unwrap_or_else(|| Some(String::new())),
            title: String::new(),
            arms: None,
        };
        check_references(&case)?;
        Ok(case)
    }
}

/// Whether a value can be given to a parameter, as far as this can be decided without the classes.
fn fits(value: &JavaValue, of: &Type) -> bool {
    match value {
        JavaValue::Boolean(_) => *of == Type::Boolean,
        JavaValue::Byte(_) => *of == Type::Byte,
        JavaValue::Char(_) => *of == Type::Char,
        JavaValue::Short(_) => *of == Type::Short,
        JavaValue::Int(_) => *of == Type::Int,
        JavaValue::Long(_) => *of == Type::Long,
        JavaValue::Float(_) => *of == Type::Float,
        JavaValue::Double(_) => *of == Type::Double,
        _ => of.is_reference(),
    }
}

/// `{key = 5, Base::count = 3}`
fn fields(line: &mut Line<'_>, class: &str) -> Result<Vec<GraphField>, Flaw> {
    let mut fields = Vec::new();
    line.need("{")?;
    if line.takes("}") {
        return Ok(fields);
    }
    loop {
        let first = line.name("the name of a field")?;
        let (owner, name) = match line.takes("::") {
            true => (first, line.name("the name of a field")?),
            false => (class.to_string(), first),
        };
        line.need("=")?;
        fields.push(GraphField { owner, name, value: value::read(line, None)? });
        if line.takes("}") {
            return Ok(fields);
        }
        if !line.takes(",") {
            return Err(line.expected("\",\" or \"}\""));
        }
    }
}

/// The values behind a colon, one for each type.
fn arguments(line: &mut Line<'_>, of: &[Type]) -> Result<Vec<JavaValue>, Flaw> {
    let mut values = Vec::with_capacity(of.len());
    for (at, of) in of.iter().enumerate() {
        line.need(if at == 0 { ":" } else { "," })?;
        values.push(value::read(line, Some(of))?);
    }
    Ok(values)
}

/// Every reference has to point to an object that is there.
fn check_references(case: &TestCase) -> Result<(), String> {
    let mut missing = None;
    let mut look = |value: &JavaValue| {
        value.visit(&mut |part| {
            if let JavaValue::Ref(object) = part
                && *object >= case.objects.len()
            {
                missing = Some(*object);
            }
        })
    };
    case.receiver.iter().chain(&case.arguments).for_each(&mut look);
    case.draws.iter().for_each(|(_, value)| look(value));
    for object in &case.objects {
        match &object.body {
            GraphBody::Fields(fields) => fields.iter().for_each(|field| look(&field.value)),
            GraphBody::Elements { items, .. } => items.iter().for_each(&mut look),
        }
    }
    for built in case.build.iter().flat_map(|build| &build.objects) {
        look(&JavaValue::Ref(built.object));
        built.arguments.iter().for_each(&mut look);
        built.calls.iter().flat_map(|call| &call.arguments).for_each(&mut look);
    }
    missing.map_or(Ok(()), |object| Err(format!("no object @{object}")))
}
