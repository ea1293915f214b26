; solvers: z3 cvc5
; expect: sat
; a value of every simple sort
(set-option :produce-models true)
(set-logic ALL)
(declare-const b Bool)
(declare-const i Int)
(declare-const r Real)
(declare-const v (_ BitVec 8))
(assert (and b (= i (- 4)) (= (* 2.0 r) (- 3.0)) (= v #x2a)))
(check-sat)
(get-model)
