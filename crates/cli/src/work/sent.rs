//! What a queue needs of a front end: programs that travel to workers.

use super::package::{Package, Unpacked};
use crate::explore::programs::{Known, Programs};
use crate::language::Written;

/// A front end whose programs workers explore.
pub(crate) trait Sent: Programs {
    /// The language, as jobs name it.
    const WRITTEN: Written;

    /// What every path depends on beside the program, and workers have themselves: Java's JDK. Empty if that
    /// is nothing.
    fn platform(_front: &Self) -> String {
        String::new()
    }

    /// Why this worker cannot take jobs for this platform, if so.
    fn check_platform(_wanted: &str) -> Result<(), String> {
        Ok(())
    }

    /// What was found beside the program.
    fn known(_front: &Self) -> Known {
        Known::new()
    }

    /// The program, to be sent.
    fn packed(front: &Self) -> Result<Package, String>;

    /// The program that was received. Its folder has to outlive it.
    fn unpacked(unpacked: &Unpacked) -> Result<Self::Program, String>;
}
