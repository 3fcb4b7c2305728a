//! The store on this machine's disk.

use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tokio::fs::File;

use super::super::staging::{Staging, blocking, storage_error, write_durably};
use super::{Listed, OpenFile};
use crate::transfer::{self, Digest};
use festival_base::durable::{create_folder, folder_of, sync_folder};
use festival_base::error::{Error, Result};

/// A media folder.
pub(in super::super) struct Disk {
    folder: PathBuf,
}

impl Disk {
    /// Opens the store in `folder` and creates the folder of public files.
    pub(in super::super) fn new(folder: &Path) -> Result<Self> {
        let public = folder.join("public");
        fs::create_dir_all(&public)
            .map_err(|error| Error::internal(format!("{} cannot be created: {error}", public.display())))?;
        Ok(Self { folder: folder.to_owned() })
    }

    pub(in super::super) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(in super::super) fn path(&self, path: &str) -> PathBuf {
        self.folder.join(path)
    }

    pub(super) async fn put_staged(&self, from: PathBuf, path: &str) -> Result<()> {
        let to = self.path(path);
        let folder = folder_of(&to).to_owned();
        blocking(move || {
            create_folder(&folder)?;
            fs::File::open(&from)?.sync_all()?;
            fs::rename(&from, &to)?;
            sync_folder(&folder).inspect_err(|_| drop(fs::remove_file(&to)))
        })
        .await
    }

    pub(super) async fn put_new(&self, staging: Staging, path: &str, bytes: Vec<u8>) -> Result<()> {
        let to = self.path(path);
        blocking(move || write_durably(staging.create()?, &to, &bytes)).await
    }

    pub(super) async fn copy_in(&self, from: PathBuf, path: &str) -> Result<Digest> {
        let to = self.path(path);
        festival_base::blocking(move || {
            fs::create_dir_all(folder_of(&to))?;
            Ok(transfer::copy(&from, &to)?)
        })
        .await
    }

    pub(super) async fn open(&self, path: &str) -> Result<OpenFile> {
        let missing = || Error::NotFound("There is no such file.".into());
        let file = File::open(self.path(path)).await.map_err(|error| match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::InvalidFilename => missing(),
            _ => storage_error(&error),
        })?;
        let metadata = file.metadata().await.map_err(|error| storage_error(&error))?;
        if !metadata.is_file() {
            return Err(missing());
        }
        OpenFile::on_disk(file, &metadata).map_err(|error| storage_error(&error))
    }

    pub(super) async fn list(&self, folder: &str) -> Result<Vec<Listed>> {
        let (path, name) = (self.path(folder), folder.to_owned());
        blocking(move || {
            let mut files = Vec::new();
            list(&path, &name, &mut files)?;
            Ok(files)
        })
        .await
    }

    pub(super) async fn folders(&self, folder: &str) -> Result<Vec<String>> {
        let path = self.path(folder);
        blocking(move || {
            let names = entries(&path)?.into_iter().filter_map(|entry| entry.file_name().into_string().ok());
            Ok(names.collect())
        })
        .await
    }

    pub(super) async fn rename(&self, from: &str, to: &str) -> Result<bool> {
        let (from, to) = (self.path(from), self.path(to));
        blocking(move || was_found(move_file(&from, &to))).await
    }

    /// Renames a file without waiting for the disk, so that it need not run on a blocking thread.
    pub(in super::super) fn rename_now(&self, from: &str, to: &str) -> Result<bool> {
        was_found(fs::rename(self.path(from), self.path(to))).map_err(|error| storage_error(&error))
    }

    /// Truncates a file to zero bytes, as quickly as [`Disk::rename_now`].
    pub(in super::super) fn truncate_now(&self, path: &str) -> Result<()> {
        let file = fs::OpenOptions::new().write(true).truncate(true).open(self.path(path));
        file.map(drop).map_err(|error| storage_error(&error))
    }

    /// Returns the size of everything in the folder in bytes, renditions included.
    pub(in super::super) async fn total_bytes(&self) -> Result<u64> {
        let folder = self.folder.clone();
        blocking(move || Ok(size_of(&folder))).await
    }

    pub(super) async fn delete(&self, path: &str) -> Result<bool> {
        let path = self.path(path);
        blocking(move || was_found(fs::remove_file(path))).await
    }

    pub(super) async fn delete_folder(&self, folder: &str) -> Result<()> {
        let path = self.path(folder);
        blocking(move || was_found(fs::remove_dir_all(path)).map(drop)).await
    }
}

/// Adds up the sizes of all files below a folder. Those that disappear meanwhile are ignored.
fn size_of(folder: &Path) -> u64 {
    let mut open = vec![folder.to_owned()];
    let mut size = 0;
    while let Some(folder) = open.pop() {
        for entry in entries(&folder).unwrap_or_default() {
            match entry.metadata() {
                Ok(data) if data.is_dir() => open.push(entry.path()),
                Ok(data) => size += data.len(),
                Err(_) => {}
            }
        }
    }
    size
}

/// Moves a file and syncs the move to disk.
fn move_file(from: &Path, to: &Path) -> io::Result<()> {
    let folder = folder_of(to);
    create_folder(folder)?;
    fs::rename(from, to)?;
    sync_folder(folder)
}

/// Turns the error of a missing file into `false`; `true` if the operation succeeded.
fn was_found(result: io::Result<()>) -> io::Result<bool> {
    match result {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        result => result.map(|()| true),
    }
}

/// Adds the files below `folder` to `files`. Those that disappear meanwhile are left out.
fn list(folder: &Path, name: &str, files: &mut Vec<Listed>) -> io::Result<()> {
    for entry in entries(folder)? {
        let path = format!("{name}/{}", entry.file_name().to_string_lossy());
        let metadata = match entry.metadata() {
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            metadata => metadata?,
        };
        if metadata.is_dir() {
            list(&entry.path(), &path, files)?;
        } else {
            files.push(Listed {
                path,
                size: metadata.len(),
                modified: metadata.modified()?,
                stored_at: stored_at(&metadata),
            });
        }
    }
    Ok(())
}

/// When a file was moved to its folder: its content may be much older, if the upload was slow.
fn stored_at(metadata: &fs::Metadata) -> Option<SystemTime> {
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(metadata.ctime().try_into().unwrap_or_default()))
}

/// The entries of `folder`; none if it does not exist.
pub(in super::super) fn entries(folder: &Path) -> io::Result<Vec<fs::DirEntry>> {
    match fs::read_dir(folder) {
        Ok(entries) => entries.collect(),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}
