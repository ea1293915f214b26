; solvers: z3 cvc5
; expect: unsat sat
; a core of assertions and assumptions
(set-option :produce-unsat-cores true)
(set-logic QF_UF)
(declare-const p Bool)
(declare-const q Bool)
(declare-const r Bool)
(assert (! (=> p q) :named step1))
(assert (! (=> q r) :named step2))
(check-sat-assuming (p (not r)))
(check-sat-assuming (p r))
