; solvers: z3 cvc5
; expect: unsat
; what was written is read back
(set-logic QF_ABV)
(declare-const m (Array (_ BitVec 8) (_ BitVec 8)))
(declare-const a (_ BitVec 8))
(declare-const v (_ BitVec 8))
(assert (not (= (select (store m a v) a) v)))
(check-sat)
