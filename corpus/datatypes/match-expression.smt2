; solvers: z3 cvc5
; expect: sat unsat
; selection by shape
(set-logic ALL)
(declare-datatypes ((Shape 0)) (((point) (circle (r Int)) (box (w Int) (h Int)))))
(declare-const s Shape)
(define-fun size ((x Shape)) Int (match x ((point 0) ((circle a) a) ((box a b) (+ a b)))))
(assert (= (size s) 7))
(assert (not ((_ is circle) s)))
(check-sat)
(assert (not ((_ is box) s)))
(check-sat)
