//! The memory of the process.

/// The memory that the process has resident; 0 where the system does not say.
pub fn used_bytes() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let resident = pages.split_whitespace().nth(1).and_then(|n| n.parse::<u64>().ok());
    // SAFETY: sysconf has no preconditions.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    resident.unwrap_or(0) * u64::try_from(page).unwrap_or(4096)
}
