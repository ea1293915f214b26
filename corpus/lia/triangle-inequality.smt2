; solvers: z3 cvc5
; expect: sat unsat
; the sides of a triangle with a given perimeter
(set-logic QF_LIA)
(declare-const a Int)
(declare-const b Int)
(declare-const c Int)
(assert (and (> a 0) (> b 0) (> c 0)))
(assert (< a (+ b c)))
(assert (< b (+ a c)))
(assert (< c (+ a b)))
(assert (= (+ a b c) 12))
(check-sat)
(assert (= a 6))
(check-sat)
