//! Commands become terms: every theory, every scope, every refusal, as text in and text out.

use evergreen_smtlib::{Command, Context, Position, Splitter, print_sort, print_term};
use evergreen_term::Terms;
use expect_test::{Expect, expect};

/// Reads a script and shows what each command that is worth showing became.
fn check(script: &str, expected: Expect) {
    let mut terms = Terms::new();
    let mut context = Context::new(&mut terms);
    let mut splitter = Splitter::new();
    splitter.feed(script.as_bytes());
    let mut out = String::new();
    while let Some(piece) = splitter.next_piece() {
        let line = match context.read(&mut terms, piece.text) {
            Ok(command) => show(&terms, command),
            Err(error) => error.render("t", piece.text, piece.position()),
        };
        out += &line;
    }
    expected.assert_eq(&out);
}

fn show(terms: &Terms, command: Command) -> String {
    match command {
        Command::Assert { term, label, names, labelled } => {
            let mut line = print_term(terms, term);
            if let Some(label) = label {
                line += &format!(" label {}", terms.text(label));
            }
            for (name, term) in names {
                line += &format!(" [{} = {}]", terms.text(name), print_term(terms, term));
            }
            for l in labelled {
                let sign = if l.is_positive { '+' } else { '-' };
                line += &format!(" {{{sign} {} = {}}}", terms.text(l.name), print_term(terms, l.term));
            }
            line + "\n"
        }
        Command::GetValue(list) | Command::CheckSatAssuming(list) => {
            list.iter().map(|s| format!("{:?} {}\n", s.span, print_term(terms, s.term))).collect()
        }
        Command::DefineFun { name, params, body } => {
            let params: Vec<String> = params.iter().map(|s| print_sort(terms, *s)).collect();
            format!("{} {params:?} := {}\n", terms.text(name), print_term(terms, body))
        }
        Command::Opaque => "opaque\n".into(),
        _ => String::new(),
    }
}

#[test]
fn core_and_let() {
    check(
        "(declare-const p Bool)(declare-fun q () Bool)(declare-fun f (Bool Bool) Bool)
         (assert (let ((x (and p q)) (y p)) (or (f x y) (=> x (xor p q)) (ite p x y))))
         (assert (let ((p q)) (let ((q p)) (= p q))))
         (assert (distinct p q true))
         (assert (not |p|))",
        expect![[r#"
            (let ((?l0 (and p q))) (or (f ?l0 p) (=> ?l0 (xor p q)) (ite p ?l0 p)))
            (= q q)
            (distinct p q true)
            (not p)
        "#]],
    );
}

#[test]
fn let_binds_in_parallel() {
    check(
        "(declare-const x Int)(declare-const y Int)
         (assert (let ((x y) (y x)) (< x y)))",
        expect![[r#"
            (< y x)
        "#]],
    );
}

#[test]
fn integers_and_reals_mix() {
    check(
        "(declare-const x Int)(declare-const y Real)(declare-fun f (Real) Int)
         (assert (< (+ x 1) y))
         (assert (= y 1 x))
         (assert (= (ite (> x 0) 1 y) (/ x 2)))
         (assert (= (f x) (f 1) (- 5) (- x) (- x 1 2)))
         (assert (= y (/ 1 3) (- (/ 2 4)) 1.50 (/ y 0) (/ 1 0)))
         (assert ((_ divisible 3) (div x 2)))
         (assert (= (to_int y) (mod x 7) (abs x)))
         (assert (is_int (to_real x)))",
        expect![[r#"
            (< (to_real (+ x 1)) y)
            (= y 1.0 (to_real x))
            (= (ite (> x 0) 1.0 y) (/ (to_real x) 2.0))
            (= (f (to_real x)) (f 1.0) (- 5) (- x) (- x 1 2))
            (= y (/ 1.0 3.0) (/ (- 1.0) 2.0) (/ 3.0 2.0) (/ y 0.0) (/ 1.0 0.0))
            ((_ divisible 3) (div x 2))
            (= (to_int y) (mod x 7) (abs x))
            (is_int (to_real x))
        "#]],
    );
}

#[test]
fn numerals_are_reals_in_real_logics() {
    check(
        "(set-logic QF_LRA)(declare-const y Real)(assert (= (+ y 1) 2))(assert (= 1 2))
         (reset)(set-logic QF_LIRA)(assert (= 1 2))",
        expect![[r#"
            (= (+ y 1.0) 2.0)
            (= 1.0 2.0)
            (= 1 2)
        "#]],
    );
}

#[test]
fn bit_vectors() {
    check(
        "(declare-const a (_ BitVec 8))(declare-const b (_ BitVec 8))
         (assert (= (concat a b) ((_ zero_extend 8) a) ((_ sign_extend 8) b) #x00ff (_ bv300 16)))
         (assert (= ((_ extract 3 0) a) #b1010 ((_ repeat 4) #b1)))
         (assert (bvult (bvadd a b #x01) (bvnot (bvneg (bvsub a b)))))
         (assert (= (bvcomp a b) #b1))
         (assert (or (bvnego a) (bvuaddo a b) (bvsaddo a b) (bvumulo a b) (bvsmulo a b) (bvsdivo a b)))
         (assert (= (bv2nat a) (ubv_to_int b) (sbv_to_int a)))
         (assert (= ((_ int2bv 8) 3) ((_ int_to_bv 8) 4) ((_ rotate_left 1) a)))
         (assert (= (_ bv340282366920938463463374607431768211456 136) (concat #x1 \
         #x00000000000000000000000000000000 #b0000)))
         (assert (= (_ bv256 8) a))
         (assert (= ((_ extract 8 0) a) b))
         (assert (bvadd a #x0001))",
        expect![[r#"
            (= (concat a b) ((_ zero_extend 8) a) ((_ sign_extend 8) b) #x00ff #x012c)
            (= ((_ extract 3 0) a) #xa ((_ repeat 4) #b1))
            (bvult (bvadd a b #x01) (bvnot (bvneg (bvsub a b))))
            (= (bvcomp a b) #b1)
            (or (bvnego a) (bvuaddo a b) (bvsaddo a b) (bvumulo a b) (bvsmulo a b) (bvsdivo a b))
            (= (ubv_to_int a) (ubv_to_int b) (sbv_to_int a))
            (= ((_ int_to_bv 8) 3) ((_ int_to_bv 8) 4) ((_ rotate_left 1) a))
            (= #x0100000000000000000000000000000000 (concat #x1 #x00000000000000000000000000000000 #x0))
            t:10:21: a bit vector (_ bvVALUE WIDTH) that fits into its width expected
              (assert (= (_ bv256 8) a))
                         ^
            t:11:21: "extract" wants indices 8 > i >= j, not 8 and 0
              (assert (= ((_ extract 8 0) a) b))
                         ^
            t:12:18: "bvadd" wants arguments of one sort
              (assert (bvadd a #x0001))
                      ^
        "#]],
    );
}

#[test]
fn arrays() {
    check(
        "(define-sort Bytes () (Array (_ BitVec 32) (_ BitVec 8)))
         (define-sort Pair (A B) (Array A B))
         (declare-const m Bytes)(declare-const n (Pair (_ BitVec 32) (_ BitVec 8)))
         (assert (= m n ((as const Bytes) #x00) (store m #x00000001 (select n (_ bv2 32)))))
         (assert (= m ((as const Bytes) #x0)))",
        expect![[r#"
            (= m n ((as const (Array (_ BitVec 32) (_ BitVec 8))) #x00) (store m #x00000001 (select n #x00000002)))
            t:5:23: a constant array needs an array sort and an element of its element sort
              (assert (= m ((as const Bytes) #x0)))
                           ^
        "#]],
    );
}

#[test]
fn floating_point() {
    check(
        "(declare-const x Float32)(declare-const r RoundingMode)
         (assert (fp.eq (fp.add RNE x (fp #b0 #x7f #b00000000000000000000000)) (_ +oo 8 24)))
         (assert (= ((_ to_fp 8 24) r 1.5) ((_ to_fp 8 24) roundTowardZero 2) ((_ to_fp 8 24) #x3f800000)))
         (assert (fp.isNaN ((_ to_fp_unsigned 8 24) r #x01)))
         (assert (= ((_ fp.to_sbv 8) r x) #x01))
         (assert (fp.leq x (fp.neg (_ NaN 8 24)) (_ -zero 8 24)))",
        expect![[r#"
            (fp.eq (fp.add RNE x (fp #b0 #x7f #b00000000000000000000000)) (_ +oo 8 24))
            (= ((_ to_fp 8 24) r (/ 3.0 2.0)) ((_ to_fp 8 24) RTZ 2.0) ((_ to_fp 8 24) #x3f800000))
            (fp.isNaN ((_ to_fp_unsigned 8 24) r #x01))
            (= ((_ fp.to_sbv 8) r x) #x01)
            (fp.leq x (fp.neg (_ NaN 8 24)) (_ -zero 8 24))
        "#]],
    );
}

#[test]
fn strings() {
    check(
        r#"(declare-const s String)
         (assert (= s "a ""b"" \u0041\u{1F600}\u{}\u{30000} \x41 \n" (_ char #x41)))
         (assert (str.in_re s (re.++ (str.to_re "x") ((_ re.^ 3) re.allchar) ((_ re.loop 1 2) re.all) re.none)))
         (assert (= (str.len (str.++ s s)) (str.to_int s)))
         (assert (str.< s (str.substr s 0 1)))
         (assert (= s "é"))"#,
        expect![[r#"
            (= s "a ""b"" A\u{1f600}\u{5c}u{}\u{5c}u{30000} \u{5c}x41 \u{5c}n" "A")
            (str.in_re s (re.++ (str.to_re "x") ((_ re.^ 3) re.allchar) ((_ re.loop 1 2) re.all) re.none))
            (= (str.len (str.++ s s)) (str.to_int s))
            (str.< s (str.substr s 0 1))
            t:6:23: a string with characters beyond ASCII
              (assert (= s "é"))
                           ^
            help: write \u{…}
        "#]],
    );
}

#[test]
fn quantifiers_by_level() {
    check(
        "(declare-fun f (Int) Int)(declare-const x Int)
         (assert (forall ((x Int) (y Real)) (exists ((y Int)) (< (f x) y))))
         (assert (forall ((a Int)) (! (> (f a) x) :pattern ((f a)) :qid |q.1| :weight 3 :no-pattern (f (f \
         a)) :pattern ((f x) (f a)))))
         (assert (let ((b (f x))) (exists ((x Int)) (= x b))))
         (assert (=> (forall ((z Int)) (= z z)) (forall ((f Int)) (= f x))))
         (assert (forall ((x Int) (x Int)) true))",
        expect![[r#"
            (forall ((?0 Int) (?1 Real)) (exists ((?2 Int)) (< (f ?0) ?2)))
            (forall ((?0 Int)) (! (> (f ?0) x) :pattern ((f ?0)) :pattern ((f x) (f ?0))))
            (exists ((?0 Int)) (= ?0 (f x)))
            (=> (forall ((?0 Int)) (= ?0 ?0)) (forall ((?0 Int)) (= ?0 x)))
            t:6:36: this variable is bound twice
              (assert (forall ((x Int) (x Int)) true))
                                        ^
        "#]],
    );
}

#[test]
fn definitions_are_expanded() {
    check(
        "(declare-const x Int)
         (define-fun double ((a Int)) Int (+ a a))
         (define-fun some ((a Int)) Bool (exists ((b Int)) (< a b)))
         (define-fun closed () Bool (forall ((b Int)) (some b)))
         (define-fun both ((a Int)) Bool (and closed (some a) (forall ((c Int)) (some (+ a c)))))
         (assert (= (double (double x)) 4))
         (assert (exists ((y Int)) (some y)))
         (assert (forall ((y Int)) (both y)))
         (assert (double x))
         (assert (= (double true) 1))
         (define-fun wrong () Real x)
         (assert (= wrong 1.0))",
        expect![[r#"
            double ["Int"] := (+ ?0 ?0)
            some ["Int"] := (exists ((?1 Int)) (< ?0 ?1))
            closed [] := (forall ((?0 Int)) (exists ((?1 Int)) (< ?0 ?1)))
            both ["Int"] := (and (forall ((?1 Int)) (exists ((?2 Int)) (< ?1 ?2))) (exists ((?1 Int)) (< ?0 ?1)) (forall ((?1 Int)) (exists ((?2 Int)) (< (+ ?0 ?1) ?2))))
            (let ((?l0 (+ x x))) (= (+ ?l0 ?l0) 4))
            (exists ((?0 Int)) (exists ((?1 Int)) (< ?0 ?1)))
            (forall ((?0 Int)) (and (forall ((?1 Int)) (exists ((?2 Int)) (< ?1 ?2))) (exists ((?1 Int)) (< ?0 ?1)) (forall ((?1 Int)) (exists ((?2 Int)) (< (+ ?0 ?1) ?2)))))
            t:9:18: an assertion is of sort Bool
              (assert (double x))
                      ^
            t:10:21: an argument is not of the parameter's sort
              (assert (= (double true) 1))
                         ^
            t:11:36: the body is not of the declared sort
              (define-fun wrong () Real x)
                                        ^
            t:12:21: "wrong" has a declaration that is not understood
              (assert (= wrong 1.0))
                         ^
        "#]],
    );
}

#[test]
fn datatypes() {
    check(
        "(declare-datatypes ((Tree 0) (Forest 0)) (((leaf) (node (value Int) (children Forest))) ((empty) \
         (grow (first Tree) (rest Forest)))))
         (declare-datatype Color ((red) green |dark blue|))
         (declare-const t Tree)
         (assert (= t (node 1 (grow leaf empty))))
         (assert (and ((_ is node) t) (is-leaf t) (= (value t) 3)))
         (assert (= ((_ update-field value) t 5) ((_ update value) t 6)))
         (assert (= red |dark blue| (as green Color)))
         (assert (match t ((leaf true) ((node v c) (> v 0)))))
         (assert (> 0 (match t (((node v _) v) (other 1)))))
         (assert (match t ((leaf true))))
         (assert (match t ((red true) (_ false))))",
        expect![[r#"
            (= t (node 1 (grow leaf empty)))
            (and ((_ is node) t) ((_ is leaf) t) (= (value t) 3))
            (= ((_ update-field value) t 5) ((_ update-field value) t 6))
            (= red |dark blue| green)
            (ite ((_ is leaf) t) true (> (value t) 0))
            (> 0 (ite ((_ is node) t) (value t) 1))
            t:10:18: the match has no case for "node"
              (assert (match t ((leaf true))))
                      ^
            t:11:29: a constructor of another datatype
              (assert (match t ((red true) (_ false))))
                                 ^
        "#]],
    );
}

#[test]
fn parametric_datatypes() {
    check(
        "(declare-datatypes ((Lst 1) (Opt 1)) ((par (T) ((nil) (cons (hd T) (tl (Lst T))))) (par (X) ((none) \
         (some (get X))))))
         (declare-const l (Lst Int))(declare-const m (Lst (Opt Bool)))
         (assert (= l (cons 1 (as nil (Lst Int)))))
         (assert (= m ((as cons (Lst (Opt Bool))) (some true) (tl m))))
         (assert (and (is-cons l) ((_ is nil) m) (> (hd l) 0) (get (hd m))))
         (assert (match l ((nil false) ((cons h t) (= t ((_ update-field hd) l h))))))
         (assert (= l nil))
         (assert (= l (cons true l)))
         (declare-datatype Bad (par (T) ((bad (f (Bad (Bad T)))))))
         (declare-const b (Bad Int))",
        expect![[r#"
            (= l ((as cons (Lst Int)) 1 (as nil (Lst Int))))
            (= m ((as cons (Lst (Opt Bool))) ((as some (Opt Bool)) true) (tl m)))
            (and ((_ is cons) l) ((_ is nil) m) (> (hd l) 0) (get (hd m)))
            (ite ((_ is nil) l) false (= (tl l) ((_ update-field hd) l (hd l))))
            t:7:23: "nil" is not a constant
              (assert (= l nil))
                           ^
            help: write (as nil SORT)
            t:8:23: "cons" wants 2 arguments of its declared sorts, got 2
              (assert (= l (cons true l)))
                           ^
            t:10:27: a datatype has infinitely many instances
              (declare-const b (Bad Int))
                               ^
        "#]],
    );
}

#[test]
fn names_are_scoped() {
    check(
        "(declare-const x Int)
         (push 1)(declare-const y Int)(assert (! (< x y) :named a))(assert a)
         (push)(define-fun z () Int (+ y 1))(assert (> z 0))(pop)
         (assert (= z 1))
         (pop 1)
         (assert a)
         (declare-const y Real)(assert (= y 1.0))
         (pop 1)
         (set-option :global-declarations true)
         (push 1)(declare-const g Int)(pop 1)(assert (= g x))
         (reset)(assert (= g 1))",
        expect![[r#"
            (< x y) label a [a = (< x y)]
            (< x y)
            z [] := (+ y 1)
            (> (+ y 1) 0)
            t:4:21: unknown symbol "z"
              (assert (= z 1))
                         ^
            help: declare it with declare-const or declare-fun
            t:6:18: unknown symbol "a"
              (assert a)
                      ^
            help: declare it with declare-const or declare-fun
            (= y 1.0)
            t:8:10: 1 levels cannot be popped: 0 are open
              (pop 1)
              ^
            (= g x)
            t:11:28: unknown symbol "g"
              (assert (= g 1))
                         ^
            help: declare it with declare-const or declare-fun
        "#]],
    );
}

#[test]
fn named_terms() {
    check(
        "(declare-const p Bool)(declare-const q Bool)
         (assert (! (and p (! q :named inner)) :named outer :extra (1 2)))
         (assert (and inner outer))
         (assert (! p :named p))
         (assert (forall ((x Int)) (! (> x 0) :named n)))
         (check-sat-assuming (p (not q)))
         (get-value (p (and p q)))",
        expect![[r#"
            (and p q) label outer [inner = q] [outer = (and p q)]
            (and q (and p q))
            t:4:30: "p" is declared already
              (assert (! p :named p))
                                  ^
            t:5:36: a named term under a binder
              (assert (forall ((x Int)) (! (> x 0) :named n)))
                                        ^
            21..22 p
            23..30 (not q)
            12..13 p
            14..23 (and p q)
        "#]],
    );
}

#[test]
fn recursive_functions() {
    check(
        "(define-fun-rec fact ((n Int)) Int (ite (< n 1) 1 (* n (fact (- n 1)))))
         (define-funs-rec ((even ((n Int)) Bool) (odd ((n Int)) Bool))
            ((ite (= n 0) true (odd (- n 1))) (ite (= n 0) false (even (- n 1)))))
         (assert (and (even 4) (= (fact 3) 6)))",
        expect![[r#"
            (and (even 4) (= (fact 3) 6))
        "#]],
    );
}

#[test]
fn what_is_not_understood_poisons_its_names() {
    check(
        "(declare-const x Int)
         (declare-fun f ((-> Int Int)) Int)
         (assert (= (f x) 1))
         (define-fun g ((a Int)) Int (z3.builtin a))
         (assert (= (g 1) 1))
         (declare-fun abs (Int) Int)
         (assert (= (abs x) 1))
         (declare-fun x (Int) Int)
         (assert (= x 1))
         (declare-codatatypes ((S 0)) (((mk (bvadd S)))))
         (assert (= (bvadd #x1 #x1) #x1))
         (assert (forall ((abs Int)) (> abs 0)))
         (minimize (+ y 1))
         (check-sat p)",
        expect![[r#"
            t:2:27: unknown sort "->"
              (declare-fun f ((-> Int Int)) Int)
                               ^
            help: declare it with declare-sort, define-sort or declare-datatypes
            t:3:22: "f" has a declaration that is not understood
              (assert (= (f x) 1))
                          ^
            t:4:39: unknown symbol "z3.builtin"
              (define-fun g ((a Int)) Int (z3.builtin a))
                                           ^
            help: declare it with declare-const or declare-fun
            t:5:22: "g" has a declaration that is not understood
              (assert (= (g 1) 1))
                          ^
            t:6:23: "abs" is a function of a theory
              (declare-fun abs (Int) Int)
                           ^
            t:7:22: "abs" has a declaration that is not understood
              (assert (= (abs x) 1))
                          ^
            t:8:23: "x" is declared already
              (declare-fun x (Int) Int)
                           ^
            t:9:21: "x" has a declaration that is not understood
              (assert (= x 1))
                         ^
            opaque
            t:11:22: "bvadd" has a declaration that is not understood
              (assert (= (bvadd #x1 #x1) #x1))
                          ^
            (forall ((?0 Int)) (> ?0 0))
            t:13:23: unknown symbol "y"
              (minimize (+ y 1))
                           ^
            help: declare it with declare-const or declare-fun
            opaque
        "#]],
    );
}

#[test]
fn broken_terms() {
    check(
        "(declare-const x Int)
         (assert ())
         (assert (x))
         (assert (= x))
         (assert (let ((y 1)) ))
         (assert (let (y 1) x))
         (assert (let ((y 1 2)) true))
         (assert (let ((y 1) (y 2)) true))
         (assert (! true true))
         (assert :key)
         (assert true false)
         (assert)
         (assert x)
         (assert (= x 1) )
         (assert (+ x (! 1 :pattern ())))
         (assert ((x) 1))
         (assert (forall () true))
         (assert (lambda ((y Int)) y))
         (assert |let|)
         (assert (|let| ((y 1)) true))
         (assert (_ bv1))
         (assert (as x))
         (declare-const let Int)
         (foo)
         ((assert true))
         (push -1)",
        expect![[r#"
            t:2:18: "()" is not a term
              (assert ())
                      ^
            t:3:19: "x" is not a function
              (assert (x))
                       ^
            t:4:18: "=" wants at least 2 arguments
              (assert (= x))
                      ^
            t:5:18: one term expected here, not 0
              (assert (let ((y 1)) ))
                      ^
            t:6:23: a list of bindings expected
              (assert (let (y 1) x))
                           ^
            t:7:24: one term expected here, not 2
              (assert (let ((y 1 2)) true))
                            ^
            t:8:18: a let binds a name twice
              (assert (let ((y 1) (y 2)) true))
                      ^
            t:9:18: one term expected here, not 2
              (assert (! true true))
                      ^
            t:10:18: a keyword where a term is expected
              (assert :key)
                      ^
            t:11:10: "assert" takes 1 argument
              (assert true false)
              ^
            t:12:10: "assert" takes 1 argument
              (assert)
              ^
            t:13:18: an assertion is of sort Bool
              (assert x)
                      ^
            (= x 1)
            t:15:37: an empty pattern
              (assert (+ x (! 1 :pattern ())))
                                         ^
            t:16:19: a function expected
              (assert ((x) 1))
                       ^
            t:17:26: a list of sorted variables expected
              (assert (forall () true))
                              ^
            t:18:19: this construct is not understood
              (assert (lambda ((y Int)) y))
                       ^
            t:19:18: a quoted reserved word
              (assert |let|)
                      ^
            t:20:19: a quoted reserved word
              (assert (|let| ((y 1)) true))
                       ^
            t:21:18: an identifier (_ SYMBOL INDEX …) expected
              (assert (_ bv1))
                      ^
            t:22:18: (as IDENTIFIER SORT) expected
              (assert (as x))
                      ^
            t:23:25: "let" is a reserved word
              (declare-const let Int)
                             ^
            opaque
            t:25:10: a command expected
              ((assert true))
              ^
            help: commands are lists, as in (check-sat)
            t:26:10: a number of levels expected
              (push -1)
              ^
        "#]],
    );
}

#[test]
fn nesting_a_hundred_thousand_deep() {
    let mut terms = Terms::new();
    let mut context = Context::new(&mut terms);
    const DEPTH: usize = 100_000;
    context.read(&mut terms, b"(declare-const x Int)").expect("a declaration");
    let sum = format!("(assert (= x {}1{}))", "(+ x ".repeat(DEPTH), ")".repeat(DEPTH));
    let lets = format!("(assert {}(= x 1){})", "(let ((x (+ x 1))) ".repeat(DEPTH), ")".repeat(DEPTH));
    let binders = format!("(assert {}(= x 1){})", "(forall ((x Int)) ".repeat(500), ")".repeat(500));
    let bangs = format!("(assert {}(= x 1){})", "(! ".repeat(DEPTH), " :a)".repeat(DEPTH));
    for text in [&sum, &lets, &binders, &bangs] {
        let command = context.read(&mut terms, text.as_bytes()).expect("a deep assertion");
        let Command::Assert { term, .. } = command else { panic!("not an assertion: {command:?}") };
        let printed = format!("(assert {})", print_term(&terms, term));
        let again = context.read(&mut terms, printed.as_bytes()).expect("the printed text is read");
        assert_eq!(again, Command::Assert { term, label: None, names: Vec::new(), labelled: Vec::new() });
    }
    let sort = format!("(declare-const y {}Int{})", "(Array Int ".repeat(DEPTH), ")".repeat(DEPTH));
    let error = context.read(&mut terms, sort.as_bytes()).expect_err("too deep a sort");
    assert!(error.render("t", sort.as_bytes(), Position::START).contains("sorts nest too deeply"));
}
