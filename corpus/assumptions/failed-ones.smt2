; solvers: z3 cvc5
; expect: unsat sat
; which assumptions made it unsat
(set-option :produce-unsat-assumptions true)
(set-logic QF_LIA)
(declare-const x Int)
(declare-const a Bool)
(declare-const b Bool)
(declare-const c Bool)
(assert (=> a (>= x 10)))
(assert (=> b (<= x 0)))
(assert (=> c (= x 3)))
(check-sat-assuming (a b))
(get-unsat-assumptions)
(check-sat-assuming (c))
