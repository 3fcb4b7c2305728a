//! Random tokens: the browser or a link has the token, the database its hash.

use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha256};

use festival_base::error::{Error, Result};

/// Random bytes of a token: 256 bits.
const BYTES: usize = 32;

/// Returns a new token: 64 hexadecimal digits.
pub(crate) fn random() -> Result<String> {
    Ok(hex(&random_bytes::<BYTES>()?))
}

/// Returns random bytes of the operating system.
pub(crate) fn random_bytes<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| Error::internal(error.to_string()))?;
    Ok(bytes)
}

/// Whether `text` has the form of a token.
pub(crate) fn is_well_formed(text: &str) -> bool {
    text.len() == 2 * BYTES && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

/// Returns the hash of `secret` to store. `purpose` separates domains: a hash of one kind never equals one of another.
pub(crate) fn hash(purpose: &str, secret: &str) -> String {
    hex(&Sha256::new().chain_update(purpose).chain_update([0]).chain_update(secret).finalize())
}

fn hex(bytes: &[u8]) -> String {
    HEXLOWER.encode(bytes)
}
