; solvers: z3 cvc5
; expect: sat
; different keys, one bucket
(set-logic QF_UFLIA)
(declare-fun hash (Int) Int)
(declare-const k1 Int)
(declare-const k2 Int)
(assert (not (= k1 k2)))
(assert (= (mod (hash k1) 8) (mod (hash k2) 8)))
(check-sat)
