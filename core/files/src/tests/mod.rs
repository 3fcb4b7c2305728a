//! Tests of several parts of the crate.

mod properties;
