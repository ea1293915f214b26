; solvers: z3 cvc5
; expect: unsat sat sat
; assumptions and push/pop together
(set-logic QF_LIA)
(declare-const n Int)
(declare-const even Bool)
(assert (= even (= (mod n 2) 0)))
(push 1)
(assert (= n 7))
(check-sat-assuming (even))
(check-sat-assuming ((not even)))
(pop 1)
(check-sat-assuming (even))
