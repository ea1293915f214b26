; solvers: z3 cvc5
; expect: unsat
; an intermediate memory
(set-logic QF_ABV)
(declare-const m (Array (_ BitVec 4) (_ BitVec 8)))
(assert (let ((m1 (store m #x0 #x11))) (let ((m2 (store m1 #x1 #x22)))
  (not (= (bvadd (select m2 #x0) (select m2 #x1)) #x33)))))
(check-sat)
