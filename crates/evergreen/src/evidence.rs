//! Which stored entries carry evidence: a part that can be checked without trust in their origin.

use crate::is_settled;
use evergreen_reuse::{Record, RecordedVerdict, StoredCore, check_core_bytes, is_strict_model};
use evergreen_store::{Bucket, Key};
use evergreen_trie::{Kind, decode, referred};

/// Whether an entry can be used without trust: a model, which is evaluated, a certificate, which is checked,
/// or something that answers nothing by itself. What it cannot prove is solved again.
pub fn has_evidence(key: &Key, bytes: &[u8]) -> bool {
    if Bucket::of(key, bytes).is_some() {
        // Sets with a model, and references to such; unsatisfiable sets and cores say no more than that.
        if is_strict_model(bytes) {
            return true;
        }
        return referred(bytes).is_some() || decode(bytes).is_some_and(|entry| entry.kind == Kind::Sat);
    }
    match Record::decode(bytes).map(|record| record.verdict) {
        Some(RecordedVerdict::Sat(model)) => model.is_some(),
        Some(RecordedVerdict::Unsat { certificate, .. }) => certificate.is_some(),
        Some(RecordedVerdict::Count(_)) => false,
        // Values are evaluated; a marker answers nothing.
        None => {
            let is_marker = check_core_bytes(bytes) && StoredCore::decode(bytes).is_none();
            is_settled(bytes) || is_marker
        }
    }
}
