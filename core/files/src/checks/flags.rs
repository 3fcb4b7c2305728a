//! Flags of stored files, which the back office shows.

/// The flag of a file that could not be decoded completely; it is stored unchanged.
pub const DAMAGED: &str = "damaged";
