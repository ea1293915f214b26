; solvers: z3 cvc5
; expect: unsat
; even and odd
(set-logic ALL)
(define-funs-rec ((ev ((n Int)) Bool) (od ((n Int)) Bool))
  ((ite (= n 0) true (od (- n 1))) (ite (= n 0) false (ev (- n 1)))))
(assert (ev 3))
(check-sat)
