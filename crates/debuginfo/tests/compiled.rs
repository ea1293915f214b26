//! Debug information of C that a real clang compiled.

use evergreen_c_in_tests::{Checks, Clang, Sources};
use evergreen_debuginfo::{DebugInfo, Encoding, Type};
use evergreen_testing::tools::put_on_path;
use std::path::Path;
use std::sync::OnceLock;

const FILE: &str = "tests/shapes.c";

/// The module, compiled once, with red zones: the form that is explored.
pub(crate) fn module() -> &'static [u8] {
    static MODULE: OnceLock<Vec<u8>> = OnceLock::new();
    MODULE.get_or_init(|| compile(Checks::default(), &[]))
}

fn compile(checks: Checks, args: &[&str]) -> Vec<u8> {
    put_on_path();
    let files = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE)];
    let args = args.iter().map(Into::into).collect();
    let clang = Clang::find(None).unwrap_or_else(|e| panic!("{e}"));
    let sources = Sources { files, args, checks, ..Sources::default() };
    clang.compile(&sources).unwrap_or_else(|e| panic!("{e}")).module
}

fn info() -> DebugInfo {
    DebugInfo::read(module()).unwrap()
}

/// The line of the source with this text, from 1.
fn line_of(text: &str) -> u32 {
    let source = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE)).unwrap();
    let found = source.lines().position(|line| line.contains(text));
    1 + found.unwrap_or_else(|| panic!("no line has '{text}'")) as u32
}

#[test]
fn functions_have_signatures() {
    let info = info();
    let check = |name: &str, expected: &str| {
        let function = info.function(name).unwrap_or_else(|| panic!("{name} is missing"));
        let types = info.types();
        let mut parameters: Vec<String> = function
            .parameters
            .iter()
            .map(|p| format!("{}: {}", p.name.as_deref().unwrap_or("_"), types.shown(p.ty)))
            .collect();
        parameters.extend(function.is_variadic.then(|| "...".to_string()));
        let text = format!("({}) -> {}", parameters.join(", "), types.shown(function.result));
        assert_eq!(text, expected, "{name}");
        let (file, line) = function.declared.expect("a declaration");
        assert!(Path::new(info.file(file)).ends_with("shapes.c"), "{}", info.file(file));
        assert_eq!(line, line_of(&format!(" {name}(")), "{name}");
    };
    check("area", "(p: struct point *, colour: colour_t) -> int");
    check("total", "(points: struct point *, n: size_t, twice: _Bool, names: char **) -> count_t");
    check("nothing", "(c: unsigned char, wide: long long, many: int, ...) -> void");
    check("main", "(argc: int, argv: char **) -> int");
    assert!(info.function("total").unwrap().is_external && !info.function("area").unwrap().is_external);
    assert!(info.function("dropped").is_none(), "the linker dropped it");
}

#[test]
fn types_are_a_graph() {
    let info = info();
    let types = info.types();
    let variable = |name: &str| info.variables().iter().find(|v| v.name == name).expect("a variable");
    let Type::Record(node) = types.resolve(variable("root").ty) else { panic!("a struct") };
    let members: Vec<String> = node
        .members
        .iter()
        .map(|m| {
            format!(
                "{} {} {} {:?}",
                m.offset,
                m.name.as_deref().unwrap_or(""),
                types.shown(m.ty),
                types.size(m.ty)
            )
        })
        .collect();
    assert_eq!(
        members,
        [
            "0 left struct node * Some(4)",
            "4 value union either Some(4)",
            "8 name char [2][5] Some(10)",
            "20 compare compare_t Some(4)"
        ]
    );
    assert_eq!((node.size, types.size(variable("shades").ty)), (Some(24), Some(12)));
    let Type::Pointer { to } = types.resolve(node.members[0].ty) else { panic!("a pointer") };
    assert_eq!(types.resolve(*to), types.resolve(variable("root").ty), "it refers to itself");
    let Type::Pointer { to } = types.resolve(node.members[3].ty) else { panic!("a pointer") };
    assert_eq!(types.shown(*to), "int ()(void *, void *)");
    assert_eq!(types.shown(node.members[3].ty), "compare_t");
}

#[test]
fn enumerations_bit_fields_and_encodings_are_read() {
    let info = info();
    let types = info.types();
    let area = info.function("area").unwrap();
    let Type::Enum { enumerators, size: 4, .. } = types.resolve(area.parameters[1].ty) else {
        panic!("an enum")
    };
    let constants: Vec<_> = enumerators.iter().map(|e| (e.name.as_str(), e.value)).collect();
    assert_eq!(constants, [("RED", 1), ("GREEN", -2)]);
    let Type::Pointer { to } = types.resolve(area.parameters[0].ty) else { panic!("a pointer") };
    let Type::Record(point) = types.resolve(*to) else { panic!("a struct") };
    let places: Vec<_> = point.members.iter().map(|m| (m.offset, m.bits)).collect();
    // `high` begins in the byte of `low`: bits 3 to 9.
    assert_eq!(places, [(0, None), (4, None), (6, Some((0, 3))), (6, Some((3, 7)))]);
    let encoding = |function: &str, parameter: usize| {
        let ty = info.function(function).unwrap().parameters[parameter].ty;
        let Type::Base { encoding, size, .. } = types.resolve(ty) else { panic!("a base type") };
        (*encoding, *size)
    };
    assert_eq!(encoding("nothing", 0), (Encoding::UnsignedChar, 1));
    assert_eq!(encoding("nothing", 1), (Encoding::Signed, 8));
    assert_eq!(encoding("total", 1), (Encoding::Unsigned, 4));
    assert_eq!(encoding("total", 2), (Encoding::Bool, 1));
    let weight = info.variables().iter().find(|v| v.name == "weight").expect("a variable");
    assert_eq!(types.size(weight.ty), Some(8));
}

#[test]
fn variables_have_the_addresses_of_their_data() {
    let info = info();
    let calls = info.variables().iter().find(|v| v.name == "calls").expect("the static of area");
    assert_eq!(calls.function.as_deref(), Some("area"));
    let weight = info.variables().iter().find(|v| v.name == "weight").expect("a variable");
    assert_eq!(weight.declared.map(|d| d.1), Some(line_of("double weight")));
    // The memory's initial contents at that address are 1.5.
    let mut found = None;
    for payload in wasmparser::Parser::new(0).parse_all(module()) {
        let Ok(wasmparser::Payload::DataSection(data)) = payload else { continue };
        for segment in data {
            let segment = segment.unwrap();
            let wasmparser::DataKind::Active { offset_expr, .. } = segment.kind else { continue };
            let mut reader = offset_expr.get_operators_reader();
            let Ok(wasmparser::Operator::I32Const { value }) = reader.read() else { panic!("a constant") };
            let at = weight.address.wrapping_sub(value as u32) as usize;
            found = found.or(segment.data.get(at..at + 8).map(|b| f64::from_le_bytes(b.try_into().unwrap())));
        }
    }
    assert_eq!(found, Some(1.5));
}

/// The address of an instruction is its offset from the contents of the code section: the call of `area` in
/// `total` comes from the line that calls it.
#[test]
fn instructions_have_lines() {
    let info = info();
    let index = |name: &str| info.names().find(|(_, n)| *n == name).map(|(i, _)| i).expect("a name");
    let (area, total) = (index("area"), index("total"));
    let mut calls = Vec::new();
    for payload in wasmparser::Parser::new(0).parse_all(module()) {
        let Ok(wasmparser::Payload::CodeSectionEntry(body)) = payload else { continue };
        for operator in body.get_operators_reader().unwrap().into_iter_with_offsets() {
            let (operator, at) = operator.unwrap();
            if matches!(operator, wasmparser::Operator::Call { function_index } if function_index == area) {
                calls.push((at - info.code_start()) as u32);
            }
        }
    }
    assert_eq!(calls.len(), 1);
    let line = info.line(calls[0]).expect("a line");
    assert_eq!((line.line, line.column), (line_of("area(&points"), 25));
    assert!(info.file(line.file).ends_with("shapes.c"));
    assert_eq!(info.function_at(calls[0]).unwrap().name, "total");
    assert_eq!(info.index_at(calls[0]), Some(total));
    assert_eq!(info.function_of(total).unwrap().name, "total");
    assert!(info.lines().windows(2).all(|pair| pair[0].end <= pair[1].start));
    assert_eq!(info.line(u32::MAX), None);
}

/// Each kind of debug information that clang can be asked for says the same.
#[test]
fn versions_of_dwarf_agree() {
    let lines = |args: &[&str]| {
        let info = DebugInfo::read(&compile(Checks { objects: false, undefined: false }, args)).unwrap();
        let mut text: Vec<String> =
            info.lines().iter().map(|r| format!("{}-{} {:?}", r.start, r.end, r.line.line)).collect();
        text.extend(info.functions().iter().map(|f| format!("{} {} {}", f.name, f.start, f.end)));
        text.extend(info.variables().iter().map(|v| format!("{} {}", v.name, info.types().shown(v.ty))));
        text
    };
    let default = lines(&[]);
    assert!(default.len() > 50, "{default:?}");
    assert_eq!(lines(&["-gdwarf-4"]), default);
    assert_eq!(lines(&["-gdwarf-5"]), default);
}

#[test]
fn a_module_without_debug_information_is_empty() {
    let bytes = compile(Checks { objects: false, undefined: false }, &["-g0"]);
    let info = DebugInfo::read(&bytes).unwrap();
    // The compiler runtime that is linked has debug information of its own.
    assert!(info.function("total").is_none() && !info.variables().iter().any(|v| v.name == "weight"));
    assert!(!info.files().iter().any(|file| file.ends_with("shapes.c")));
    assert!(info.names().any(|(_, name)| name == "total"), "the section of names is there");
    let stripped = compile(Checks { objects: false, undefined: false }, &["-Wl,--strip-all"]);
    assert_eq!(DebugInfo::read(&stripped).unwrap().names().count(), 0);
}

#[test]
fn what_is_no_module_is_an_error() {
    let said = DebugInfo::read(b"int main;").unwrap_err().to_string();
    assert!(said.starts_with("module at offset 0x"), "{said}");
    assert!(DebugInfo::read(&[]).is_err());
}
