; solvers: z3
; expect: sat unsat
; a recursive function on a ground argument
(set-logic ALL)
(define-fun-rec sum ((n Int)) Int (ite (<= n 0) 0 (+ n (sum (- n 1)))))
(declare-const r Int)
(assert (= r (sum 4)))
(check-sat)
(assert (not (= r 10)))
(check-sat)
