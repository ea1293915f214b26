; solvers: z3 cvc5
; expect: unsat
; two instantiations
(set-logic UFLIA)
(declare-sort Node 0)
(declare-fun edge (Node Node) Bool)
(declare-fun path (Node Node) Bool)
(assert (forall ((a Node) (b Node)) (! (=> (edge a b) (path a b)) :pattern ((edge a b)))))
(assert (forall ((a Node) (b Node) (c Node))
  (! (=> (and (path a b) (path b c)) (path a c)) :pattern ((path a b) (path b c)))))
(declare-const u Node)
(declare-const v Node)
(declare-const w Node)
(assert (edge u v))
(assert (edge v w))
(assert (not (path u w)))
(check-sat)
