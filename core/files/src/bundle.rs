//! Files that belong together, such as a list and its pictures, in a folder or a ZIP archive.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Cursor, Error, ErrorKind, Read, Result, Seek};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use zip::ZipArchive;

use crate::budget::{BudgetError, Cancellation};
use crate::sheet::{Limits, count_parts};

/// Files of a folder or an archive, without those that operating systems add.
pub struct Bundle {
    source: Source,
    /// Paths with slashes, in their order.
    files: Vec<String>,
    names: FileNames,
    /// Remaining bytes that may be read from an uploaded archive.
    left: Option<AtomicU64>,
    /// Whether anybody still waits for what is read.
    cancellation: Cancellation,
}

enum Source {
    Folder(PathBuf),
    Archive(Mutex<ZipArchive<Box<dyn ReadSeek>>>),
}

trait ReadSeek: Read + Seek + Send {}
impl<T: Read + Seek + Send> ReadSeek for T {}

/// Maximum number of bytes that are read from an uploaded archive, all files together.
const MAX_READ: u64 = 1 << 30;

impl Bundle {
    /// Lists the files in a folder with its subfolders, or in a ZIP archive.
    ///
    /// # Errors
    /// If it cannot be read, or is neither.
    pub fn open(path: &Path) -> Result<Self> {
        if !path.is_dir() {
            return Self::of_archive(Box::new(BufReader::new(File::open(path)?)));
        }
        let mut files = Vec::new();
        list_folder(path, "", &mut files)?;
        Ok(Self::new(Source::Folder(path.to_owned()), files))
    }

    /// Lists the files of an uploaded ZIP archive. The bytes read from it are limited in total, and nothing is read
    /// once `asker` is cancelled.
    ///
    /// # Errors
    /// If it is not a ZIP archive, or has more files than can be read at once.
    pub fn of_bytes(bytes: Vec<u8>, asker: &Cancellation) -> Result<Self> {
        // The directory of an archive claims memory for each file.
        let budget = Limits::default().budget(asker);
        count_parts(&bytes, &budget).map_err(|error| Error::new(ErrorKind::FileTooLarge, error))?;
        let bundle = Self::of_archive(Box::new(Cursor::new(bytes)))?;
        Ok(Self { left: Some(AtomicU64::new(MAX_READ)), cancellation: asker.clone(), ..bundle })
    }

    /// The same files, readable after the job that listed them is done.
    #[must_use]
    pub fn outliving_its_job(self) -> Self {
        Self { cancellation: Cancellation::default(), ..self }
    }

    fn of_archive(file: Box<dyn ReadSeek>) -> Result<Self> {
        let archive = ZipArchive::new(file).map_err(|error| {
            Error::new(ErrorKind::InvalidData, format!("neither a folder nor a ZIP archive ({error})"))
        })?;
        // A row cannot name a file whose name is in an unknown encoding.
        let files = archive.file_names().filter_map(|name| name.ok().map(Cow::into_owned)).collect();
        Ok(Self::new(Source::Archive(Mutex::new(archive)), files))
    }

    fn new(source: Source, mut files: Vec<String>) -> Self {
        let is_hidden = |path: &str| path.split('/').any(|part| part.starts_with('.') || part == "__MACOSX");
        files.retain(|path| !path.ends_with('/') && !is_hidden(path));
        files.sort();
        let names = FileNames::new(&files);
        Self { source, files, names, left: None, cancellation: Cancellation::default() }
    }

    /// Whether the archive is a single document, like the files of office programs.
    pub fn is_document(&self) -> bool {
        let parts = ["[Content_Types].xml", "mimetype", "Index/Document.iwa", "xl/workbook.xml", "xl/workbook.bin"];
        self.files.iter().any(|path| parts.contains(&path.as_str()))
    }

    /// The paths of the files, in their order.
    pub fn files(&self) -> &[String] {
        &self.files
    }

    /// The files with one of these extensions, which are in lower case.
    pub fn with_extension<'b>(&'b self, extensions: &[&str]) -> impl Iterator<Item = &'b str> {
        self.files.iter().map(String::as_str).filter(|path| extensions.contains(&&*extension(path)))
    }

    /// The file that a text names; see [`FileNames::find`].
    pub fn find(&self, name: &str, folder: &str) -> Option<&str> {
        self.names.find(name, folder).map(|index| &*self.files[index])
    }

    /// Returns the bytes of a file, at most one more than `limit`.
    ///
    /// # Errors
    /// If it cannot be read, or nobody waits for it any more.
    pub fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>> {
        if self.cancellation.is_cancelled() {
            return Err(BudgetError::Cancelled.into());
        }
        let mut bytes = Vec::new();
        match &self.source {
            Source::Folder(folder) => File::open(folder.join(path))?.take(limit + 1).read_to_end(&mut bytes)?,
            Source::Archive(archive) => {
                let mut archive = archive.lock().unwrap_or_else(PoisonError::into_inner);
                archive.by_name(path)?.take(limit + 1).read_to_end(&mut bytes)?
            }
        };
        let remaining = |left: u64| left.checked_sub(bytes.len() as u64);
        if self
            .left
            .as_ref()
            .is_some_and(|left| left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, remaining).is_err())
        {
            let sentence = "the files of the archive are larger than what can be read at once";
            return Err(Error::new(ErrorKind::FileTooLarge, sentence));
        }
        Ok(bytes)
    }
}

/// Finds files by the names that people write.
#[derive(Default)]
pub struct FileNames {
    /// The first file with each path, name, and name without extension, all in lower case.
    by_path: HashMap<String, usize>,
    by_file_name: HashMap<String, usize>,
    by_stem: HashMap<String, usize>,
}

impl FileNames {
    /// The names of files, which are paths with slashes.
    pub fn new(files: &[String]) -> Self {
        let mut names = Self::default();
        for (index, path) in files.iter().map(|path| path.to_lowercase()).enumerate() {
            names.by_file_name.entry(file_name(&path).to_owned()).or_insert(index);
            names.by_stem.entry(stem(&path).to_owned()).or_insert(index);
            names.by_path.entry(path).or_insert(index);
        }
        names
    }

    /// The index of the file that a text names: with or without folder and extension, in any case; in `folder` first.
    pub fn find(&self, name: &str, folder: &str) -> Option<usize> {
        let name = name.trim().replace('\\', "/").to_lowercase();
        let name = name.trim_start_matches("./");
        if name.is_empty() {
            return None;
        }
        let by_path = |path: &str| self.by_path.get(path);
        by_path(&joined(&folder.to_lowercase(), name))
            .or_else(|| by_path(name))
            .or_else(|| self.by_file_name.get(file_name(name)))
            .or_else(|| self.by_stem.get(name))
            .copied()
    }
}

/// A path that is named from a folder: `../pictures/a.jpg` from `posts` is `pictures/a.jpg`.
fn joined(folder: &str, name: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in name.split('/') {
        match part {
            ".." => _ = parts.pop(),
            "." | "" => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Adds the files of a folder to a list, as paths with slashes below it.
fn list_folder(folder: &Path, prefix: &str, files: &mut Vec<String>) -> Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        // A link to a folder is not a folder.
        if entry.file_type()?.is_dir() {
            list_folder(&entry.path(), &format!("{prefix}{name}/"), files)?;
        } else {
            files.push(format!("{prefix}{name}"));
        }
    }
    Ok(())
}

/// The last part of a path.
pub fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The folder of a path; "" at the top.
pub fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The last part of a path, without its extension.
pub fn stem(path: &str) -> &str {
    let name = file_name(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// The extension of a path, in lower case.
pub fn extension(path: &str) -> String {
    file_name(path).rsplit_once('.').map_or("", |(_, extension)| extension).to_lowercase()
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::sync::Arc;

    use super::*;

    fn archive(files: &[&str]) -> Bundle {
        let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for name in files {
            archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
            archive.write_all(name.as_bytes()).unwrap();
        }
        Bundle::of_bytes(archive.finish().unwrap().into_inner(), &Cancellation::default()).unwrap()
    }

    #[test]
    fn files_are_found_as_people_name_them() {
        let bundle =
            archive(&["posts/a.md", "posts/a.jpg", "img/A.JPG", "img/Lamp 2.png", "__MACOSX/x.jpg", ".DS_Store"]);
        assert_eq!(bundle.files().len(), 4);
        let find = |name, folder| bundle.find(name, folder);
        assert_eq!(find("a.jpg", "posts"), Some("posts/a.jpg"));
        assert_eq!(find("../img/a.jpg", "posts"), Some("img/A.JPG"));
        assert_eq!(find("./Lamp 2.PNG", "posts"), Some("img/Lamp 2.png"));
        assert_eq!(find("lamp 2", ""), Some("img/Lamp 2.png"));
        assert_eq!((find("b.jpg", ""), find(" ", "")), (None, None));
        assert_eq!(bundle.read("img/A.JPG", 3).unwrap(), b"img/");
    }

    #[test]
    fn nothing_is_read_after_cancellation() {
        let waiter = Arc::new(());
        let mut bundle = archive(&["a.md"]);
        bundle.cancellation = Cancellation::when_dropped(Arc::downgrade(&waiter));
        assert!(bundle.read("a.md", 9).is_ok());
        drop(waiter);
        assert!(bundle.read("a.md", 9).is_err());
    }

    #[test]
    fn bytes_that_are_no_archive_are_refused() {
        assert!(Bundle::of_bytes(b"PK\x03\x04 and nothing else".to_vec(), &Cancellation::default()).is_err());
    }
}
