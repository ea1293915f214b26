; solvers: z3 cvc5
; expect: sat unsat
; a function with parameters
(set-logic QF_LIA)
(define-fun between ((x Int) (lo Int) (hi Int)) Bool (and (<= lo x) (<= x hi)))
(declare-const a Int)
(assert (between a 3 9))
(assert (not (between a 1 8)))
(check-sat)
(assert (not (= a 9)))
(check-sat)
