//! Limits of the size of a table.

use smart_default::SmartDefault;

use crate::budget::{Budget, Cancellation};

/// Maximum work of reading, as a multiple of the maximum decompressed size. A workbook is read twice, and several
/// worksheets may have to be read.
const WORK_FACTOR: u64 = 16;

/// Limits of the size of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, SmartDefault)]
pub struct Limits {
    /// Maximum size of the file, in bytes. Default: 64 MiB.
    #[default(64 << 20)]
    pub file_bytes: usize,
    /// Maximum size of a decompressed workbook, in bytes. Default: 128 MiB.
    #[default(128 << 20)]
    pub unpacked_bytes: u64,
    /// Maximum number of rows below the header. Default: 100,000.
    #[default = 100_000]
    pub rows: usize,
    /// Maximum number of columns. Default: 200.
    #[default = 200]
    pub columns: usize,
    /// Maximum number of cells in all rows together. Default: 2,000,000.
    #[default = 2_000_000]
    pub cells: usize,
    /// Maximum size of a cell, in bytes of UTF-8. Default: 64 KiB.
    #[default(64 << 10)]
    pub cell_bytes: usize,
    /// Maximum memory of the table and for reading it, in bytes. Default: 320 MiB.
    #[default(320 << 20)]
    pub memory_bytes: u64,
}

impl Limits {
    /// Returns the budget for reading one table.
    pub fn budget(&self, cancellation: &Cancellation) -> Budget {
        Budget::new(WORK_FACTOR * self.unpacked_bytes.max(self.file_bytes as u64), self.memory_bytes, cancellation)
    }
}
