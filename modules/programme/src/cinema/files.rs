//! Reads what was chosen: XML files, and archives of them.

use festival_core::bundle::{self, Bundle};

use super::cpl::Cpl;
use super::kdm::Kdm;
use super::xml::{self, Element, MAX_BYTES};

/// Maximum size of an archive in bytes.
pub(crate) const MAX_ARCHIVE_BYTES: u64 = 16 << 20;
/// Maximum number of XML files that are read from an archive.
const MAX_FILES: usize = 1_000;
/// Maximum number of bytes that are read from an archive.
const MAX_READ: usize = 64 << 20;

/// A file with its name, and what it says or why that cannot be read: the end of a sentence about it.
pub(crate) struct File {
    pub(super) name: String,
    pub(super) content: Result<Content, String>,
}

pub(super) enum Content {
    Cpl(Cpl),
    Kdm(Kdm),
}

/// Reads XML files and ZIP archives of them. Of archives and folders of a print, only playlists and messages count.
pub(crate) fn read_files(
    files: Vec<(String, Vec<u8>)>,
    open: impl Fn(Vec<u8>) -> std::io::Result<Bundle>,
) -> Vec<File> {
    let mut read = Vec::new();
    for (name, bytes) in files {
        if !bytes.starts_with(b"PK\x03\x04") {
            let content = content(&bytes)
                .and_then(|content| content.ok_or_else(|| "is neither a playlist (CPL) nor a key (KDM)".into()));
            read.push(File { name, content });
            continue;
        }
        let before = read.len();
        let result = open(bytes).map_err(|error| format!("cannot be read: {error}"));
        let result = result.and_then(|archive| read_archive(&name, &archive, &mut read));
        let result = match result {
            Ok(()) if read.len() == before => Err("has neither a playlist (CPL) nor a key (KDM)".to_owned()),
            result => result,
        };
        read.extend(result.err().map(|reason| File { name, content: Err(reason) }));
    }
    // Keys are for playlists, which may come after them.
    read.sort_by_key(|file| matches!(file.content, Ok(Content::Kdm(_))));
    read
}

fn read_archive(name: &str, archive: &Bundle, read: &mut Vec<File>) -> Result<(), String> {
    let mut left = MAX_READ;
    for (count, path) in archive.with_extension(&["xml"]).enumerate() {
        let bytes = archive.read(path, MAX_BYTES).map_err(|error| format!("cannot be read: {error}"))?;
        left = left.checked_sub(bytes.len()).filter(|_| count < MAX_FILES).ok_or("has too much in it")?;
        if let Some(content) = content(&bytes).transpose() {
            read.push(File { name: format!("{name}: {}", bundle::file_name(path)), content });
        }
    }
    Ok(())
}

/// `None`: it is XML of another kind, such as the list of files that comes with a print.
fn content(bytes: &[u8]) -> Result<Option<Content>, String> {
    let document = xml::parse(bytes)?;
    let root = Element::root(&document);
    if Cpl::is_one(root) {
        return Ok(Some(Content::Cpl(Cpl::read(root)?)));
    }
    if Kdm::is_one(root) { Ok(Some(Content::Kdm(Kdm::read(root)?))) } else { Ok(None) }
}
