; solvers: z3 cvc5
; expect: unsat
; extension keeps the signed order
(set-logic QF_BV)
(declare-const a (_ BitVec 4))
(declare-const b (_ BitVec 4))
(assert (bvslt a b))
(assert (not (bvslt ((_ sign_extend 4) a) ((_ sign_extend 4) b))))
(check-sat)
