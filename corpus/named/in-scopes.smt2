; solvers: z3 cvc5
; expect: unsat sat
; a name can be reused after pop
(set-logic QF_LIA)
(declare-const x Int)
(push 1)
(assert (! (> x 3) :named bound))
(assert (not bound))
(check-sat)
(pop 1)
(push 1)
(assert (! (< x 3) :named bound))
(assert bound)
(check-sat)
(pop 1)
