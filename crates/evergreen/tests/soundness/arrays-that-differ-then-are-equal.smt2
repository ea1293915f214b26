; A model between these checks makes cvc5 1.0 fail in the second one: it is asked for one only if the client asks.
(declare-const buf (Array (_ BitVec 32) (_ BitVec 8)))
(declare-const out (Array (_ BitVec 32) (_ BitVec 8)))
(push 1)
(assert (bvult (concat (select out #x00000000) (select buf #x00000000)) #x0300))
(check-sat)
(assert (= buf out))
(check-sat)
(pop 1)
