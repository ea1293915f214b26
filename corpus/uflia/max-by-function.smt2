; solvers: z3 cvc5
; expect: sat unsat
; an uninterpreted maximum at one point
(set-logic QF_UFLIA)
(declare-fun max (Int Int) Int)
(declare-const a Int)
(declare-const b Int)
(assert (and (>= (max a b) a) (>= (max a b) b)))
(assert (or (= (max a b) a) (= (max a b) b)))
(assert (> a b))
(check-sat)
(assert (not (= (max a b) a)))
(check-sat)
