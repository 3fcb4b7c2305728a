//! A file between network and store.

use std::path::{Path, PathBuf};

use crate::checks::{DAMAGED, texts};

/// A file that was received, checked and cleaned, and waits on disk. Dropping it deletes it, unless
/// [`Media::commit_private`](crate::media::Media::commit_private) took it over.
#[derive(Debug)]
pub struct StagedFile {
    /// The field it was sent in.
    pub field: &'static str,
    /// The name it had on the sender's machine, cleaned, at most 120 characters: to be shown, never to be used as a path.
    pub name: String,
    /// Its size as it is kept, in bytes.
    pub size: u64,
    /// The SHA-256 of what is kept, in hexadecimal.
    pub sha256: String,
    /// The SHA-256 of what was sent, in hexadecimal: the same file sent twice has the same one.
    pub sent_sha256: String,
    /// What it is, judged by its bytes: `image/jpeg`, `image/png`, `image/webp` or `application/pdf`.
    pub mime: &'static str,
    /// The extension it is kept with: `jpg`, `png`, `webp` or `pdf`.
    pub extension: &'static str,
    /// What the reader should know before opening it: `active_content`, `may_hide_active_content`, `encrypted`,
    /// [`DAMAGED`](crate::checks::DAMAGED).
    pub flags: Vec<&'static str>,
    pub(crate) place: StagedPath,
}

impl StagedFile {
    /// What its sender should know of it.
    pub fn remark(&self) -> Option<&'static str> {
        self.flags.contains(&DAMAGED).then(|| texts::damaged(self.mime))
    }
}

/// A path under the staging folder that is deleted on drop, while it is owned.
#[derive(Debug)]
pub(crate) struct StagedPath(Option<PathBuf>);

impl StagedPath {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self(Some(path))
    }

    /// Where the file is; none once it was taken over.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.0.as_deref()
    }

    /// The file lives elsewhere now and is not deleted.
    pub(crate) fn forget(&mut self) {
        self.0 = None;
    }
}

impl Drop for StagedPath {
    fn drop(&mut self) {
        // Whatever cannot be deleted now is the sweep's.
        if let Some(path) = self.0.take() {
            let _ = std::fs::remove_file(path);
        }
    }
}
