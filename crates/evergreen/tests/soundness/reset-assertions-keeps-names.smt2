; z3 keeps names of terms, also where declarations are global and no level is open.
(set-option :global-declarations true)
(declare-const x Int)
(assert (or (! (> x 5) :named large) (< x 0)))
(check-sat)
(reset-assertions)
(assert large)
(assert (< x 5))
(check-sat)
