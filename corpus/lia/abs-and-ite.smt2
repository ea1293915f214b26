; solvers: z3 cvc5
; expect: unsat
; absolute value written twice
(set-logic QF_LIA)
(declare-const x Int)
(define-fun mag () Int (ite (< x 0) (- x) x))
(assert (not (= mag (abs x))))
(check-sat)
