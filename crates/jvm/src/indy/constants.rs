//! Constants among bootstrap arguments: as text in a concatenation, as the name of an
//! enum constant in a switch.

use evergreen_classfile::{ClassFile, Constant, DynamicRef};

use super::bootstrap;

/// The text of a constant in a concatenation; javac only puts strings there.
pub(super) fn text(constant: &Constant) -> Option<Vec<u16>> {
    let text = match constant {
        Constant::String(text) => return Some(text.units().to_vec()),
        Constant::Int(value) => value.to_string(),
        Constant::Long(value) => value.to_string(),
        _ => return None,
    };
    Some(text.encode_utf16().collect())
}

/// The enum constant (class, name) that a dynamic label describes:
/// `EnumDesc.of(ClassDesc.of("p.Color"), "RED")`.
pub(super) fn enum_label(host: &ClassFile, label: &DynamicRef) -> Option<(String, String)> {
    let arguments = invoked(host, label, "java/lang/Enum$EnumDesc")?;
    let [Constant::Dynamic(class), Constant::String(name)] = arguments.as_slice() else { return None };
    let class = invoked(host, class, "java/lang/constant/ClassDesc")?;
    let [Constant::String(class)] = class.as_slice() else { return None };
    Some((class.to_string_lossy().replace('.', "/"), name.to_string_lossy()))
}

/// The arguments of `ConstantBootstraps.invoke(of, ...)`, if `of` is a method of `class`.
fn invoked(host: &ClassFile, constant: &DynamicRef, class: &str) -> Option<Vec<Constant>> {
    let (method, mut arguments) = bootstrap(host, constant.bootstrap).ok()?;
    if method.class != "java/lang/invoke/ConstantBootstraps"
        || method.name != "invoke"
        || arguments.is_empty()
    {
        return None;
    }
    match arguments.remove(0) {
        Constant::MethodHandle { member, .. } if &*member.class == class && &*member.name == "of" => {
            Some(arguments)
        }
        _ => None,
    }
}
