; In a logic without integers `1` is a real.
(set-logic QF_LRA)
(declare-const x Real)
(assert (= (* 2 x) 1))
(check-sat)
(assert (> x (/ 1 2)))
(check-sat)
