//! Methods that the machine implements itself: natives of the JDK, and methods whose own code cannot
//! or need not be interpreted.
//!
//! The rule is to *interpret the JDK's own code* wherever that works, because it is then right for each
//! version, and to model only methods without code (natives), methods that reach for the running virtual
//! machine (reflection, class loading, standard streams, properties, locales), and methods that would fork
//! needlessly on symbolic values (boxes). Each file has a table.

mod arrays;
mod boot;
mod boxes;
mod builders;
mod characters;
mod checksums;
mod classes;
mod derived;
mod files;
mod functions;
mod handles;
mod host;
mod keys;
mod letters;
mod locales;
mod logging;
mod memory;
mod numbers;
mod objects;
mod open;
mod order;
mod out;
mod paths;
mod reflect;
mod resources;
mod sigma;
mod strings;
mod switches;
mod sym;
mod system;
mod tables;
mod threads;
mod throwables;
mod words;

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::classes::ClassId;
use crate::classes::link::Natives;
use crate::native::NativeFn;

pub(crate) use functions::answer;
pub(crate) use handles::polymorphic;
pub(crate) use keys::keeps_table;
pub(crate) use letters::{CasedPairs, Results};
pub use objects::SawChoice;
pub(crate) use objects::{SAW_CHOICE, nothing};
pub(crate) use reflect::wraps_exceptions;
pub(crate) use strings::number;
pub(crate) use sym::fixed_or_input;
pub(crate) use threads::Threads;

/// Class, name, descriptor (`*` for any), function.
pub(crate) type Row = (&'static str, &'static str, &'static str, NativeFn);

/// The state that natives keep for all paths.
#[derive(Default)]
pub struct Shared {
    /// The linked target of each dynamic call site, by class and pool index.
    pub(crate) sites: FxHashMap<(ClassId, u16), crate::indy::Site>,
    /// The targets of variable handles; an object's `extra` is the number of its handle, counted from one.
    pub(crate) handles: Vec<handles::Variable>,
    /// The files that were read, by number.
    pub(crate) files: Vec<Option<Rc<[u8]>>>,
    /// How texts are divided into words, once that is asked for.
    pub(crate) words: Option<words::Words>,
}

/// Classes whose static initializers are not run: they ask the running virtual machine for
/// things that nothing here uses.
pub(crate) const WITHOUT_INITIALIZER: &[&str] = &[
    "java/lang/Thread",
    "jdk/internal/loader/BootLoader",
    "javax/crypto/JceSecurity",
    "java/lang/invoke/MethodHandles",
    "java/lang/invoke/MethodHandles$Lookup",
    "java/lang/invoke/VarHandle",
    "java/lang/ref/Reference",
];

/// The natives and intercepted methods of each class, by internal name.
pub(crate) fn table() -> FxHashMap<&'static str, Rc<Natives>> {
    let all = [
        arrays::TABLE,
        handles::TABLE,
        boxes::TABLE,
        builders::TABLE,
        characters::TABLE,
        checksums::TABLE,
        classes::TABLE,
        derived::TABLE,
        files::TABLE,
        keys::TABLE,
        letters::TABLE,
        locales::TABLE,
        logging::TABLE,
        memory::TABLE,
        numbers::TABLE,
        objects::TABLE,
        out::TABLE,
        paths::TABLE,
        reflect::TABLE,
        resources::TABLE,
        sigma::TABLE,
        strings::TABLE,
        sym::TABLE,
        system::TABLE,
        tables::TABLE,
        threads::TABLE,
        throwables::TABLE,
    ];
    let mut table: FxHashMap<&'static str, Natives> = FxHashMap::default();
    for (class, name, descriptor, function) in all.into_iter().flatten() {
        let signature = if *descriptor == "*" { (*name).to_string() } else { format!("{name}{descriptor}") };
        table.entry(class).or_default().add(&signature, *function);
    }
    table.into_iter().map(|(class, natives)| (class, Rc::new(natives))).collect()
}
