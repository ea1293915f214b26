; solvers: z3 cvc5
; expect: sat
; reads of an array, not the array
(set-option :produce-models true)
(set-logic QF_ABV)
(declare-const m (Array (_ BitVec 8) (_ BitVec 8)))
(declare-const i (_ BitVec 8))
(assert (= (select m i) #x41))
(assert (= i #x07))
(check-sat)
(get-value ((select m #x07) (select m i) i))
