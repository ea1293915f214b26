; solvers: z3 cvc5
; expect: unsat
; all different in too small a range
(set-logic QF_LIA)
(declare-const p Int)
(declare-const q Int)
(declare-const r Int)
(declare-const s Int)
(assert (distinct p q r s))
(assert (and (<= 1 p 3) (<= 1 q 3) (<= 1 r 3) (<= 1 s 3)))
(check-sat)
