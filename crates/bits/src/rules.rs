//! The rewriting rules, as one table.
//!
//! A rule takes a head over rewritten arguments and gives an equal node, or nothing. [`rewrite`] folds
//! constants and then tries the rules of the head in the order of the table; what a rule makes is itself
//! rewritten. The test `every_rule_is_an_equality` builds heads over small nodes of widths 1 to 8, applies
//! every rule that fires and compares both sides under all assignments, and fails for a rule that never
//! fires.
//!
//! The rules serve the layers above. Comparisons of concatenations are split by bytes, so that value sets see
//! conjuncts over one byte. Conditionals with a constant arm go up through additions, reads and
//! concatenations, so that they meet the comparison that decides them. Masks and shifts by constants are
//! concatenations, so that there is one notation for moved bytes.

mod bitwise;
mod compare;
mod parts;
mod sums;

use crate::eval;
use crate::form::{Form, Node, Op};

/// Nested applications of rules after which a node is kept as it is: a deep term must not exhaust the stack.
const DEEPEST: u32 = 120;

/// Which heads a rule is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Head {
    Not,
    Neg,
    And,
    Xor,
    Add,
    Mul,
    Udiv,
    Urem,
    Shl,
    Lshr,
    Ashr,
    Concat,
    Extract,
    Sext,
    Ite,
    Eq,
    Ult,
    Slt,
    Lookup,
    Read,
}

const HEADS: usize = Head::Read as usize + 1;

/// One rule.
pub(crate) struct Rule {
    /// A name for tests and profiles.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests say which rule is wrong"))]
    pub(crate) name: &'static str,
    pub(crate) head: Head,
    pub(crate) apply: fn(&mut Form, Op, u8) -> Option<Node>,
}

macro_rules! rules {
    ($($head:ident { $($name:literal $apply:path;)* })*) => {
        /// Every rule, by head.
        pub(crate) static RULES: &[Rule] = &[
            $($(Rule { name: $name, head: Head::$head, apply: $apply },)*)*
        ];
    };
}

rules! {
    Not {
        "not-not" bitwise::not_not;
        "not-concat" bitwise::not_concat;
        "not-sext" bitwise::not_sext;
        "not-ite" bitwise::not_ite;
    }
    Neg {
        "neg-neg" sums::neg_neg;
        "neg-add" sums::neg_add;
        "neg-ite" sums::neg_ite;
        "neg-bit" sums::neg_bit;
    }
    And {
        "and-constant" bitwise::and_constant;
        "and-same" bitwise::and_same;
        "and-nested" bitwise::and_nested;
        "and-known" bitwise::and_known;
        "and-concat" bitwise::and_concat;
        "and-run" bitwise::and_run;
        "and-ite" bitwise::and_ite;
        "and-sext" bitwise::and_sext;
    }
    Xor {
        "xor-constant" bitwise::xor_constant;
        "xor-same" bitwise::xor_same;
        "xor-not" bitwise::xor_not;
        "xor-concat" bitwise::xor_concat;
        "xor-ite" bitwise::xor_ite;
    }
    Add {
        "add-zero" sums::add_zero;
        "add-nested" sums::add_nested;
        "add-opposite" sums::add_opposite;
        "add-bit" sums::add_bit;
        "add-disjoint" sums::add_disjoint;
        "add-low-zero" sums::add_low_zero;
        "add-ite" sums::add_ite;
        "add-remainder" sums::add_remainder;
    }
    Mul {
        "mul-constant" sums::mul_constant;
        "mul-nested" sums::mul_nested;
        "mul-sum" sums::mul_sum;
        "mul-ite" sums::mul_ite;
        "mul-bit" sums::mul_bit;
        "mul-neg" sums::mul_neg;
    }
    Udiv {
        "udiv-power" sums::udiv_power;
        "udiv-small" sums::udiv_small;
        "udiv-narrow" sums::udiv_narrow;
    }
    Urem {
        "urem-power" sums::urem_power;
        "urem-small" sums::urem_small;
        "urem-narrow" sums::urem_narrow;
    }
    Shl {
        "shl-constant" parts::shl_constant;
        "shl-zero" parts::shift_of_zero;
        "shl-ite" parts::shift_ite;
    }
    Lshr {
        "lshr-constant" parts::lshr_constant;
        "lshr-zero" parts::shift_of_zero;
        "lshr-ite" parts::shift_ite;
    }
    Ashr {
        "ashr-constant" parts::ashr_constant;
        "ashr-positive" parts::ashr_positive;
        "ashr-ite" parts::shift_ite;
    }
    Concat {
        "concat-left" parts::concat_left;
        "concat-constants" parts::concat_constants;
        "concat-extracts" parts::concat_extracts;
        "concat-ites" parts::concat_ites;
        "concat-ite" parts::concat_ite;
    }
    Extract {
        "extract-all" parts::extract_all;
        "extract-extract" parts::extract_extract;
        "extract-concat" parts::extract_concat;
        "extract-bitwise" parts::extract_bitwise;
        "extract-ite" parts::extract_ite;
        "extract-low" parts::extract_low;
        "extract-sext" parts::extract_sext;
        "extract-known" parts::extract_known;
    }
    Sext {
        "sext-sext" parts::sext_sext;
        "sext-known" parts::sext_known;
        "sext-concat" parts::sext_concat;
        "sext-ite" parts::sext_ite;
    }
    Ite {
        "ite-constant" parts::ite_constant;
        "ite-same" parts::ite_same;
        "ite-not" parts::ite_not;
        "ite-bit" parts::ite_bit;
        "ite-nested" parts::ite_nested;
    }
    Eq {
        "eq-same" compare::eq_same;
        "eq-bit" compare::eq_bit;
        "eq-ranges" compare::eq_ranges;
        "eq-concat" compare::eq_concat;
        "eq-not" compare::eq_not;
        "eq-xor" compare::eq_xor;
        "eq-sum" compare::eq_sum;
        "eq-ite" compare::eq_ite;
        "eq-product" compare::eq_product;
        "eq-sext" compare::eq_sext;
        "eq-polynomials" compare::eq_polynomials;
    }
    Ult {
        "ult-ranges" compare::ult_ranges;
        "ult-edge" compare::ult_edge;
        "ult-bit" compare::ult_bit;
        "ult-not" compare::ult_not;
        "ult-concat" compare::ult_concat;
        "ult-prefix" compare::ult_prefix;
        "ult-ite" compare::ult_ite;
        "ult-quotient" compare::ult_quotient;
        "ult-sext" compare::ult_sext;
    }
    Slt {
        "slt-same" compare::slt_same;
        "slt-signs" compare::slt_signs;
        "slt-zero" compare::slt_zero;
        "slt-concat" compare::slt_concat;
        "slt-sext" compare::slt_sext;
        "slt-ite" compare::slt_ite;
    }
    Lookup {
        "lookup-constant" parts::lookup_constant;
        "lookup-range" parts::lookup_range;
        "lookup-equal" parts::lookup_equal;
        "lookup-ite" parts::lookup_ite;
        "lookup-nested" parts::lookup_nested;
    }
    Read {
        "read-cell" parts::read_cell;
        "read-ite" parts::read_ite;
    }
}

/// The rules of a head: a range of the table.
fn rules_of(head: Head) -> std::ops::Range<usize> {
    static RANGES: std::sync::LazyLock<[(usize, usize); HEADS]> = std::sync::LazyLock::new(|| {
        let mut ranges = [(0, 0); HEADS];
        for (i, rule) in RULES.iter().enumerate() {
            let range = &mut ranges[rule.head as usize];
            if range.1 == 0 {
                range.0 = i;
            }
            range.1 = i + 1;
        }
        ranges
    });
    let (begin, end) = RANGES[head as usize];
    begin..end
}

pub(crate) fn head_of(op: Op) -> Option<Head> {
    Some(match op {
        Op::Const(_) | Op::Leaf(_) => return None,
        Op::Not(_) => Head::Not,
        Op::Neg(_) => Head::Neg,
        Op::And(..) => Head::And,
        Op::Xor(..) => Head::Xor,
        Op::Add(..) => Head::Add,
        Op::Mul(..) => Head::Mul,
        Op::Udiv(..) => Head::Udiv,
        Op::Urem(..) => Head::Urem,
        Op::Shl(..) => Head::Shl,
        Op::Lshr(..) => Head::Lshr,
        Op::Ashr(..) => Head::Ashr,
        Op::Concat(..) => Head::Concat,
        Op::Extract(..) => Head::Extract,
        Op::Sext(_) => Head::Sext,
        Op::Ite(..) => Head::Ite,
        Op::Eq(..) => Head::Eq,
        Op::Ult(..) => Head::Ult,
        Op::Slt(..) => Head::Slt,
        Op::Lookup(..) => Head::Lookup,
        Op::Read(..) => Head::Read,
    })
}

/// What a head over arguments is equal to, if a rule says so.
pub(crate) fn rewrite(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let head = head_of(op)?;
    if let Some(value) = eval::folded(form, op, width) {
        return Some(form.constant(value, width));
    }
    if form.depth >= DEEPEST {
        return None;
    }
    form.depth += 1;
    let found = rules_of(head).find_map(|i| {
        let node = (RULES[i].apply)(form, op, width)?;
        form.fired[i] += 1;
        Some(node)
    });
    form.depth -= 1;
    found
}

#[cfg(test)]
mod tests;
