//! A received file before it is committed to a store.

use tempfile::TempPath;

use crate::checks::{DAMAGED, texts};

/// A file that was received, checked and cleaned, in the staging folder. It is deleted on drop, unless it was committed
/// by
/// [`Media::commit_private`](crate::media::Media::commit_private).
#[derive(Debug)]
pub struct StagedFile {
    /// The form field that it was sent in.
    pub field: &'static str,
    /// The sender's name for the file, cleaned, at most 120 characters. For display only, never to be used as a path.
    pub name: String,
    /// Size of the cleaned file in bytes.
    pub size: u64,
    /// SHA-256 of the cleaned file, in hexadecimal.
    pub sha256: String,
    /// SHA-256 of the file as it was sent, in hexadecimal; identifies duplicates.
    pub sent_sha256: String,
    /// MIME type, detected by content: `image/jpeg`, `image/png`, `image/webp`, `application/pdf`, `video/mp4`, or
    /// `application/octet-stream` for a table.
    pub mime: &'static str,
    /// Extension in the store: `jpg`, `png`, `webp`, `pdf`, `mp4` or `table`.
    pub extension: &'static str,
    /// Warnings for the organisers: `active_content`, `may_hide_active_content`, `encrypted`,
    /// [`DAMAGED`](crate::checks::DAMAGED), [`NOT_SCANNED`](crate::scanner::NOT_SCANNED).
    pub flags: Vec<&'static str>,
    /// In the staging folder; `None` once it was committed.
    pub(crate) path: Option<TempPath>,
}

impl StagedFile {
    /// Returns a remark for the sender, if the file may be damaged.
    pub fn remark(&self) -> Option<&'static str> {
        self.flags.contains(&DAMAGED).then(|| texts::damaged(self.mime))
    }
}
