; solvers: z3 cvc5
; expect: sat unsat
; two writes, one read
(set-logic QF_ABV)
(declare-const m (Array (_ BitVec 8) (_ BitVec 8)))
(declare-const p (_ BitVec 8))
(declare-const q (_ BitVec 8))
(define-fun after () (Array (_ BitVec 8) (_ BitVec 8)) (store (store m p #x01) q #x02))
(assert (= (select after p) #x02))
(check-sat)
(assert (not (= p q)))
(check-sat)
