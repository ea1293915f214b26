; solvers: z3 cvc5
; expect: unsat
; a definition that uses another
(set-logic QF_LIA)
(define-fun double ((x Int)) Int (* 2 x))
(define-fun quadruple ((x Int)) Int (double (double x)))
(declare-const n Int)
(assert (= (quadruple n) 42))
(check-sat)
