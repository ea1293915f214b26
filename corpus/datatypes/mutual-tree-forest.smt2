; solvers: z3 cvc5
; expect: sat unsat
; two sorts that need each other
(set-logic ALL)
(declare-datatypes ((Tree 0) (Forest 0))
  (((node (value Int) (children Forest))) ((empty) (add (first Tree) (rest Forest)))))
(declare-const t Tree)
(assert (not (= (children t) empty)))
(assert (= (value (first (children t))) (+ (value t) 1)))
(check-sat)
(assert (= (first (children t)) t))
(check-sat)
