; solvers: z3 cvc5
; expect: unsat sat
; an assertion ends with its scope
(set-logic QF_LIA)
(declare-const x Int)
(assert (> x 0))
(push 1)
(assert (< x 0))
(check-sat)
(pop 1)
(check-sat)
