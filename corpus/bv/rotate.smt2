; solvers: z3 cvc5
; expect: unsat sat
; a full turn changes nothing
(set-logic QF_BV)
(declare-const x (_ BitVec 12))
(assert (not (= ((_ rotate_left 5) ((_ rotate_right 5) x)) x)))
(check-sat)
(reset-assertions)
(declare-const y (_ BitVec 12))
(assert (= ((_ rotate_left 1) y) (bvnot y)))
(check-sat)
