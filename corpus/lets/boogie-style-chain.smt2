; solvers: z3 cvc5
; expect: unsat
; a verification condition as a chain of lets
(set-logic QF_LIA)
(declare-const x@0 Int)
(declare-const x@1 Int)
(declare-const y@0 Int)
(assert (not
  (let ((exit_ok (=> (= y@0 (* 2 x@1)) (> y@0 x@1))))
  (let ((then_ok (=> (and (> x@0 0) (= x@1 x@0)) exit_ok)))
  (let ((else_ok (=> (and (<= x@0 0) (= x@1 (+ (- x@0) 1))) exit_ok)))
  (and then_ok else_ok))))))
(check-sat)
