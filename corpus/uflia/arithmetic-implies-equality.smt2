; solvers: z3 cvc5
; expect: unsat
; x <= y <= x makes the arguments equal
(set-logic QF_UFLIA)
(declare-fun f (Int) Int)
(declare-const x Int)
(declare-const y Int)
(assert (<= x y))
(assert (<= y x))
(assert (distinct (f x) (f y)))
(check-sat)
