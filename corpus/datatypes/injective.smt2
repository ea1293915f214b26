; solvers: z3 cvc5
; expect: unsat
; equal pairs have equal parts
(set-logic QF_DTLIA)
(declare-datatypes ((Pair 0)) (((mk (fst Int) (snd Int)))))
(declare-const p Pair)
(declare-const q Pair)
(assert (= (fst p) (fst q)))
(assert (= (snd p) (snd q)))
(assert (not (= p q)))
(check-sat)
