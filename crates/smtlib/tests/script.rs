//! Commands other than assertions, and whole scripts with their places.

use evergreen_smtlib::{Command, Context};
use evergreen_term::Terms;
use expect_test::{Expect, expect};

/// Shows every command of a script, with its span.
fn check(text: &str, expected: Expect) {
    let mut terms = Terms::new();
    let mut context = Context::new(&mut terms);
    let script = context.read_script(&mut terms, text.as_bytes()).expect("s-expressions");
    let mut out = String::new();
    for item in script {
        let source = &text[item.span.clone()];
        let command = match item.command {
            Command::Opaque => "opaque".into(),
            Command::Assert { .. } => "assert".into(),
            Command::DeclareFun(symbol) => format!("declare {}", terms.symbol_text(symbol)),
            command => format!("{command:?}"),
        };
        out += &format!("{:?} {source} => {command}\n", item.span);
        if let Some(complaint) = item.complaint {
            out += &format!("  {} at {}\n", complaint.message, complaint.offset);
        }
    }
    expected.assert_eq(&out);
}

#[test]
fn every_command() {
    check(
        "(set-logic QF_LIA)
(set-option :produce-models true)
(set-option :smt.mbqi)
(set-info :source |a (b)|)
(declare-fun x () Int)
(push 2) (pop)
(get-info :all-statistics)
(get-option :print-success)
(echo \"a \"\"b\"\"\")
(check-sat) (check-sat-using (then simplify smt))
(get-model) (get-unsat-core) (get-unsat-assumptions)
(get-assertions) (get-proof) (get-assignment)
(minimize x) (maximize (+ x 1) :id a) (assert-soft (> x 1) :weight 2)
(labels) (eval x)
(reset-assertions) (reset) (exit)",
        expect![[r#"
            0..18 (set-logic QF_LIA) => SetLogic("QF_LIA")
            19..52 (set-option :produce-models true) => SetOption { keyword: ":produce-models", value: "true" }
            53..75 (set-option :smt.mbqi) => SetOption { keyword: ":smt.mbqi", value: "" }
            76..102 (set-info :source |a (b)|) => SetInfo { keyword: ":source", value: "|a (b)|" }
            103..125 (declare-fun x () Int) => declare x
            126..134 (push 2) => Push(2)
            135..140 (pop) => Pop(1)
            141..167 (get-info :all-statistics) => GetInfo(":all-statistics")
            168..195 (get-option :print-success) => GetOption(":print-success")
            196..212 (echo "a ""b""") => Echo("a \"b\"")
            213..224 (check-sat) => CheckSat
            225..262 (check-sat-using (then simplify smt)) => CheckSatUsing
            263..274 (get-model) => GetModel
            275..291 (get-unsat-core) => GetUnsatCore
            292..315 (get-unsat-assumptions) => GetUnsatAssumptions
            316..332 (get-assertions) => GetAssertions
            333..344 (get-proof) => GetProof
            345..361 (get-assignment) => GetAssignment
            362..374 (minimize x) => Minimize(TermId(2))
            375..399 (maximize (+ x 1) :id a) => Maximize(TermId(4))
            400..431 (assert-soft (> x 1) :weight 2) => AssertSoft(TermId(5))
            432..440 (labels) => opaque
            441..449 (eval x) => opaque
            450..468 (reset-assertions) => ResetAssertions
            469..476 (reset) => Reset
            477..483 (exit) => Exit
        "#]],
    );
}

#[test]
fn malformed_commands() {
    check(
        "(set-logic) (set-option produce-models) (get-info) (echo x) (check-sat-assuming x) (get-value)
(declare-fun f Int Int) (define-fun f (x) Int 1) (declare-sort) (declare-datatypes ((A 0)) ())
(declare-datatype B ()) (pop 1) (exit now) () foo",
        expect![[r#"
            0..11 (set-logic) => opaque
              "set-logic" takes 1 argument at 0
            12..39 (set-option produce-models) => opaque
              a keyword and a value expected at 12
            40..50 (get-info) => opaque
              "get-info" takes 1 argument at 40
            51..59 (echo x) => opaque
              a string expected at 57
            60..82 (check-sat-assuming x) => opaque
              a list of terms expected at 80
            83..94 (get-value) => opaque
              "get-value" takes 1 argument at 83
            95..118 (declare-fun f Int Int) => opaque
              a list expected at 110
            119..143 (define-fun f (x) Int 1) => opaque
              "f" cannot be declared again at 131
            144..158 (declare-sort) => opaque
              a name and a number of arguments expected at 144
            159..189 (declare-datatypes ((A 0)) ()) => opaque
              as many declarations as datatypes expected at 159
            190..213 (declare-datatype B ()) => opaque
              a datatype without constructors at 210
            214..221 (pop 1) => opaque
              1 levels cannot be popped: 0 are open at 214
            222..232 (exit now) => opaque
              "exit" takes 0 arguments at 222
            233..235 () => opaque
              a command expected at 233
            236..239 foo => opaque
              a command expected at 236
        "#]],
    );
}

/// What z3 reads besides the standard, which the standard's reader refuses.
#[test]
fn the_dialect_of_z3() {
    let text = "(declare-const x Int)
(declare-const p Bool)
(declare-fun f ((Int)) (Bool))
(assert (implies p (iff p (f -1))))
(assert (= x (if p -12 0)))
(declare-datatypes () ((Color red (blue (shade Int))) (Pair (pair (left Color) (right Color)))))
(assert (= (left (pair red (blue 1))) red))
(declare-datatypes (T) ((List nil (cons (head T) (tail List)))))
(declare-const l (List Int))
(assert (= (head (tail l)) -1))";
    let complaints = |is_z3: bool| {
        let mut terms = Terms::new();
        let mut context = Context::new(&mut terms);
        if is_z3 {
            context.read_as_z3(&mut terms);
        }
        let script = context.read_script(&mut terms, text.as_bytes()).expect("s-expressions");
        let asserted: Vec<String> = script
            .iter()
            .filter_map(|item| match item.command {
                Command::Assert { term, .. } => Some(evergreen_smtlib::print_term(&terms, term)),
                _ => None,
            })
            .collect();
        (script.iter().filter(|item| item.complaint.is_some()).count(), asserted)
    };
    let (refused, asserted) = complaints(true);
    assert_eq!(refused, 0);
    expect![[r#"
        (=> p (= p (f (- 1))))
        (= x (ite p (- 12) 0))
        (= (left (pair red (blue 1))) red)
        (= (head (tail l)) (- 1))"#]]
    .assert_eq(&asserted.join("\n"));
    assert!(complaints(false).0 >= 6, "another solver refuses such a text");
}

/// A script may take z3's second names for itself; what they mean then is the solver's to say.
#[test]
fn second_names_can_be_taken() {
    let mut terms = Terms::new();
    let mut context = Context::new(&mut terms);
    context.read_as_z3(&mut terms);
    let text = b"(declare-fun implies (Int Int) Bool)(assert (implies 1 2))(assert (=> true false))";
    let script = context.read_script(&mut terms, text).expect("s-expressions");
    let refused: Vec<bool> = script.iter().map(|item| item.complaint.is_some()).collect();
    assert_eq!(refused, [true, true, false]);
}
