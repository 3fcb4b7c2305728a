//! Random tokens: the browser or a letter has the token, the database its hash.

use sha2::{Digest as _, Sha256};

use festival_base::error::{Error, Result};

/// How many random bytes a token has: 256 bits.
const BYTES: usize = 32;

/// A new token, as 64 hexadecimal digits.
pub(crate) fn random() -> Result<String> {
    Ok(hex(&random_bytes::<BYTES>()?))
}

/// Random bytes of the operating system.
pub(super) fn random_bytes<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| Error::internal(error.to_string()))?;
    Ok(bytes)
}

/// Whether `text` looks like a token of ours.
pub(super) fn is_token(text: &str) -> bool {
    text.len() == 2 * BYTES && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

/// What the database keeps of `secret`; `purpose` keeps hashes of one kind from being used as another.
pub(super) fn hash(purpose: &str, secret: &str) -> String {
    hex(&Sha256::new().chain_update(purpose).chain_update([0]).chain_update(secret).finalize())
}

/// Whether two texts are the same, in a time that does not tell where they differ.
pub(super) fn same(one: &str, other: &str) -> bool {
    one.len() == other.len() && one.bytes().zip(other.bytes()).fold(0, |seen, (a, b)| seen | (a ^ b)) == 0
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
