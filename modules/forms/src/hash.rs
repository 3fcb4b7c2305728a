//! Hashes of texts.

use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha256};

/// Returns the first 128 bits of the SHA-256 of `parts`, in hexadecimal. Lengths are hashed too, so parts cannot run
/// into each other.
pub(crate) fn hash<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_be_bytes());
        hasher.update(part.as_bytes());
    }
    HEXLOWER.encode(&hasher.finalize()[..16])
}
