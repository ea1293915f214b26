//! What `invokedynamic` call sites and dynamic constants are linked to.

use crate::native::{Call, Done, Trap};
use crate::value::Value;

/// Runs the call site at pool index `index` of `call.method`'s class; `call.method` is the method that contains the
/// instruction, `call.args` are the operands.
pub(crate) fn invoke(call: &mut Call<'_>, index: u16) -> Result<Done, Trap> {
    Err(Trap::unsupported(format!("invokedynamic {index} in {}", call.method.full_name()), ""))
}

/// The value of a method handle, method type or dynamic constant at pool index `index` of `call.method`'s class.
pub(crate) fn constant(call: &mut Call<'_>, index: u16) -> Result<Value, Trap> {
    Err(Trap::unsupported(format!("constant {index} in {}", call.method.full_name()), ""))
}
