; solvers: z3 cvc5
; expect: sat
; a script without set-logic
(declare-const x Int)
(declare-const v (_ BitVec 4))
(assert (= x 3))
(assert (= v #x3))
(check-sat)
