; solvers: z3 cvc5
; expect: unsat
; a real strictly between two others
(set-logic QF_LRA)
(declare-const a Real)
(declare-const b Real)
(declare-const m Real)
(assert (< a b))
(assert (= m (/ (+ a b) 2.0)))
(assert (not (and (< a m) (< m b))))
(check-sat)
