//! Suites of Java: their text, their files and JUnit sources, and what is Java's own in their updates.

mod folder;
mod format;
mod random;
mod update;
