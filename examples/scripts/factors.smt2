; Two factors of a product of 31 bits: too many steps for what is built in, so a solver program decides it.
(set-option :produce-models true)
(set-logic QF_BV)

(echo "two factors of 1733311471, by bit-vectors (the slow one)")
(declare-const p (_ BitVec 34))
(declare-const q (_ BitVec 34))
(assert (= (bvmul p q) (_ bv1733311471 34)))
(assert (and (bvult #b0000000000000000000000000000000001 p) (bvule p q)))
(assert (= ((_ extract 33 16) p) (_ bv0 18)))
(assert (= ((_ extract 33 16) q) (_ bv0 18)))
(check-sat)
(get-value (p q))
