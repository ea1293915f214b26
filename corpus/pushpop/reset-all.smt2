; solvers: z3 cvc5
; expect: unsat sat
; a new script in the same process
(set-logic QF_LIA)
(declare-const x Int)
(assert (= x (+ x 1)))
(check-sat)
(reset)
(set-logic QF_BV)
(declare-const x (_ BitVec 2))
(assert (= (bvadd x #b01) (bvsub x #b11)))
(check-sat)
