//! Who was erased, remembered outside of the database: a backup from before the erasure is restored without them.
//!
//! A line holds the moment and a hash of the e-mail address with the site's id as its key. Nobody can be read from the
//! file; whoever has a backup of the site, and so its id, can ask it whether an address is in it.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use data_encoding::HEXLOWER;
use hmac::{Hmac, KeyInit as _, Mac as _};
use jiff::Timestamp;
use sha2::Sha256;

use festival_base::db::timestamp_text;
use festival_base::error::Result;

/// The file's name, in `data_dir` and in a backup.
pub const ERASURES: &str = "erasures";

/// What the files say: the latest moment of each hash.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Erasures {
    moments: BTreeMap<String, String>,
}

impl Erasures {
    /// Takes in the lines of `file`; one that is not there has none.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(&mut self, file: &Path) -> Result<()> {
        let text = match std::fs::read_to_string(file) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            text => text?,
        };
        for (moment, hash) in text.lines().filter_map(|line| line.split_once(' ')) {
            let known = self.moments.entry(hash.trim().to_owned()).or_default();
            if known.as_str() < moment {
                moment.clone_into(known);
            }
        }
        Ok(())
    }

    /// Writes all of it to the file in `folder`, whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, folder: &Path) -> Result<()> {
        if self.is_empty() {
            return Ok(());
        }
        let (unfinished, file) = (folder.join(".erasures.unfinished"), folder.join(ERASURES));
        let mut lines: Vec<String> = self.moments.iter().map(|(hash, moment)| format!("{moment} {hash}\n")).collect();
        lines.sort();
        let mut written = private(&unfinished, false)?;
        written.write_all(lines.concat().as_bytes())?;
        written.sync_all()?;
        Ok(std::fs::rename(unfinished, file)?)
    }

    /// Adds a line to the file in `folder`; when this returns, it survives a power cut.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(folder: &Path, now: Timestamp, hash: &str) -> Result<()> {
        let mut file = private(&folder.join(ERASURES), true)?;
        file.write_all(format!("{} {hash}\n", timestamp_text(now)).as_bytes())?;
        file.sync_all()?;
        if cfg!(unix) {
            File::open(folder)?.sync_all()?;
        }
        Ok(())
    }

    /// When the person with this hash was erased last, as stored.
    pub fn moment_of(&self, hash: &str) -> Option<&str> {
        self.moments.get(hash).map(String::as_str)
    }

    /// Whether nobody was erased.
    pub fn is_empty(&self) -> bool {
        self.moments.is_empty()
    }
}

fn private(path: &Path, append: bool) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).append(append).truncate(!append);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// What stands for an address, which is in small letters.
pub(super) fn hash(site_id: &str, email: &str) -> String {
    // A key of any length will do.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(site_id.as_bytes()) else { return String::new() };
    mac.update(email.as_bytes());
    HEXLOWER.encode(&mac.finalize().into_bytes())
}
