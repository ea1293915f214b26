; solvers: z3 cvc5
; expect: sat sat unsat
; one program path, asked at each branch
(set-logic QF_LIA)
(set-option :produce-models true)
(declare-const x Int)
(declare-const y Int)
(assert (>= x 0))
(check-sat)
(assert (< (+ x y) 10))
(check-sat)
(assert (not (<= y 9)))
(check-sat)
