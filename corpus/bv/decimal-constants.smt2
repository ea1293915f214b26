; solvers: z3 cvc5
; expect: sat
; (_ bvN W) next to hex and binary
(set-logic QF_BV)
(declare-const x (_ BitVec 8))
(assert (= x (_ bv200 8)))
(assert (= x #xc8))
(assert (= x #b11001000))
(check-sat)
