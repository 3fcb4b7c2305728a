//! The id of the site that the media folder belongs to, and the lock of the servers that use it.

use std::fs;
use std::io::ErrorKind;
use std::sync::atomic::Ordering;

use super::Media;
use super::private::{blocking, create_folder, write_durably};
use festival_base::error::Result;

/// The file in the media folder that contains the site's id.
pub(super) const SITE_ID: &str = "site-id";
/// The file in the media folder that marks an unfinished restore.
const RESTORING: &str = "restoring";
/// The file in the media folder that servers lock.
const LOCK: &str = "lock";

impl Media {
    /// Returns the id of the site that the media folder belongs to; `None` before it was set.
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

    /// Sets the id of the site, unless one is set already.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub async fn set_site_id(&self, id: &str) -> Result<()> {
        let (staging, path, line) = (self.staging_dir(), self.dir.join(SITE_ID), format!("{id}\n"));
        blocking(move || write_durably(&staging, &path, line.as_bytes())).await?;
        self.is_identified.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Locks the media folder for this process and returns whether no other process holds the lock. With `may_share` a
    /// shared lock is held in any case, which later processes see.
    ///
    /// # Errors
    /// If the lock cannot be created.
    pub async fn lock(&self, may_share: bool) -> Result<bool> {
        if let Some((_, is_alone)) = self.lock.get() {
            return Ok(*is_alone);
        }
        let folder = self.dir.clone();
        let (file, is_alone) = blocking(move || {
            create_folder(&folder)?;
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

    /// Returns whether [`Media::lock`] found no other process; then nobody else will finish work that was left
    /// unfinished.
    pub fn started_alone(&self) -> bool {
        self.lock.get().is_some_and(|(_, is_alone)| *is_alone)
    }

    /// Returns whether a restore into this folder has begun and not ended.
    pub fn is_restoring(&self) -> bool {
        self.dir.join(RESTORING).exists()
    }
}

/// Returns the path of the file that marks an unfinished restore into the folder `media`.
pub fn restoring_marker(media: &std::path::Path) -> std::path::PathBuf {
    media.join(RESTORING)
}
