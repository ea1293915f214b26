; solvers: z3 cvc5
; expect: unsat
; contradicting masks among harmless ones
(set-option :produce-unsat-cores true)
(set-logic QF_BV)
(declare-const f (_ BitVec 8))
(assert (! (= (bvand f #x0f) #x05) :named low-nibble))
(assert (! (= (bvand f #xf0) #xa0) :named high-nibble))
(assert (! (= ((_ extract 0 0) f) #b0) :named even))
(check-sat)
(get-unsat-core)
