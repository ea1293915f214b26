; solvers: z3
; expect: sat
; options of z3's own
(set-option :auto_config false)
(set-option :smt.mbqi false)
(set-option :type_check true)
(set-option :smt.random_seed 7)
(set-option :timeout 10000)
(set-logic ALL)
(declare-const x Int)
(assert (> x 0))
(check-sat)
