; solvers: z3 cvc5
; expect: unsat
; the same cycle renamed, reordered and written the other way round
(set-logic QF_LIA)
(declare-const third Int)
(declare-const first Int)
(declare-const second Int)
(assert (> first third))
(assert (> second first))
(assert (not (<= third second)))
(check-sat)
