; solvers: z3 cvc5
; expect: unsat
; odd names
(set-logic QF_LIA)
(declare-const |a b| Int)
(declare-const |c| Int)
(declare-const |(d);| Int)
(declare-const ~!@$%^&*_-+=<>.?/ Int)
(assert (< |a b| c))
(assert (< c |(d);|))
(assert (< |(d);| ~!@$%^&*_-+=<>.?/))
(assert (> |a b| ~!@$%^&*_-+=<>.?/))
(check-sat)
