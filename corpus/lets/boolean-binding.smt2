; solvers: z3 cvc5
; expect: unsat
; formulas bound to names
(set-logic QF_LIA)
(declare-const x Int)
(assert (let ((pos (> x 0)) (small (< x 10))) (and (or pos small) (not (and pos small)))))
(assert (not (let ((?v (<= x 0))) (or ?v (>= x 10)))))
(check-sat)
