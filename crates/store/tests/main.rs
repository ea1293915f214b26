//! The tests of this crate in one program: linked once, and its tests run beside each other.

mod buckets;
#[cfg(feature = "cloud")]
mod cloud;
mod common;
mod conformance;
mod crash;
mod damage;
mod journal;
mod kills;
mod layers;
mod pack;
mod redis_trouble;
mod safety;
