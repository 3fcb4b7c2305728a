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

/// Exclusive bound of the secret number of the first challenges: solving takes half as many hashes on average, a second or
/// two on a phone.
const MAX_NUMBER: u32 = 50_000;
/// How much longer than the first ones the longest challenges take.
const MAX_GROWTH: u32 = 64;
/// Number of accepted solutions after which a challenge takes as much longer as the first ones took.
const GROWTH_STEP: u32 = 30;
/// How long a challenge is valid.
const LIFETIME: SignedDuration = SignedDuration::from_mins(10);
/// Length of the random part of a salt, in bytes.
const NONCE_LENGTH: usize = 16;

/// The exclusive bound of the secret number for a client of which `accepted` solutions were accepted lately: it grows with
/// use, slowly enough that a thousand people behind one address still get through.
pub(crate) fn max_number(accepted: usize) -> u32 {
    let growth = u32::try_from(accepted).unwrap_or(u32::MAX) / GROWTH_STEP;
    MAX_NUMBER * growth.saturating_add(1).min(MAX_GROWTH)
}

/// Creates a challenge for `purpose`, a name without `.` and `:`.
///
/// # Errors
/// If the database does not answer.
pub(crate) async fn challenge(site: &Site, purpose: &str, max_number: u32) -> Result<Challenge> {
    let (mut nonce, mut number) = ([0; NONCE_LENGTH], [0; 4]);
    getrandom::fill(&mut nonce).map_err(|error| Error::internal(error.to_string()))?;
    getrandom::fill(&mut number).map_err(|error| Error::internal(error.to_string()))?;
    let number = u32::from_be_bytes(number) % max_number;
    let expires_at = site.clock.now().checked_add(LIFETIME).map_err(Error::internal)?.as_second();
    let salt = format!("{purpose}.{expires_at}.{max_number}.{}", HEXLOWER.encode(&nonce));
    let hash = hash(&salt, &number.to_string());
    let signature = HEXLOWER.encode(&signer(site, &hash).await?.finalize().into_bytes());
    Ok(Challenge { salt, hash, max_number, signature })
}

/// Accepts a solution once. `false` if the bound of its challenge is less than half of `wanted`: challenges that were collected while
/// they were easy do not pass later.
///
/// # Errors
/// [`Error::Closed`] if it does not solve a challenge for `purpose`, has expired, or was accepted before.
pub(crate) async fn redeem(site: &Site, purpose: &str, wanted: u32, solution: &str) -> Result<bool> {
    let reject =
        |reason: &str| Err::<bool, _>(Error::Closed(format!("{reason} Send the form without {HEADER} for a new one.")));
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
    let max_number: u32 = fields.next().and_then(|number| number.parse().ok()).unwrap_or_default();
    if max_number < wanted / 2 {
        return Ok(false);
    }
    if spend(site, hash, expires_at).await? { Ok(true) } else { reject("This solution has been used.") }
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

#[cfg(test)]
mod tests {
    use super::max_number;

    #[test]
    fn work_grows_with_accepted_solutions_up_to_a_bound() {
        assert_eq!([0, 29, 30, 60, 1_000].map(max_number), [50_000, 50_000, 100_000, 150_000, 1_700_000]);
        assert_eq!([10_000, usize::MAX].map(max_number), [3_200_000, 3_200_000]);
    }
}
