; solvers: z3 cvc5
; expect: sat unsat
; four values, five different constants
(set-logic QF_DT)
(declare-datatypes ((Suit 0)) (((clubs) (diamonds) (hearts) (spades))))
(declare-const a Suit)
(declare-const b Suit)
(assert (not (= a clubs)))
(assert (not (= a diamonds)))
(assert (not (= a hearts)))
(check-sat)
(assert (= b a))
(assert (not (= b spades)))
(check-sat)
