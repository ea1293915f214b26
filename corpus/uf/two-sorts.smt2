; solvers: z3 cvc5
; expect: sat unsat
; the same shape over another sort is another question
(set-logic QF_UF)
(declare-sort A 0)
(declare-sort B 0)
(declare-fun f (A) B)
(declare-const x A)
(declare-const y A)
(assert (not (= (f x) (f y))))
(check-sat)
(assert (= x y))
(check-sat)
