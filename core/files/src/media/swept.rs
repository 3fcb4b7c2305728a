//! The result of a sweep.

/// The result of a sweep: numbers of files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// Staged files that were deleted.
    pub staged: u64,
    /// Unreferenced files that were moved to the trash.
    pub trashed: u64,
    /// Referenced files that were restored from the trash.
    pub restored: u64,
    /// Unreferenced files that were left in place because there are too many.
    pub refused: u64,
    /// Referenced files that are missing, from the trash too.
    pub missing: u64,
}
