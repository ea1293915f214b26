//! The smallest language that has suites: functions of integers that return one.
//!
//! ```text
//! function mid(x, y)
//!
//! test mid_returns1
//!   x = 1
//!   y = 2
//!   path 0+ 1-
//!   returns 1
//! ```

use evergreen_suite::line::{self, Line};
use evergreen_suite::{Decision, Flaw, Format};
use std::sync::Arc;

/// The language.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Tiny;

/// A function of a file. Several may have one name: `signature` is `/2` for two parameters.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Function {
    pub file: String,
    pub name: String,
    pub signature: String,
    pub parameters: Vec<String>,
}

impl Function {
    pub(crate) fn new(file: &str, name: &str, parameters: &[&str]) -> Function {
        let signature = format!("/{}", parameters.len());
        let parameters = parameters.iter().map(|own| own.to_string()).collect();
        Function { file: file.into(), name: name.into(), signature, parameters }
    }
}

/// A call of one, and what it returns.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Call {
    pub target: Arc<Function>,
    pub inputs: Vec<i64>,
    pub returns: i64,
}

/// What was read of a call.
pub(crate) struct Body {
    target: Arc<Function>,
    inputs: Vec<Option<i64>>,
    returns: Option<i64>,
}

impl Format for Tiny {
    type Target = Function;
    type Case = Call;
    type Body = Body;
    type SourceOptions = ();

    const RESERVED: &'static [&'static str] = &["mid_returns0"];

    fn unit(target: &Function) -> &str {
        &target.file
    }

    fn name(target: &Function) -> &str {
        &target.name
    }

    fn signature(target: &Function) -> &str {
        &target.signature
    }

    fn heading(target: &Function) -> String {
        let parameters: Vec<String> =
            target.parameters.iter().map(|own| line::name(own, Self::WORDS)).collect();
        format!("{}({})", line::name(&target.name, Self::WORDS), parameters.join(", "))
    }

    fn read_heading(unit: &str, line: &mut Line<'_>) -> Result<Function, Flaw> {
        let name = line.name("the name of a function")?;
        let mut parameters = Vec::new();
        line.need("(")?;
        while !line.takes(")") {
            if !parameters.is_empty() {
                line.need(",")?;
            }
            parameters.push(line.name("the name of a parameter")?);
        }
        let signature = format!("/{}", parameters.len());
        Ok(Function { file: unit.into(), name, signature, parameters })
    }

    fn target(case: &Call) -> &Arc<Function> {
        &case.target
    }

    fn inputs(case: &Call, section: &Function) -> Vec<String> {
        let input = |(own, value): (&String, &i64)| format!("{} = {value}", line::name(own, Self::WORDS));
        section.parameters.iter().zip(&case.inputs).map(input).collect()
    }

    fn outcome(case: &Call) -> Vec<String> {
        vec![format!("returns {}", case.returns)]
    }

    fn body(section: &Arc<Function>) -> Body {
        Body { target: section.clone(), inputs: vec![None; section.parameters.len()], returns: None }
    }

    fn read_line(body: &mut Body, line: &mut Line<'_>) -> Result<(), Flaw> {
        if line.takes_word("returns") {
            let returns = line.integer("an integer")?;
            return line.once(&mut body.returns, returns, "outcome");
        }
        let name = line.name("an input, \"path\" or \"returns\"")?;
        let Some(at) = body.target.parameters.iter().position(|own| *own == name) else {
            return Err(line.flaw(format!("no parameter \"{name}\"")));
        };
        line.need("=")?;
        let value = line.integer("an integer")?;
        line.once(&mut body.inputs[at], value, &format!("\"{name}\""))
    }

    fn end(body: Body) -> Result<Call, String> {
        let inputs = body.inputs.into_iter().collect::<Option<_>>().ok_or("an input is missing")?;
        Ok(Call { target: body.target, inputs, returns: body.returns.ok_or("no outcome")? })
    }

    fn test_name(case: &Call) -> String {
        format!("{}_returns{}", case.target.name, case.returns)
    }
}

/// The function `mid(x, y)` of the file `list.c`.
pub(crate) fn mid() -> Arc<Function> {
    Arc::new(Function::new("list.c", "mid", &["x", "y"]))
}

/// A test case of it.
pub(crate) fn case(target: &Arc<Function>, inputs: [i64; 2], returns: i64) -> Call {
    Call { target: target.clone(), inputs: inputs.to_vec(), returns }
}

/// Decisions in it: `0+` is `(0, 0)`.
pub(crate) fn decisions(target: &Function, all: &[(u32, u32)]) -> Vec<Decision> {
    let (unit, function): (Arc<str>, Arc<str>) = (target.file.as_str().into(), Tiny::function(target).into());
    let decision = |&(ordinal, arm): &(u32, u32)| Decision {
        unit: unit.clone(),
        function: function.clone(),
        kind: None,
        ordinal,
        arm,
    };
    all.iter().map(decision).collect()
}
