//! Archives the files of submissions: `ML-2025-0042 The Rain Road/film_poster.jpg`.

use std::io::{Seek, Write};

use festival_core::Result;
use festival_core::admin::privacy::{ArchivedFile, PrivateArchive};
use festival_core::site::Site;

use super::layout::local_time;
use crate::submissions::Submission;

/// Adds the files of a submission to an archive.
pub(crate) async fn add_files<W: Write + Seek + Send + 'static>(
    mut archive: PrivateArchive<W>,
    site: &Site,
    submission: &Submission,
) -> Result<PrivateArchive<W>> {
    let at = local_time(submission.text("created_at"), &site.time_zone).unwrap_or_default();
    for file in submission.files() {
        let (size, compress) = (Some(file.size), !file.mime.starts_with("image/"));
        let file = ArchivedFile { path: &file.archive_path, key: &file.key, size, compress, at };
        archive = archive.add(site, file).await?;
    }
    Ok(archive)
}
