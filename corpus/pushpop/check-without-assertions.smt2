; solvers: z3 cvc5
; expect: sat sat sat
; an empty stack is satisfiable
(set-logic QF_LIA)
(check-sat)
(push 1)
(check-sat)
(pop 1)
(check-sat)
