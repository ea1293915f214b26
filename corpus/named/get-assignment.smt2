; solvers: z3 cvc5
; expect: sat
; truth values of the named formulas
(set-option :produce-assignments true)
(set-logic QF_LIA)
(declare-const x Int)
(assert (= x 4))
(assert (or (! (> x 3) :named gt) (! (< x 0) :named lt)))
(check-sat)
(get-assignment)
