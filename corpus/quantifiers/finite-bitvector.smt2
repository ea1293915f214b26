; solvers: z3 cvc5
; expect: sat
; every nibble has its complement
(set-logic BV)
(assert (forall ((a (_ BitVec 4))) (exists ((b (_ BitVec 4))) (= (bvxor a b) #xf))))
(check-sat)
