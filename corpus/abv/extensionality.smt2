; solvers: z3 cvc5
; expect: unsat
; arrays that agree on two indices of two
(set-logic QF_ABV)
(declare-const a (Array (_ BitVec 1) (_ BitVec 4)))
(declare-const b (Array (_ BitVec 1) (_ BitVec 4)))
(assert (= (select a #b0) (select b #b0)))
(assert (= (select a #b1) (select b #b1)))
(assert (not (= a b)))
(check-sat)
