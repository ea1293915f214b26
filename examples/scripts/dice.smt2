; Three dice that add up to ten: 27 of 216 throws.
(declare-const a Int)
(declare-const b Int)
(declare-const c Int)
(assert (and (<= 1 a 6) (<= 1 b 6) (<= 1 c 6)))
(assert (= (+ a b c) 10))
(check-sat)
