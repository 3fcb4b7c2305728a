//! Recognising what was sent before.

use std::collections::BTreeMap;

use festival_core::entity::{Values, trim};
use sha2::{Digest as _, Sha256};

use super::staged::FormFile;

/// The hash of `parts`, in hexadecimal; parts cannot run into each other.
pub(crate) fn hash<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_be_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize()[..16].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The hash of everything that was sent, files by their content; `but` is left out.
pub(crate) fn payload(values: &Values, files: &BTreeMap<&'static str, FormFile>, but: &str) -> String {
    let texts =
        values.iter().filter(|(name, _)| name.as_str() != but).flat_map(|(name, text)| [name.as_str(), trim(text)]);
    hash(texts.chain(parts_of(files)))
}

/// Fields and contents of files.
pub(crate) fn parts_of<'a>(files: &'a BTreeMap<&'static str, FormFile>) -> impl Iterator<Item = &'a str> {
    files.iter().flat_map(|(field, file)| [*field, file.sent_sha256()])
}

/// A text for comparing: small letters, single blanks.
pub(crate) fn plain(text: &str) -> String {
    text.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}
