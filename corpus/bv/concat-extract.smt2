; solvers: z3 cvc5
; expect: unsat sat
; taking apart what was put together
(set-logic QF_BV)
(declare-const h (_ BitVec 8))
(declare-const l (_ BitVec 8))
(declare-const w (_ BitVec 16))
(assert (= w (concat h l)))
(push 1)
(assert (not (= ((_ extract 15 8) w) h)))
(check-sat)
(pop 1)
(assert (= ((_ extract 11 4) w) #xa5))
(check-sat)
