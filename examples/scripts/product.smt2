; Two integers between 2 and 200 with a given product: not linear, so a solver process decides it.
(declare-const x Int)
(declare-const y Int)
(assert (= (* x y) 15251))
(assert (and (< 1 x) (< x y) (< y 200)))
(check-sat)
