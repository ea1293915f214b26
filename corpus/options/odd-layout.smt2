; solvers: z3 cvc5
; expect: sat unsat
; several commands on one line, one command on several
(set-logic QF_LIA)(declare-const x Int)(declare-const y
Int)(assert
(
<
x
y
)
)(check-sat)(assert(<	y	x))(check-sat)
