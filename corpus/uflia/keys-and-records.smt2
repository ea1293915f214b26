; solvers: z3 cvc5
; expect: sat unsat
; lookup in two maps
(set-logic QF_UFLIA)
(declare-sort Key 0)
(declare-fun old (Key) Int)
(declare-fun new (Key) Int)
(declare-const k Key)
(declare-const j Key)
(assert (= (new k) (+ (old k) 1)))
(assert (=> (not (= j k)) (= (new j) (old j))))
(assert (> (new j) (old j)))
(check-sat)
(assert (not (= j k)))
(check-sat)
