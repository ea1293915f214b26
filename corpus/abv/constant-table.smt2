; solvers: z3 cvc5
; expect: sat unsat
; a small table read at a symbolic index
(set-logic QF_ABV)
(declare-const t0 (Array (_ BitVec 4) (_ BitVec 8)))
(declare-const i (_ BitVec 4))
(define-fun squares () (Array (_ BitVec 4) (_ BitVec 8))
  (store (store (store (store t0 #x0 #x00) #x1 #x01) #x2 #x04) #x3 #x09))
(assert (bvult i #x4))
(assert (= (select squares i) #x04))
(check-sat)
(assert (not (= i #x2)))
(check-sat)
