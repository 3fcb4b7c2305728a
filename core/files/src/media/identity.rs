//! Whose files these are, and which server alone uses them.

use std::fs;
use std::io::ErrorKind;

use super::Media;
use super::private::{blocking, make_folder, write_durably};
use festival_base::error::Result;

/// The file in the media folder that names the site.
const SITE_ID: &str = "site-id";
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
        blocking(move || match fs::read_to_string(path) {
            Ok(text) => Ok(Some(text.trim().to_owned())),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        })
        .await
    }

    /// Says that these files belong to the site `id`, unless they belong to one already.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub async fn set_site_id(&self, id: &str) -> Result<()> {
        let (staging, path, line) = (self.staging_dir(), self.dir.join(SITE_ID), format!("{id}\n"));
        blocking(move || write_durably(&staging, &path, line.as_bytes())).await
    }

    /// Takes these files for one server, as long as it runs; `false` where another one has them.
    ///
    /// # Errors
    /// If the lock cannot be made.
    pub async fn lock(&self) -> Result<bool> {
        if self.is_locked() {
            return Ok(true);
        }
        let folder = self.dir.clone();
        let locked = blocking(move || {
            make_folder(&folder)?;
            let file = fs::File::create(folder.join(LOCK))?;
            Ok(file.try_lock().is_ok().then_some(file))
        })
        .await?;
        Ok(match locked {
            Some(file) => self.lock.set(file).is_ok(),
            None => false,
        })
    }

    /// Whether [`Media::lock`] got these files: no other server is writing here.
    pub fn is_locked(&self) -> bool {
        self.lock.get().is_some()
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
