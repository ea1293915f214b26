; solvers: z3 cvc5
; expect: sat
; two buffers under the same constraints
(set-logic QF_ABV)
(declare-const left (Array (_ BitVec 32) (_ BitVec 8)))
(declare-const right (Array (_ BitVec 32) (_ BitVec 8)))
(assert (bvugt (select left #x00000004) #x2f))
(assert (bvult (select left #x00000004) #x3a))
(assert (bvugt (select right #x00000009) #x2f))
(assert (bvult (select right #x00000009) #x3a))
(check-sat)
