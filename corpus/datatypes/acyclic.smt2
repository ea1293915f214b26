; solvers: z3 cvc5
; expect: unsat
; no finite list is its own tail
(set-logic QF_DT)
(declare-datatypes ((List 0)) (((nil) (cons (head Bool) (tail List)))))
(declare-const l List)
(assert (= l (cons true (cons false l))))
(check-sat)
