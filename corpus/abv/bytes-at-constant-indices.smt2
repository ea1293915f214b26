; solvers: z3 cvc5
; expect: sat unsat
; bytes of a buffer in independent groups
(set-logic QF_ABV)
(declare-const buf (Array (_ BitVec 32) (_ BitVec 8)))
(assert (= (select buf #x00000000) #x7b))
(assert (bvult (select buf #x00000001) (select buf #x00000002)))
(assert (= (bvand (select buf #x00000003) #x80) #x00))
(check-sat)
(assert (= (select buf #x00000002) #x00))
(check-sat)
