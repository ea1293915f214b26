//! Queries as text, for messages.

use evergreen_smtlib::{print_declarations, print_term};
use evergreen_term::{TermId, Terms};

/// A query as a script that can be pasted into a file.
pub fn describe_query(terms: &Terms, constraints: &[TermId]) -> String {
    let mut text = print_declarations(terms, constraints).unwrap_or_default();
    for &c in constraints {
        text.push_str(&format!("(assert {})\n", print_term(terms, c)));
    }
    text + "(check-sat)\n"
}
