; The question of product.smt2: other names, another order, comparisons the other way round.
(declare-const height Int)
(declare-const width Int)
(assert (not (>= height 200)))
(assert (> height width))
(assert (= 15251 (* height width)))
(assert (>= width 2))
(check-sat)
