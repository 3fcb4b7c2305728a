//! Hashes of values.

use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha256};

use festival_base::db::Datum;

/// A hash of values, in 32 hexadecimal digits. The table `seeds` stores such hashes.
pub(crate) fn hash<'a>(values: impl IntoIterator<Item = &'a Datum>) -> String {
    let mut hasher = Sha256::new();
    for value in values {
        match value {
            Datum::Null => hasher.update([0]),
            Datum::Text(text) | Datum::Reference(text) => {
                hasher.update([1]);
                hasher.update((text.len() as u64).to_le_bytes());
                hasher.update(text);
            }
            Datum::Integer(number) => {
                hasher.update([2]);
                hasher.update(number.to_le_bytes());
            }
        }
    }
    HEXLOWER.encode(&hasher.finalize()[..16])
}
