//! The id of the site that the store belongs to, and the lock of the servers that use a media folder.

use std::fs;
use std::sync::atomic::Ordering;

use super::Media;
use super::keys::SITE_ID;
use super::staging::{Staging, blocking};
use super::store::Store;
use festival_base::durable::create_folder;
use festival_base::error::{Error, Result};

/// The file in the store that marks an unfinished restore, and contains the id of the site.
const RESTORING: &str = "restoring";
/// The file in the media folder that servers lock.
const LOCK: &str = "lock";

impl Media {
    /// Returns the id of the site that the store belongs to; `None` before it was set.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn site_id(&self) -> Result<Option<String>> {
        let id = self.read_line(SITE_ID).await?;
        self.is_identified.fetch_or(id.is_some(), Ordering::Relaxed);
        Ok(id)
    }

    /// Sets the id of the site, unless one is set already.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn set_site_id(&self, id: &str) -> Result<()> {
        self.write_line(SITE_ID, id).await?;
        self.is_identified.store(true, Ordering::Relaxed);
        Ok(())
    }

    async fn read_line(&self, path: &str) -> Result<Option<String>> {
        match self.store.open(path).await {
            Ok(file) => Ok(Some(String::from_utf8_lossy(&file.read().await?).trim().to_owned())),
            Err(Error::NotFound(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    async fn write_line(&self, path: &str, line: &str) -> Result<()> {
        let staging = Staging { folder: self.staging_dir(), site_id: None };
        self.store.put_new(staging, path, format!("{line}\n").into_bytes()).await
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

    /// Returns whether a server uses the media folder: this process, or another one.
    ///
    /// # Errors
    /// If the thread that asks cannot be started.
    pub async fn is_served(&self) -> Result<bool> {
        if self.lock.get().is_some() {
            return Ok(true);
        }
        let path = self.dir.join(LOCK);
        blocking(move || Ok(fs::File::open(path).is_ok_and(|file| file.try_lock().is_err()))).await
    }

    /// Returns whether nobody else will finish work that was left unfinished: [`Media::lock`] found no other process. A
    /// bucket may be shared with other machines, which the lock does not cover.
    pub fn started_alone(&self) -> bool {
        matches!(self.store, Store::Disk(_)) && self.lock.get().is_some_and(|(_, is_alone)| *is_alone)
    }

    /// Returns the id of the site whose restore into this store has begun but not finished.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn restoring(&self) -> Result<Option<String>> {
        self.read_line(RESTORING).await
    }

    /// Notes that a restore of the site `id` has begun. A resumed restore keeps the earlier note: if it was missing
    /// even for a moment, a server could start on an incomplete site.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn begin_restore(&self, id: &str) -> Result<()> {
        if self.restoring().await?.as_deref() == Some(id) {
            return Ok(());
        }
        self.store.delete(RESTORING).await?;
        self.write_line(RESTORING, id).await
    }

    /// Removes the note, because the restore has finished.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub async fn end_restore(&self) -> Result<()> {
        self.store.delete(RESTORING).await.map(drop)
    }
}

#[cfg(test)]
mod tests {
    use festival_base::error::Result;

    use crate::media::Media;

    #[tokio::test]
    async fn running_server_is_detected_by_itself_and_by_others() -> Result<()> {
        let directory = tempfile::tempdir()?;
        let (server, command) = (Media::open(directory.path())?, Media::open(directory.path())?);
        assert!(!server.is_served().await? && !command.is_served().await?);
        assert!(server.lock(false).await?, "asking locks nothing");
        assert!(server.is_served().await? && command.is_served().await?);
        drop(server);
        assert!(!command.is_served().await?);
        Ok(())
    }

    #[tokio::test]
    async fn resumed_restore_never_removes_its_note() -> Result<()> {
        let directory = tempfile::tempdir()?;
        let media = Media::open(directory.path())?;
        media.begin_restore("site").await?;
        // A note that was removed and written again would be another file.
        std::fs::hard_link(directory.path().join("restoring"), directory.path().join("link"))?;
        media.begin_restore("site").await?;
        std::fs::write(directory.path().join("link"), b"through the link")?;
        assert_eq!(media.restoring().await?.as_deref(), Some("through the link"));
        media.begin_restore("another").await?;
        assert_eq!(media.restoring().await?.as_deref(), Some("another"));
        Ok(())
    }
}
