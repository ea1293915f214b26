//! Exact machine arithmetic on symbolic values: expressions, conditions, intervals, evaluation, and their writings as terms.
