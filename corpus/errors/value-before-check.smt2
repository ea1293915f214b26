; solvers: z3
; expect: sat
; nothing was asked yet
(set-option :produce-models true)
(set-logic QF_LIA)
(declare-const x Int)
(get-value (x))
(check-sat)
