//! Dev only: servers and fixtures that tests need.

pub mod redis;
