; solvers: z3 cvc5
; expect: unsat sat unsat
; shifting by the width or more
(set-logic QF_BV)
(declare-const x (_ BitVec 8))
(declare-const n (_ BitVec 8))
(assert (bvuge n #x08))
(push 1)
(assert (not (= (bvshl x n) #x00)))
(check-sat)
(pop 1)
(assert (= (bvashr x n) #xff))
(check-sat)
(assert (bvsge x #x00))
(check-sat)
