; solvers: z3 cvc5
; expect: sat
; what clients send before the first question
(set-info :smt-lib-version 2.6)
(set-info :source |A source
over two lines; with a semicolon|)
(set-info :category "crafted")
(set-info :status sat)
(set-option :print-success false)
(set-option :produce-models true)
(set-logic QF_LIA)
(echo "begin")
(declare-const x Int)
(assert (= x 1))
(check-sat)
(echo "end")
