; solvers: z3 cvc5
; expect: sat
; a sum smaller than its parts
(set-logic QF_BV)
(declare-const a (_ BitVec 8))
(declare-const b (_ BitVec 8))
(assert (bvult (bvadd a b) a))
(assert (bvugt b #x00))
(check-sat)
