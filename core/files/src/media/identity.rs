//! Whose files these are, and which servers use them.

use std::fs;
use std::io::ErrorKind;
use std::sync::atomic::Ordering;

use super::Media;
use super::private::{blocking, make_folder, write_durably};
use festival_base::error::Result;

/// The file in the media folder that names the site.
pub(super) const SITE_ID: &str = "site-id";
/// The file in the media folder that says that a restore into it has begun and not ended.
const RESTORING: &str = "restoring";
/// The file in the media folder that the server locks.
const LOCK: &str = "lock";

impl Media {
    /// The id of the site that these files belong to; none before it was said.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub async fn site_id(&self) -> Result<Option<String>> {
        let path = self.dir.join(SITE_ID);
        let id = blocking(move || match fs::read_to_string(path) {
            Ok(text) => Ok(Some(text.trim().to_owned())),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        })
        .await?;
        self.is_identified.fetch_or(id.is_some(), Ordering::Relaxed);
        Ok(id)
    }

    /// Says that these files belong to the site `id`, unless they belong to one already.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub async fn set_site_id(&self, id: &str) -> Result<()> {
        let (staging, path, line) = (self.staging_dir(), self.dir.join(SITE_ID), format!("{id}\n"));
        blocking(move || write_durably(&staging, &path, line.as_bytes())).await?;
        self.is_identified.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Takes these files for this server, as long as it runs; `false` where another one is at work on them. `may_share`: it
    /// works on them all the same, and whoever comes later finds both.
    ///
    /// # Errors
    /// If the lock cannot be made.
    pub async fn lock(&self, may_share: bool) -> Result<bool> {
        if let Some((_, is_alone)) = self.lock.get() {
            return Ok(*is_alone);
        }
        let folder = self.dir.clone();
        let (file, is_alone) = blocking(move || {
            make_folder(&folder)?;
            let file = fs::File::create(folder.join(LOCK))?;
            let is_alone = file.try_lock().is_ok();
            if may_share {
                file.lock_shared()?;
            }
            Ok((file, is_alone))
        })
        .await?;
        if is_alone || may_share {
            drop(self.lock.set((file, is_alone)));
        }
        Ok(is_alone)
    }

    /// Whether [`Media::lock`] found no other server at work on these files: what it found half done, nobody will finish.
    pub fn started_alone(&self) -> bool {
        self.lock.get().is_some_and(|(_, is_alone)| *is_alone)
    }

    /// Whether a restore into these files has begun and not ended.
    pub fn is_restoring(&self) -> bool {
        self.dir.join(RESTORING).exists()
    }
}

/// Where a restore into the media folder `media` says that it is under way.
pub fn restoring_marker(media: &std::path::Path) -> std::path::PathBuf {
    media.join(RESTORING)
}
