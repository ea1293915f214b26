; solvers: z3 cvc5
; expect: sat unsat unsat
; x & (x-1) is zero only for powers of two
(set-logic QF_BV)
(declare-const x (_ BitVec 8))
(assert (= (bvand x (bvsub x #x01)) #x00))
(assert (not (= x #x00)))
(check-sat)
(assert (distinct x #x01 #x02 #x04 #x08 #x10 #x20 #x40 #x80))
(check-sat)
(assert (and (not (= x #x01)) (not (= x #x02)) (not (= x #x04)) (not (= x #x08))
  (not (= x #x10)) (not (= x #x20)) (not (= x #x40)) (not (= x #x80))))
(check-sat)
