//! Constraint sets, stored so that answers are found by implication: reduction, the L-Trie, the UBTree.
