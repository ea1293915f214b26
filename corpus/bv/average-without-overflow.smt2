; solvers: z3 cvc5
; expect: unsat
; the carry-free mean is the mean
(set-logic QF_BV)
(declare-const a (_ BitVec 8))
(declare-const b (_ BitVec 8))
(define-fun wide ((x (_ BitVec 8))) (_ BitVec 9) ((_ zero_extend 1) x))
(define-fun mean () (_ BitVec 8) (bvadd (bvand a b) (bvlshr (bvxor a b) #x01)))
(assert (not (= (wide mean) (bvlshr (bvadd (wide a) (wide b)) #b000000001))))
(check-sat)
