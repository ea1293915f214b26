//! The method of a function that is an input ([`crate::made`]): it looks for an earlier call with the same
//! arguments, and gives that call's answer or a new one.

use evergreen_symbolic::{Binary, Cond, Const, Expr, Rel};

use crate::classes::MethodId;
use crate::describe::box_kind;
use crate::made::{Answered, Input, Target};
use crate::narrowed::InputBound;
use crate::native::{Call, Done, Trap};
use crate::outcome::Ending;
use crate::rope::Part;
use crate::value::{Kind, Ref, Value};

/// Answers the running call.
pub(crate) fn answer(call: &mut Call<'_>) -> Result<Done, Trap> {
    let receiver = call.object(0)?;
    let found = call.state.made.functions.iter().position(|function| function.object == receiver);
    let Some(at) = found else {
        return Err(Trap::unsupported("a function that is no input", "this is a bug of evergreen"));
    };
    call.jvm.note_bound(call.state, InputBound::Functions);
    let Some(kind) = call.method.result else { return Ok(Done::Void) };
    let function = call.state.made.functions[at].clone();
    let is_called = |id: &&MethodId| call.jvm.method(**id).signature == call.method.signature;
    let Some(method) = function.methods.iter().find(is_called).copied() else {
        return Err(Trap::unsupported("a method that is no function's", "this is a bug of evergreen"));
    };
    let arguments = call.args[1..].to_vec();
    if let Some(ready) = function.ready {
        return Ok(add(call, at, Answered { method, arguments, answer: ready, again: Cond::FALSE }));
    }
    let mut again = Cond::FALSE;
    let mut same = Vec::new();
    let mut count = 0;
    for earlier in function.calls.iter().filter(|earlier| earlier.method == method) {
        count += 1;
        let equal = same_arguments(call, &earlier.arguments, &arguments)?;
        if equal == Cond::TRUE || kind == Kind::Reference && call.jvm.choose_whether(call.state, equal)? {
            return Ok(Done::Value(earlier.answer));
        }
        again = call.exprs().or(again, equal);
        same.push((equal, earlier.answer));
    }
    if count >= call.jvm.options.answers {
        // Numbers have not been compared: where the arguments are new, the path ends.
        if kind == Kind::Reference || !call.jvm.choose_whether(call.state, again)? {
            call.jvm.note_bound(call.state, InputBound::Answers);
            return Err(Trap::End(Box::new(Ending::Assumed)));
        }
        let (_, last) = same.pop().unwrap_or((Cond::TRUE, Value::Int(0)));
        return Ok(Done::Value(one_of(call, same, last)));
    }
    let name = format!("{}[{}]", function.name, function.calls.len());
    if kind != Kind::Reference {
        let new = call.jvm.number_input(&name, kind, None)?;
        let answer = one_of(call, same, new);
        return Ok(add(call, at, Answered { method, arguments, answer, again }));
    }
    let target = Target::Answer(at);
    // What it returns depends on its arguments, in a way that only its implementations know.
    if call.jvm.has_own_types(method) {
        call.jvm.note_bound(call.state, InputBound::References);
        return Ok(add(call, at, Answered { method, arguments, answer: Value::Null, again: Cond::FALSE }));
    }
    let of = call.jvm.answer_type(&function.of, method);
    let made = call.jvm.make_argument_for(call.state, &name, &of, None, function.depth, target);
    match made.map_err(|trap| *trap)? {
        Input::Value(answer) => {
            let is_array = |object: Ref| call.state.heap.array_length(object).is_some();
            if answer.as_ref().is_some_and(is_array) {
                call.jvm.note_bound(call.state, InputBound::Sharing);
            }
            Ok(add(call, at, Answered { method, arguments, answer, again: Cond::FALSE }))
        }
        // The call runs again when the answer is there: a new object, although it could be an argument.
        Input::Begun => {
            call.jvm.note_bound(call.state, InputBound::Sharing);
            Err(Trap::Again)
        }
    }
}

/// Notes a call and gives its answer.
fn add(call: &mut Call<'_>, function: usize, answered: Answered) -> Done {
    let answer = answered.answer;
    let function = &mut call.state.made_mut().functions[function];
    function.ready = None;
    function.calls.push(answered);
    Done::Value(answer)
}

/// The answer of the first call with the same arguments, else another number.
fn one_of(call: &Call<'_>, same: Vec<(Cond, Value)>, other: Value) -> Value {
    let mut answer = call.as_expr(other);
    for (equal, earlier) in same.into_iter().rev() {
        let earlier = call.as_expr(earlier);
        answer = call.exprs().ite(equal, earlier, answer);
    }
    call.value_of(answer)
}

/// Whether two calls have the same arguments.
fn same_arguments(call: &mut Call<'_>, one: &[Value], two: &[Value]) -> Result<Cond, Trap> {
    let mut same = Cond::TRUE;
    for (a, b) in one.iter().zip(two) {
        let equal = match (a, b) {
            (Value::Ref(a), Value::Ref(b)) => same_objects(call, *a, *b)?,
            (Value::Ref(_), _) | (_, Value::Ref(_)) => Cond::FALSE,
            (a, b) => same_numbers(call, *a, *b),
        };
        if equal == Cond::FALSE {
            return Ok(Cond::FALSE);
        }
        same = call.exprs().and(same, equal);
    }
    Ok(same)
}

/// Whether numbers are equal as boxes are: NaN is NaN, and 0.0 is not -0.0.
fn same_numbers(call: &Call<'_>, a: Value, b: Value) -> Cond {
    let is_nan = |value: Value| match value {
        Value::Float(number) => number.is_nan(),
        Value::Double(number) => number.is_nan(),
        _ => false,
    };
    if a.same(b) || is_nan(a) && is_nan(b) {
        return Cond::TRUE;
    }
    if !a.is_symbolic() && !b.is_symbolic() {
        return Cond::FALSE;
    }
    let (a, b) = (call.as_expr(a), call.as_expr(b));
    let mut exprs = call.exprs();
    let one = match exprs.kind(a) {
        evergreen_symbolic::Kind::F32 => Const::f32(1.0),
        evergreen_symbolic::Kind::F64 => Const::f64(1.0),
        _ => return exprs.relate(Rel::Eq, a, b),
    };
    let one = exprs.constant(one);
    let equal = exprs.relate(Rel::Eq, a, b);
    // The signs of zeros are those of their inverses.
    let inverse = |exprs: &mut evergreen_symbolic::Exprs, of: Expr| exprs.binary(Binary::Div, one, of);
    let (over_a, over_b) = (inverse(&mut exprs, a), inverse(&mut exprs, b));
    let signs = exprs.relate(Rel::Eq, over_a, over_b);
    let numbers = exprs.and(equal, signs);
    let (nan_a, nan_b) = (exprs.relate(Rel::Ne, a, a), exprs.relate(Rel::Ne, b, b));
    let nans = exprs.and(nan_a, nan_b);
    exprs.or(numbers, nans)
}

/// Strings and boxes are the same if they are equal; other objects if they are one.
fn same_objects(call: &mut Call<'_>, a: Ref, b: Ref) -> Result<Cond, Trap> {
    if a == b {
        return Ok(Cond::TRUE);
    }
    let class = call.state.heap.class_of(a);
    if class != call.state.heap.class_of(b) {
        return Ok(Cond::FALSE);
    }
    if Some(class) == call.jvm.known.string {
        return same_texts(call, a, b);
    }
    if box_kind(&call.jvm.class(class).name).is_none() {
        return Ok(Cond::FALSE);
    }
    let (a, b) = (call.field(a, "value"), call.field(b, "value"));
    Ok(same_numbers(call, a, b))
}

fn same_texts(call: &mut Call<'_>, a: Ref, b: Ref) -> Result<Cond, Trap> {
    if let Some(same) = super::open::same(call, a, b) {
        return Ok(same);
    }
    let (a, b) = (units(call, a)?, units(call, b)?);
    if a.len() != b.len() {
        return Ok(Cond::FALSE);
    }
    let mut same = Cond::TRUE;
    for (a, b) in a.into_iter().zip(b) {
        let equal = call.equal(a, b);
        same = call.exprs().and(same, equal);
    }
    Ok(same)
}

/// The characters of a string: the path chooses its length and the shapes of numbers in it.
fn units(call: &mut Call<'_>, text: Ref) -> Result<Vec<Value>, Trap> {
    call.jvm.fix_lengths(call.state, text)?;
    let mut units = Vec::new();
    let Some(parts) = call.jvm.parts(call.state, text) else {
        let what = "a function that is an input, called with a string of symbolic bytes";
        return Err(Trap::unsupported(what, "call it with strings that are made of characters"));
    };
    for part in parts.iter() {
        match part {
            Part::Text(text) => units.extend(text.iter().map(|unit| Value::Int(i32::from(*unit)))),
            Part::Symbolic(Kind::Char, expr) => units.push(Value::Sym(*expr)),
            Part::Symbolic(..) | Part::Input(_) => {
                call.jvm.write_out(call.state, text)?;
                return Err(Trap::Again);
            }
        }
    }
    Ok(units)
}
