; solvers: z3 cvc5
; expect: sat unsat
; one declaration, two instances
(set-logic ALL)
(declare-datatypes ((Option 1)) ((par (T) ((none) (some (get T))))))
(declare-const x (Option Int))
(declare-const y (Option Bool))
(assert (not (= x (as none (Option Int)))))
(assert (> (get x) 3))
(assert (= y (some (< (get x) 4))))
(check-sat)
(assert (get y))
(check-sat)
