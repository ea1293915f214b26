; solvers: z3 cvc5
; expect: sat
; comments between and inside commands
; before
(set-logic QF_LIA) ; after
(declare-const ; the name follows
  x Int)
; (assert false) is commented out
(assert (= x ; a value
  2))
(check-sat) ; done
