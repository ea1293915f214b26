; solvers: z3 cvc5
; expect: sat
; parts and extensions
(set-option :produce-models true)
(set-logic QF_BV)
(declare-const w (_ BitVec 16))
(assert (= w #xbeef))
(check-sat)
(get-value (w ((_ extract 15 8) w) ((_ extract 7 0) w) ((_ zero_extend 4) w) (bvnot w)))
