//! Copies of files with their digests.

use std::fs::File;
use std::io::{self, Read, Write as _};
use std::path::Path;

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// Length and hash of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Digest {
    /// The length in bytes.
    pub bytes: u64,
    /// SHA-256 in hexadecimal.
    pub sha256: String,
}

/// Returns the digest of bytes in memory.
pub fn digest_of(bytes: &[u8]) -> Digest {
    Digest { bytes: bytes.len() as u64, sha256: HEXLOWER.encode(&Sha256::digest(bytes)) }
}

/// Reads to the end and returns the digest; also calls `each` with every chunk.
///
/// # Errors
/// If something cannot be read, and those of `each`.
pub fn digest(from: &mut impl Read, mut each: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<Digest> {
    let (mut hash, mut bytes, mut buffer) = (Sha256::new(), 0, vec![0; 1 << 16]);
    loop {
        let length = from.read(&mut buffer)?;
        if length == 0 {
            return Ok(Digest { bytes, sha256: HEXLOWER.encode(&hash.finalize()) });
        }
        hash.update(&buffer[..length]);
        bytes += length as u64;
        each(&buffer[..length])?;
    }
}

/// Copies a file, syncs the copy, and returns the digest of what was read.
///
/// # Errors
/// If the file cannot be read or the copy cannot be written.
pub fn copy(from: &Path, to: &Path) -> io::Result<Digest> {
    let (mut source, mut copy) = (File::open(from)?, File::create(to)?);
    let digest = digest(&mut source, |chunk| copy.write_all(chunk))?;
    copy.sync_all()?;
    Ok(digest)
}
