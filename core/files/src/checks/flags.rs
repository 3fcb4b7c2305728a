//! What the back office is told of a file that was stored nevertheless.

/// The flag of a file that could not be decoded completely; it is stored unchanged.
pub const DAMAGED: &str = "damaged";
