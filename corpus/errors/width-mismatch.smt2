; solvers: z3
; expect: sat
; bit-vectors of different widths
(set-logic QF_BV)
(declare-const a (_ BitVec 8))
(declare-const b (_ BitVec 4))
(assert (= a b))
(check-sat)
