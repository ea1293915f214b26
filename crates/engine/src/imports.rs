//! Who answers an import: WASI, the harness, or the host of replaced natives.
//!
//! An import that nobody answers ends the run when it is called, not before: most tests of a program that
//! could call `getpwnam` never do.

use crate::end::End;
use crate::error::EngineError;
use crate::harness::{self, Harness};
use crate::host::Linear;
use crate::module::{ImportedFunction, Shape};
use crate::natives::Native;
use crate::probe::helpers;
use crate::run::{State, Stop};
use crate::value::{Signature, Val};
use crate::wasi;
use wasmi::{Caller, Extern};

/// The module under which a planted module imports.
pub(crate) const MODULE: &str = "evergreen";
/// The import that records a decision.
pub(crate) const ARM: &str = "arm";

/// Who answers an import.
#[derive(Clone, Debug)]
pub(crate) enum Import {
    Wasi(&'static wasi::Call),
    Harness(Harness),
    Native(Native),
    /// Nobody: the message that names it.
    Missing(String),
}

/// Finds who answers an import, and checks its type.
///
/// # Errors
/// Values of its type cannot be passed.
pub(crate) fn resolve(import: &ImportedFunction, shape: &Shape) -> Result<Import, EngineError> {
    let error = |message: String| EngineError::Import {
        module: import.module.clone(),
        name: import.name.clone(),
        message,
    };
    let missing = |message: String| Import::Missing(error(message).to_string());
    let signature = shape.types.get(import.ty as usize).and_then(Option::as_ref);
    let signature = signature.ok_or_else(|| error("a function with references".to_string()))?;
    let letters = signature.letters();
    if import.module == wasi::MODULE {
        return Ok(match wasi::find(&import.name) {
            None => missing("not a function of WASI preview 1".to_string()),
            Some(call) if call.letters != letters => {
                missing(format!("has type '{}', is imported as '{letters}'", call.letters))
            }
            Some(call) => Import::Wasi(call),
        });
    }
    if import.module != "env" {
        return Ok(missing("no host provides this module".to_string()));
    }
    Ok(match harness::find(&import.name) {
        None => missing("no host provides this function".to_string()),
        Some(found) if !found.fits(signature) => missing(format!("is imported with type '{letters}'")),
        Some(found) => Import::Harness(found),
    })
}

/// The memory of the module that calls.
struct Guest<'a, 'b> {
    caller: &'a mut Caller<'b, State>,
    memory: Option<wasmi::Memory>,
}

impl Linear for Guest<'_, '_> {
    fn bytes(&mut self) -> &mut [u8] {
        match self.memory {
            Some(memory) => memory.data_mut(&mut *self.caller),
            None => &mut [],
        }
    }

    fn grow(&mut self, pages: u32) -> bool {
        self.memory.is_some_and(|memory| memory.grow(&mut *self.caller, u64::from(pages)).is_ok())
    }
}

impl Import {
    /// Answers a call.
    pub(crate) fn call(
        &self,
        mut caller: Caller<'_, State>,
        args: &[wasmi::Val],
        results: &mut [wasmi::Val],
        signature: &Signature,
    ) -> Result<(), wasmi::Error> {
        let memory = match caller.get_export(helpers::MEMORY) {
            Some(Extern::Memory(memory)) => Some(memory),
            _ => None,
        };
        let args: Vec<Val> = args.iter().filter_map(Val::from_engine).collect();
        let answer = match self {
            Import::Native(native) => native_call(&mut caller, memory, native, &args),
            Import::Missing(message) => Err(End::Missing(message.clone())),
            Import::Wasi(_) | Import::Harness(_) => {
                let (bytes, state) = match memory {
                    Some(memory) => memory.data_and_store_mut(&mut caller),
                    None => (&mut [][..], caller.data_mut()),
                };
                self.hosted(state, bytes, &args, signature)
            }
        };
        charge(&mut caller)?;
        match answer {
            Ok(None) => Ok(()),
            Ok(Some(value)) => {
                if let Some(result) = results.first_mut() {
                    *result = value.to_engine();
                }
                Ok(())
            }
            Err(end) => Err(wasmi::Error::host(Stop(end))),
        }
    }

    fn hosted(
        &self,
        state: &mut State,
        bytes: &mut [u8],
        args: &[Val],
        signature: &Signature,
    ) -> Result<Option<Val>, End> {
        match self {
            Import::Wasi(call) => state.wasi.call(call, args, bytes),
            Import::Harness(harness) => {
                let bits = harness.call(args, &mut state.draws, bytes)?;
                Ok(signature.results.first().map(|&ty| Val::from_bits(ty, bits)))
            }
            Import::Native(_) | Import::Missing(_) => Ok(None),
        }
    }
}

fn native_call(
    caller: &mut Caller<'_, State>,
    memory: Option<wasmi::Memory>,
    native: &Native,
    args: &[Val],
) -> Result<Option<Val>, End> {
    // The host is a part of the state through which the memory is reached.
    let Some(mut host) = caller.data_mut().host.take() else { return Ok(None) };
    let answer = host.call(native, args, &mut Guest { caller, memory });
    caller.data_mut().host = Some(host);
    answer
}

/// Takes fuel for the bytes that the host moved: else a loop of large reads would run for days on little
/// fuel.
fn charge(caller: &mut Caller<'_, State>) -> Result<(), wasmi::Error> {
    let moved = std::mem::take(&mut caller.data_mut().wasi.moved);
    if moved == 0 {
        return Ok(());
    }
    let left = caller.get_fuel()?;
    if left < moved {
        caller.set_fuel(0)?;
        return Err(wasmi::Error::host(Stop(End::OutOfFuel)));
    }
    caller.set_fuel(left - moved)
}
