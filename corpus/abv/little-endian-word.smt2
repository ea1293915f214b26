; solvers: z3 cvc5
; expect: sat unsat
; four bytes read as a word
(set-logic QF_ABV)
(declare-const buf (Array (_ BitVec 32) (_ BitVec 8)))
(define-fun word () (_ BitVec 32) (concat (select buf #x00000003)
  (concat (select buf #x00000002) (concat (select buf #x00000001) (select buf #x00000000)))))
(assert (= word #xdeadbeef))
(check-sat)
(assert (not (= (select buf #x00000000) #xef)))
(check-sat)
