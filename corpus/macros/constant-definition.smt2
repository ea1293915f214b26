; solvers: z3 cvc5
; expect: unsat
; a name for a term
(set-logic QF_BV)
(define-fun mask () (_ BitVec 8) #x0f)
(declare-const x (_ BitVec 8))
(assert (= (bvand x mask) x))
(assert (bvuge x #x10))
(check-sat)
