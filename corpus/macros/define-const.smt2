; solvers: z3 cvc5
; expect: sat
; the short form
(set-logic QF_LIA)
(define-const limit Int 100)
(declare-const x Int)
(assert (> x limit))
(assert (< x (+ limit 2)))
(check-sat)
