//! The private store, for submitted files, which only the back office serves.
//!
//! A file is written to `<media>/staging` on this machine's disk and then moved to
//! `<media>/private/<folder>/<128 random bits>.<extension>` on the same file system, or sent to the bucket. Folders are
//! created on demand, so that a store that was unmounted works again without a restart.

use std::io::Write as _;
use std::path::Path;

use tempfile::{NamedTempFile, TempPath};
use tokio::fs::File;

use super::keys::{PRIVATE, PUBLIC, is_valid_key, private_path};
use super::staging::{blocking, random_name};
use super::store::Store;
use super::{Media, OpenFile, StagedFile};
use festival_base::durable::create_folder;
use festival_base::error::{Error, Result};
use festival_base::settings::Uploads;

impl Media {
    /// Creates an empty file in the staging folder, readable by its owner only and deleted on drop.
    pub(crate) async fn stage(&self) -> Result<(TempPath, File)> {
        let staging = self.staging();
        let (file, path) = blocking(move || Ok(NamedTempFile::new_in(staging.create()?)?.into_parts())).await?;
        Ok((path, File::from_std(file)))
    }

    /// Moves `staged` to `folder` of the store, durably, and returns its key, `film/<random>.jpg`. The caller stores
    /// the key in a row; if that fails, it calls [`Media::delete_private`].
    ///
    /// # Errors
    /// [`Error::NoRoom`] or [`Error::Unavailable`] if the store cannot be written.
    pub async fn commit_private(&self, folder: &str, staged: &mut StagedFile) -> Result<String> {
        let key = format!("{folder}/{}.{}", random_name()?, staged.extension);
        let from = staged.path.as_deref().map(Path::to_owned);
        let from = from.ok_or_else(|| Error::internal("a staged file was committed twice"))?;
        if !is_valid_key(&key) {
            return Err(Error::internal(format!("{folder} is not a valid folder for private files")));
        }
        self.store.put_staged(from, &private_path(&key)).await?;
        // Unless the file was moved, this deletes it; what cannot be deleted now is deleted by the next sweep.
        staged.path = None;
        Ok(key)
    }

    /// Opens a private file for reading.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such file or `key` is not a valid key, [`Error::Unavailable`] if the store
    /// does not answer.
    pub async fn open_private(&self, key: &str) -> Result<OpenFile> {
        if !is_valid_key(key) {
            return Err(Error::NotFound("There is no such file.".into()));
        }
        self.store.open(&private_path(key)).await
    }

    /// Deletes a private file, if it exists.
    pub async fn delete_private(&self, key: &str) -> Result<()> {
        if !is_valid_key(key) {
            return Err(Error::NotFound("There is no such file.".into()));
        }
        self.store.delete(&private_path(key)).await.map(drop)
    }

    /// Renames a private file and returns `false` if it does not exist. Of several concurrent callers one succeeds. On
    /// a disk it does not wait for anything; a bucket cannot rename, but create a file that nobody else can create.
    ///
    /// # Errors
    /// [`Error::NoRoom`] or [`Error::Unavailable`] if the store cannot be written.
    pub async fn claim_private(&self, key: &str, claimed_key: &str) -> Result<bool> {
        let (from, to) = (private_path(key), private_path(claimed_key));
        let s3 = match &self.store {
            Store::Disk(disk) => return disk.rename_now(&from, &to),
            Store::S3(s3) => s3,
        };
        // Between opening and reading it may be claimed by somebody else.
        let content = match async { self.store.open(&from).await?.read().await }.await {
            Err(Error::NotFound(_)) => return Ok(false),
            content => content?,
        };
        if !s3.claim(&to, content).await? {
            return Ok(false);
        }
        self.store.delete(&from).await?;
        Ok(true)
    }

    /// Undoes [`Media::claim_private`]. On a disk it does not wait for anything.
    ///
    /// # Errors
    /// Those of [`Media::claim_private`].
    pub async fn unclaim_private(&self, claimed_key: &str, key: &str) -> Result<()> {
        let (from, to) = (private_path(claimed_key), private_path(key));
        match &self.store {
            Store::Disk(disk) => disk.rename_now(&from, &to).map(drop),
            Store::S3(_) => self.store.rename(&from, &to).await.map(drop),
        }
    }

    /// Truncates a private file to zero bytes.
    ///
    /// # Errors
    /// Those of [`Media::claim_private`].
    pub async fn truncate_private(&self, key: &str) -> Result<()> {
        match &self.store {
            Store::Disk(disk) => disk.truncate_now(&private_path(key)),
            Store::S3(s3) => s3.put(&private_path(key), Vec::new()).await,
        }
    }

    /// Returns the free space on the disk of the media folder, in bytes.
    ///
    /// # Errors
    /// If it cannot be determined.
    pub async fn free_bytes(&self) -> Result<u64> {
        let staging = self.staging();
        blocking(move || fs4::available_space(staging.create()?)).await
    }

    /// Checks that a file can be written and synced in the staging folder.
    ///
    /// # Errors
    /// [`Error::NoRoom`] or [`Error::Unavailable`] if not.
    pub async fn check_writable(&self) -> Result<()> {
        let staging = self.staging();
        blocking(move || {
            let mut file = tempfile::tempfile_in(staging.create()?)?;
            file.write_all(b"x")?;
            file.sync_all()
        })
        .await
    }

    /// Checks that files can be created in all folders of this machine: those of the stores too, if they are here.
    ///
    /// # Errors
    /// [`Error::NoRoom`] or [`Error::Unavailable`] if not.
    pub async fn check_folders(&self) -> Result<()> {
        let mut folders = vec![self.staging_dir()];
        if let Store::Disk(disk) = &self.store {
            folders.extend([disk.path(PRIVATE), disk.path(PUBLIC)]);
        }
        blocking(move || {
            for folder in folders {
                create_folder(&folder)?;
                tempfile::tempfile_in(folder)?;
            }
            Ok(())
        })
        .await
    }

    /// Tries everything that the site does with its bucket, on an object created for this check. Does nothing for a
    /// store on the disk.
    ///
    /// # Errors
    /// What failed, as a sentence for operators.
    pub async fn probe(&self) -> Result<(), String> {
        let Store::S3(s3) = &self.store else { return Ok(()) };
        let name = random_name().map_err(|error| error.to_string())?;
        s3.probe(&format!("probe-{name}")).await
    }

    /// Checks that `uploads.keep_free_mib` remain free after writing `bytes`.
    ///
    /// # Errors
    /// [`Error::NoRoom`] if not.
    pub async fn check_free_space(&self, settings: &Uploads, bytes: u64) -> Result<()> {
        if self.free_bytes().await?.saturating_sub(bytes) >> 20 < settings.keep_free_mib {
            return Err(Error::no_room("There is no room for files at the moment. Please try again later."));
        }
        Ok(())
    }
}
