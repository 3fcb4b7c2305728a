//! The list of erased people, stored outside the database, so that restoring an older backup does not bring them back.
//!
//! A line contains the time and an HMAC of the e-mail address, keyed with the id of the site. Addresses cannot be read
//! from the file; whoever has a backup, and so the id, can test whether a given address is in it.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use data_encoding::HEXLOWER;
use hmac::{Hmac, KeyInit as _, Mac as _};
use jiff::Timestamp;
use sha2::Sha256;

use festival_base::db::timestamp_text;
use festival_base::durable::{self, Existing, sync_folder};
use festival_base::error::Result;

/// Name of the file in `data_dir` and in backups.
pub const ERASURES: &str = "erasures";

/// Erased people: the time of the latest erasure by hash.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Erasures {
    times: BTreeMap<String, String>,
}

impl Erasures {
    /// Adds the lines of `file`, if it exists.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn read(&mut self, file: &Path) -> Result<()> {
        let text = match std::fs::read_to_string(file) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            text => text?,
        };
        for (time, hash) in text.lines().filter_map(|line| line.split_once(' ')) {
            let latest = self.times.entry(hash.trim().to_owned()).or_default();
            if latest.as_str() < time {
                time.clone_into(latest);
            }
        }
        Ok(())
    }

    /// Writes the file in `folder` atomically; without any entries it writes none.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, folder: &Path) -> Result<()> {
        if self.is_empty() {
            return Ok(());
        }
        let mut lines: Vec<String> = self.times.iter().map(|(hash, time)| format!("{time} {hash}\n")).collect();
        lines.sort();
        Ok(durable::write(&folder.join(ERASURES), lines.concat().as_bytes(), Existing::Replace)?)
    }

    /// Appends a line to the file in `folder` and syncs it to disk.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(folder: &Path, now: Timestamp, hash: &str) -> Result<()> {
        let mut options = OpenOptions::new();
        options.create(true).append(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(folder.join(ERASURES))?;
        file.write_all(format!("{} {hash}\n", timestamp_text(now)).as_bytes())?;
        file.sync_all()?;
        Ok(sync_folder(folder)?)
    }

    /// Returns the time of the latest erasure of the person with this hash, as stored.
    pub fn time_of(&self, hash: &str) -> Option<&str> {
        self.times.get(hash).map(String::as_str)
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }
}

/// Returns the hash of an address, which must be in lower case.
pub(super) fn hash(site_id: &str, email: &str) -> String {
    // HMAC accepts keys of any length.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(site_id.as_bytes()) else { return String::new() };
    mac.update(email.as_bytes());
    HEXLOWER.encode(&mac.finalize().into_bytes())
}
