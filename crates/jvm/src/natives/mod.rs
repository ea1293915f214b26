//! Natives and methods that are not interpreted, by class.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::classes::link::Natives;

/// What natives keep for all paths.
#[derive(Default)]
pub struct Shared {}

/// The natives of each class, by internal name.
pub(crate) fn table() -> FxHashMap<&'static str, Rc<Natives>> {
    FxHashMap::default()
}
