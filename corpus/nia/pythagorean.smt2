; solvers: z3 cvc5
; expect: sat
; a right triangle with small sides
(set-logic QF_NIA)
(declare-const a Int)
(declare-const b Int)
(declare-const c Int)
(assert (and (< 0 a b) (< b c 12)))
(assert (= (+ (* a a) (* b b)) (* c c)))
(check-sat)
