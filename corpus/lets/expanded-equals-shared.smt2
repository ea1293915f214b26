; solvers: z3 cvc5
; expect: unsat
; the same with and without let
(set-logic QF_LIA)
(declare-const a Int)
(declare-const b Int)
(assert (not (= (let ((s (+ a b))) (+ s s)) (+ (+ a b) (+ a b)))))
(check-sat)
