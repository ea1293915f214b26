//! Links the command at a fixed address: see `main`.

/// A program that may lie anywhere has its tables of functions filled in at each start: 150 pages are copied
/// and written for it, 0.6 of the 1.7 ms that the process takes in all. A solver in front of a client starts
/// thousands of times. Libraries, the stack and the heap lie at random addresses as before.
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|v| v == value);
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
