; solvers: z3 cvc5
; expect: sat unsat
; cons cells taken apart
(set-logic QF_DT)
(declare-datatypes ((List 0)) (((nil) (cons (head Bool) (tail List)))))
(declare-const l List)
(assert ((_ is cons) l))
(assert ((_ is cons) (tail l)))
(assert ((_ is nil) (tail (tail l))))
(check-sat)
(assert (= l (tail l)))
(check-sat)
