//! Sorts, hash-consed terms, values, models and evaluation.
