//! Class files that no compiler here writes: old ones, wide instructions, padding,
//! subroutines, full pools, wrong ones.

use crate::support::Assembler;
use evergreen_classfile::*;
use evergreen_classfile::{Instruction as I, SwitchCases};

/// A class of Java 6 with one method `m`.
fn with_code(code: &[u8]) -> Vec<u8> {
    with_handlers(code, &[])
}

fn with_handlers(code: &[u8], handlers: &[[u16; 4]]) -> Vec<u8> {
    let mut assembler = Assembler::new((50, 0));
    assembler.method("m", "()V", code, handlers);
    assembler.finish("T")
}

fn code_of(bytes: &[u8]) -> Code {
    let class = read(bytes).unwrap();
    let outline = read_outline(bytes).unwrap();
    assert!(outline.methods[0].code.is_none());
    let later = outline.decode(bytes, outline.methods[0].body.unwrap()).unwrap();
    // As text, in which NaN equals itself.
    assert_eq!(format!("{:?}", class.methods[0].code.as_ref().unwrap()), format!("{later:?}"));
    later
}

fn refuses(bytes: &[u8], what: &str) {
    let error = read(bytes).expect_err(what).to_string();
    assert!(error.contains(what), "'{error}' does not say '{what}'");
}

#[test]
fn names_that_the_jvm_refuses_are_none() {
    for class in ["../../evil", "a/../b", "/a", "a/", "a//b", "a;b", "[a", "a.b", ""] {
        refuses(&Assembler::new((50, 0)).finish(class), "is no name of a class");
    }
    for method in ["a/b", "../a", "a;", "[", "", "<a>", "a<b", "init>"] {
        let mut assembler = Assembler::new((50, 0));
        assembler.method(method, "()V", &[177], &[]);
        refuses(&assembler.finish("T"), "is no name of a method");
    }
    // Nearly all else is one.
    for name in ["*\\u002f", "a\"b", "a b", "\n", "\u{1b}", "\u{202e}", "\\", "<", "-", "\u{e9}"] {
        let mut assembler = Assembler::new((50, 0));
        let method = name.replace('<', "");
        assembler.method(if method.is_empty() { "<init>" } else { &method }, "()V", &[177], &[]);
        assert_eq!(&*read(&assembler.finish(name)).unwrap().name, name);
    }
}

#[test]
fn wide_instructions_are_folded_in() {
    let code = code_of(&with_code(&[
        196, 21, 1, 0, 196, 56, 1, 1, 196, 132, 2, 0, 0xFF, 0x00, 132, 5, 0xFF, 196, 169, 1, 2, 177,
    ]));
    let expected = [
        I::Load(Kind::Int, 256),
        I::Store(Kind::Float, 257),
        I::Iinc(512, -256),
        I::Iinc(5, -1),
        I::Ret(258),
        I::Return(None),
    ];
    assert_eq!(code.instructions, expected);
    assert_eq!(code.offsets, [0, 4, 8, 14, 17, 21]);
}

#[test]
fn switches_are_padded_from_the_start_of_the_code() {
    for padding in 0..4usize {
        let mut code = vec![0; padding];
        // The switch is at `padding`, its default leads to the return behind it.
        let gap = (padding + 1).wrapping_neg() % 4;
        let size = 1 + gap + 12 + 8;
        code.push(170);
        code.extend(vec![0; gap]);
        for n in [size as i32, -1, 0, size as i32, -(padding as i32)] {
            code.extend(n.to_be_bytes());
        }
        code.push(177);
        let code = code_of(&with_code(&code));
        let end = padding as u32 + 1;
        let switch = &code.switches[0];
        assert_eq!(switch.cases, SwitchCases::Table { low: -1, targets: vec![end, 0] });
        assert_eq!(code.instructions[end as usize], I::Return(None));
        assert_eq!(
            [-2, -1, 0, 1, i32::MIN, i32::MAX].map(|v| switch.target(v)),
            [end, end, 0, end, end, end]
        );
    }
}

#[test]
fn lookup_switches_find_their_values() {
    let mut code = vec![171, 0, 0, 0];
    for n in [36i32, 3, i32::MIN, 37, 0, 38, i32::MAX, 0] {
        code.extend(n.to_be_bytes());
    }
    code.extend([0, 0, 177]);
    let code = code_of(&with_code(&code));
    let switch = &code.switches[0];
    assert_eq!([i32::MIN, 0, i32::MAX, 5].map(|v| switch.target(v)), [2, 3, 0, 1]);
    assert_eq!(switch.iter().collect::<Vec<_>>(), [(i32::MIN, 2), (0, 3), (i32::MAX, 0)]);
}

#[test]
fn subroutines_are_read() {
    // jsr 4; return; astore_1; ret 1; jsr_w back to the start
    let code = code_of(&with_code(&[168, 0, 4, 177, 76, 169, 1, 201, 0xFF, 0xFF, 0xFF, 0xF9]));
    let expected = [I::Jsr(2), I::Return(None), I::Store(Kind::Ref, 1), I::Ret(1), I::Jsr(0)];
    assert_eq!(code.instructions, expected);
}

#[test]
fn a_handler_may_end_where_the_code_ends() {
    let code = code_of(&with_handlers(&[0, 0, 191], &[[0, 3, 2, 0]]));
    assert_eq!(code.handlers, [Handler { from: 0, to: 3, target: 2, catch: None }]);
    refuses(&with_handlers(&[0, 0, 191], &[[0, 3, 3, 0]]), "a handler's range");
    refuses(&with_handlers(&[0, 0, 191], &[[0, 4, 2, 0]]), "a handler's range");
    refuses(&with_handlers(&[0, 0, 191], &[[1, 1, 2, 0]]), "a handler's range");
    refuses(&with_handlers(&[16, 7, 191], &[[1, 3, 2, 0]]), "a handler's range");
}

#[test]
fn the_first_class_files_had_narrow_code() {
    let mut assembler = Assembler::new((45, 2));
    assembler.method("m", "()V", &[3, 87, 177], &[]);
    let code = code_of(&assembler.finish("T"));
    assert_eq!((code.max_stack, code.max_locals), (9, 9));
    assert_eq!(code.instructions, [I::Int(0), I::Stack(StackOp::Pop), I::Return(None)]);
}

#[test]
fn a_full_pool_is_read_to_its_last_entry() {
    let mut assembler = Assembler::new((50, 0));
    let mut last = 0;
    // 65,535 is the largest count; the class itself needs some entries at the end.
    while assembler.count < 65_535 - 10 {
        last = assembler.entry(&[&[3][..], &assembler.count.to_be_bytes()].concat());
    }
    let [high, low] = last.to_be_bytes();
    assembler.method("m", "()V", &[19, high, low, 87, 177], &[]);
    let bytes = assembler.finish("T");
    assert_eq!(code_of(&bytes).instructions[0], I::Int(i32::from(last)));
    assert!(read(&bytes).unwrap().pool.len() > 65_525);
}

#[test]
fn every_constant_is_loadable() {
    let mut a = Assembler::new((55, 0));
    let text = a.utf8_bytes(&[0xED, 0xA0, 0x80, b'!']);
    let string = a.refer(8, text);
    let (long, double) = (a.wide_entry(5, u64::MAX), a.wide_entry(6, f64::NAN.to_bits()));
    let class = a.class("[I");
    let descriptor = a.utf8("(I)V");
    let method_type = a.refer(16, descriptor);
    let target = a.member(10, "T", "m", "()V");
    let handle = a.entry(&[15, 6, (target >> 8) as u8, target as u8]);
    let name = a.name_and_type("c", "I");
    let dynamic = a.refer2(17, 0, name);
    let mut code = Vec::new();
    for index in [string, class, method_type, handle, dynamic] {
        code.extend([19, (index >> 8) as u8, index as u8]);
    }
    for index in [long, double] {
        code.extend([20, (index >> 8) as u8, index as u8]);
    }
    code.push(177);
    a.method("m", "()V", &code, &[]);
    // One bootstrap method, with a dynamic constant among its arguments.
    let body = [1, handle, 2, dynamic, string].map(u16::to_be_bytes).concat();
    a.class_attribute("BootstrapMethods", &body);
    let bytes = a.finish("T");
    let class = read(&bytes).unwrap();
    let member =
        Member { kind: MemberKind::Method, class: "T".into(), name: "m".into(), descriptor: "()V".into() };
    let handle = Constant::MethodHandle { kind: HandleKind::InvokeStatic, member };
    let dynamic = Constant::Dynamic(DynamicRef { bootstrap: 0, name: "c".into(), descriptor: "I".into() });
    let string = Constant::String(JavaString::new(&[0xD800, 0x21]));
    let mut found = Vec::new();
    for instruction in &code_of(&bytes).instructions {
        match instruction {
            I::Ldc(index) => found.push(class.pool.constant(*index).unwrap()),
            I::Long(n) => assert_eq!(*n, -1),
            I::Double(n) => assert!(n.is_nan()),
            other => assert_eq!(*other, I::Return(None)),
        }
    }
    let expected = [
        string.clone(),
        Constant::Class("[I".into()),
        Constant::MethodType("(I)V".into()),
        handle.clone(),
        dynamic.clone(),
    ];
    assert_eq!(found, expected);
    assert_eq!(class.bootstrap, [Bootstrap { method: handle, arguments: vec![dynamic, string] }]);
}

#[test]
fn lines_and_variables_are_instruction_indices() {
    let mut a = Assembler::new((50, 0));
    let (name, descriptor) = (a.utf8("x"), a.utf8("I"));
    // bipush 7; istore_0; return: bytes 0, 2, 3.
    let lines = a.attribute("LineNumberTable", &[2, 2, 12, 0, 10].map(u16::to_be_bytes).concat());
    let variables = [1, 3, 1, name, descriptor, 0].map(u16::to_be_bytes).concat();
    let variables = a.attribute("LocalVariableTable", &variables);
    a.method_with("m", "()V", &[16, 7, 59, 177], &[], &[lines, variables]);
    let code = code_of(&a.finish("T"));
    assert_eq!(code.lines, [(0, 10), (1, 12)]);
    assert_eq!([0, 1, 2].map(|i| code.line(i)), [Some(10), Some(12), Some(12)]);
    let x = LocalVariable { from: 2, to: 3, name: "x".into(), descriptor: "I".into(), slot: 0 };
    assert_eq!(code.variables, std::slice::from_ref(&x));
    assert_eq!((code.variable(0, 2), code.variable(0, 1)), (Some(&x), None));
}

#[test]
fn wrong_classes_are_refused_with_a_place() {
    refuses(b"", "byte 0: the input ends");
    refuses(b"PK\x03\x04", "byte 0: not a class file");
    let good = with_code(&[177]);
    let mut newer = good.clone();
    newer[7] = 70;
    refuses(&newer, "byte 4: class file version 70.0 is not supported; 45 to 69 (Java 25) are");
    refuses(&good[..good.len() - 1], "the input ends");
    refuses(&[&good[..], &[0]].concat(), "1 bytes too many at the end of the class file");
    refuses(&with_code(&[]), "code of 0 bytes");
    refuses(&with_code(&vec![0; 65_536]), "code of 65536 bytes");
    refuses(&with_code(&[203]), "'203' is no instruction");
    refuses(&with_code(&[196, 0, 0, 0]), "wide does not go with instruction '0'");
    refuses(&with_code(&[167, 0, 1, 177]), "into the middle of an instruction");
    refuses(&with_code(&[167, 0, 4, 177]), "into the middle of an instruction");
    refuses(&with_code(&[167, 0xFF, 0xFF, 177]), "a jump leads out of the code");
    refuses(&with_code(&[18, 1, 177]), "pool entry 1 should be a loadable constant, but is a text");
    refuses(&with_code(&[187, 0xFF, 0xFF, 177]), "pool entry 65535 should be a class, but is nothing");
    refuses(&with_code(&[188, 3, 177]), "'3' is no element type of newarray");
    refuses(&with_code(&[170, 0, 0, 0, 0, 0, 0, 0, 0x80, 0, 0, 0, 0x7F, 0xFF, 0xFF, 0xFF]), "does not fit");
    refuses(&with_code(&[171, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]), "does not fit");
    let mut a = Assembler::new((50, 0));
    a.entry(&[2, 0, 0]);
    refuses(&a.finish("T"), "byte 10: '2' is no tag of a pool entry");
    let mut a = Assembler::new((50, 0));
    a.refer(7, 1);
    refuses(&a.finish("T"), "byte 10: pool entry 1 should be a text, but is a class");
    let mut a = Assembler::new((55, 0));
    let name = a.name_and_type("c", "I");
    a.refer2(17, 0, name);
    refuses(&a.finish("T"), "wants bootstrap method 0 of 0");
}
