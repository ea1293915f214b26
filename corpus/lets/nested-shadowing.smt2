; solvers: z3 cvc5
; expect: sat unsat
; the innermost wins
(set-logic QF_LIA)
(declare-const x Int)
(assert (= x 1))
(assert (let ((x (+ x 1))) (let ((x (+ x 1))) (= x 3))))
(check-sat)
(assert (let ((x (+ x 1))) (= x 1)))
(check-sat)
