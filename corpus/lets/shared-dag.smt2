; solvers: z3 cvc5
; expect: unsat
; a term that is exponential when written out
(set-logic QF_BV)
(declare-const x (_ BitVec 8))
(assert (let ((a (bvadd x x))) (let ((b (bvadd a a))) (let ((c (bvadd b b))) (let ((d (bvadd c c)))
  (let ((e (bvadd d d))) (let ((f (bvadd e e))) (let ((g (bvadd f f))) (let ((h (bvadd g g)))
  (not (= h #x00)))))))))))
(check-sat)
