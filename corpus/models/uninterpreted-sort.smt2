; solvers: z3 cvc5
; expect: sat
; elements that the model invents
(set-option :produce-models true)
(set-logic QF_UF)
(declare-sort U 0)
(declare-const a U)
(declare-const b U)
(assert (not (= a b)))
(check-sat)
(get-model)
