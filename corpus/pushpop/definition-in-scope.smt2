; solvers: z3 cvc5
; expect: unsat sat
; a macro with another body after pop
(set-logic QF_LIA)
(declare-const x Int)
(push 1)
(define-fun limit () Int 10)
(assert (and (> x limit) (< x 10)))
(check-sat)
(pop 1)
(define-fun limit () Int 3)
(assert (and (> x limit) (< x 10)))
(check-sat)
