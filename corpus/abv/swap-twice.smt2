; solvers: z3 cvc5
; expect: unsat
; swapping two cells twice gives the array back
(set-logic QF_ABV)
(declare-const m (Array (_ BitVec 4) (_ BitVec 4)))
(declare-const i (_ BitVec 4))
(declare-const j (_ BitVec 4))
(define-fun once () (Array (_ BitVec 4) (_ BitVec 4)) (store (store m i (select m j)) j (select m i)))
(define-fun twice () (Array (_ BitVec 4) (_ BitVec 4))
  (store (store once i (select once j)) j (select once i)))
(assert (not (= twice m)))
(check-sat)
