; solvers: z3 cvc5
; expect: sat
; formulas as values
(set-option :produce-models true)
(set-logic QF_UF)
(declare-const p Bool)
(declare-const q Bool)
(assert (and p (not q)))
(check-sat)
(get-value (p q (and p q) (or p q) (=> p q) (xor p q) true))
