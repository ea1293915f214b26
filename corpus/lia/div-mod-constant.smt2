; solvers: z3 cvc5
; expect: sat unsat
; Euclidean division by constants, negative arguments too
(set-logic QF_LIA)
(declare-const n Int)
(assert (= (mod n 7) 3))
(assert (= (div n 7) (- 2)))
(check-sat)
(assert (not (= n (- 11))))
(check-sat)
