; solvers: z3 cvc5
; expect: sat
; a constructor term
(set-option :produce-models true)
(set-logic ALL)
(declare-datatypes ((Pair 0)) (((mk (fst Int) (snd Bool)))))
(declare-const p Pair)
(assert (and (= (fst p) 5) (snd p)))
(check-sat)
(get-model)
