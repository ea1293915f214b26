; solvers: z3 cvc5
; expect: unsat
; grouping does not matter
(set-logic QF_S)
(declare-const a String)
(declare-const b String)
(declare-const c String)
(assert (not (= (str.++ a (str.++ b c)) (str.++ (str.++ a b) c))))
(check-sat)
