; solvers: z3 cvc5
; expect: sat
; a name for a sort, with a parameter
(set-logic QF_ABV)
(define-sort Byte () (_ BitVec 8))
(define-sort Memory (A) (Array A Byte))
(declare-const m (Memory (_ BitVec 4)))
(assert (= (select m #x0) #xff))
(check-sat)
