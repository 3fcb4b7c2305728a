//! Proof of work: lets clients that share an address exceed the rate limit (`docs/decisions/0034-proof-of-work-instead-of-waiting.md`).
//!
//! A challenge is signed and not stored. Its solution is accepted once: a redeemed challenge is stored until it expires.

use data_encoding::HEXLOWER;
use festival_core::db::timestamp_text;
use festival_core::error::Challenge;
use festival_core::site::Site;
use festival_core::{Error, Result, identity};
use hmac::{Hmac, KeyInit as _, Mac as _};
use jiff::{SignedDuration, Timestamp};
use sha2::{Digest as _, Sha256};

/// The header of a solution: `<salt>:<number>:<signature>`.
pub(crate) const HEADER: &str = "Proof-Of-Work";

/// Exclusive bound of the secret number: solving takes half as many hashes on average, a second or two on a phone.
const MAX_NUMBER: u32 = 50_000;
/// How long a challenge is valid.
const LIFETIME: SignedDuration = SignedDuration::from_mins(10);
/// Length of the random part of a salt, in bytes.
const NONCE_LENGTH: usize = 16;

/// Creates a challenge for `purpose`, a name without `.` and `:`.
///
/// # Errors
/// If the database does not answer.
pub(crate) async fn challenge(site: &Site, purpose: &str) -> Result<Challenge> {
    let (mut nonce, mut number) = ([0; NONCE_LENGTH], [0; 4]);
    getrandom::fill(&mut nonce).map_err(|error| Error::internal(error.to_string()))?;
    getrandom::fill(&mut number).map_err(|error| Error::internal(error.to_string()))?;
    let number = u32::from_be_bytes(number) % MAX_NUMBER;
    let expires_at = site.clock.now().checked_add(LIFETIME).map_err(Error::internal)?.as_second();
    let salt = format!("{purpose}.{expires_at}.{}", HEXLOWER.encode(&nonce));
    let hash = hash(&salt, &number.to_string());
    let signature = HEXLOWER.encode(&signer(site, &hash).await?.finalize().into_bytes());
    Ok(Challenge { salt, hash, max_number: MAX_NUMBER, signature })
}

/// Accepts a solution once.
///
/// # Errors
/// [`Error::Closed`] if it does not solve a challenge for `purpose`, has expired, or was accepted before.
pub(crate) async fn redeem(site: &Site, purpose: &str, solution: &str) -> Result<()> {
    let reject = |reason: &str| Err(Error::Closed(format!("{reason} Send the form without {HEADER} for a new one.")));
    let parts: Vec<&str> = solution.split(':').collect();
    let &[salt, number, signature] = parts.as_slice() else {
        return reject("This is no solution of a challenge.");
    };
    let hash = hash(salt, number);
    let signature = HEXLOWER.decode(signature.as_bytes()).unwrap_or_default();
    if signer(site, &hash).await?.verify_slice(&signature).is_err() {
        return reject("This does not solve a challenge of this site.");
    }
    // The signature is valid, so the salt is one of ours.
    let mut fields = salt.split('.');
    if fields.next() != Some(purpose) {
        return reject("This challenge was for something else.");
    }
    let expires_at =
        fields.next().and_then(|seconds| seconds.parse().ok()).and_then(|s| Timestamp::from_second(s).ok());
    let Some(expires_at) = expires_at.filter(|expires_at| *expires_at > site.clock.now()) else {
        return reject("This challenge has expired.");
    };
    if spend(site, hash, expires_at).await? { Ok(()) } else { reject("This solution has been used.") }
}

/// Returns the SHA-256 of salt and number, in hexadecimal.
fn hash(salt: &str, number: &str) -> String {
    HEXLOWER.encode(&Sha256::digest(format!("{salt}:{number}")))
}

/// Returns the HMAC of `hash` with the site's id as key, not finished yet.
async fn signer(site: &Site, hash: &str) -> Result<Hmac<Sha256>> {
    let key = identity::find(&mut *site.db.read().await?).await?;
    let key = key.ok_or_else(|| Error::internal("the site has no id"))?;
    let signer = Hmac::<Sha256>::new_from_slice(key.as_bytes());
    let mut signer = signer.map_err(|error| Error::internal(error.to_string()))?;
    // Separates these signatures from others made with the same key.
    signer.update(b"proof-of-work:");
    signer.update(hash.as_bytes());
    Ok(signer)
}

/// Stores a challenge as spent and deletes expired ones; `false` if it was spent before.
async fn spend(site: &Site, hash: String, expires_at: Timestamp) -> Result<bool> {
    let mut write = site.db.write_private().await?;
    sqlx::query("DELETE FROM spent_challenges WHERE expires_at < $1")
        .bind(timestamp_text(site.clock.now()))
        .execute(&mut *write)
        .await?;
    let inserted =
        sqlx::query("INSERT INTO spent_challenges (hash, expires_at) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING")
            .bind(hash)
            .bind(timestamp_text(expires_at))
            .execute(&mut *write)
            .await?;
    write.commit().await?;
    Ok(inserted.rows_affected() == 1)
}
