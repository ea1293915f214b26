; solvers: z3 cvc5
; expect: sat
; an array in the model
(set-option :produce-models true)
(set-logic QF_ABV)
(declare-const m (Array (_ BitVec 4) (_ BitVec 4)))
(assert (= (select m #x1) #xa))
(assert (= (select m #x2) #xb))
(check-sat)
(get-model)
