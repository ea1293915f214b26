; solvers: z3 cvc5
; expect: sat sat unsat sat
; both arms of a branch on a prefix
(set-logic QF_BV)
(declare-const c (_ BitVec 8))
(declare-const digit Bool)
(declare-const letter Bool)
(assert (= digit (and (bvuge c #x30) (bvule c #x39))))
(assert (= letter (and (bvuge c #x61) (bvule c #x7a))))
(check-sat-assuming (digit))
(check-sat-assuming (letter))
(check-sat-assuming (digit letter))
(check-sat-assuming ((not digit) (not letter)))
