//! Hashes by which repeated submissions are recognised.

use std::collections::BTreeMap;

use data_encoding::HEXLOWER;
use festival_core::entity::{Values, trim};
use sha2::{Digest as _, Sha256};

use super::staged::FormFile;
use crate::description::extra_fields;

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

/// Returns the hash of a whole form and its files, without the time that filling it in took.
pub(super) fn payload_hash(values: &Values, files: &BTreeMap<&'static str, FormFile>) -> String {
    let texts = values
        .iter()
        .filter(|(name, _)| name.as_str() != extra_fields::ELAPSED)
        .flat_map(|(name, text)| [name.as_str(), trim(text)]);
    hash(texts.chain(file_parts(files)))
}

/// Returns the fields of files with the hashes of their content.
pub(super) fn file_parts<'a>(files: &'a BTreeMap<&'static str, FormFile>) -> impl Iterator<Item = &'a str> {
    files.iter().flat_map(|(field, file)| [*field, file.sent_sha256()])
}

/// Returns `text` in lower case with single spaces, for comparison.
pub(super) fn normalized(text: &str) -> String {
    text.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}
