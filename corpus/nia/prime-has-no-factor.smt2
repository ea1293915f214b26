; solvers: z3 cvc5
; expect: unsat
; 97 in a bounded box
(set-logic QF_NIA)
(declare-const p Int)
(declare-const q Int)
(assert (and (<= 2 p 9) (<= p q 48)))
(assert (= (* p q) 97))
(check-sat)
