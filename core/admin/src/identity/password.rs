//! Password hashing with Argon2id, on blocking threads and with limited concurrency.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordVerifier as _, Version, password_hash::PasswordHasher as _};
use smart_default::SmartDefault;
use tokio::sync::Semaphore;
use zxcvbn::{Score, zxcvbn};

use crate::identity::token;
use festival_base::error::{Error, Result};

/// Minimum length of a password, in characters.
const MIN_CHARS: usize = 12;
/// Maximum length of a password, in characters.
const MAX_CHARS: usize = 256;
/// Characters whose strength is estimated: the cost of zxcvbn grows faster than the length.
const MAX_ESTIMATED_CHARS: usize = 80;
/// Hashes computed at the same time. Sign-ins must not occupy the whole machine.
const MAX_CONCURRENT: usize = 2;
/// Hashes running or queued; more are rejected with 503.
const MAX_PENDING: usize = 24;

/// Argon2 parameters: memory in KiB, passes, lanes. A stored hash with other parameters is replaced at the next
/// sign-in.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// Hashes and checks passwords.
#[derive(SmartDefault)]
pub struct Passwords {
    #[default(Arc::new(Semaphore::new(MAX_CONCURRENT)))]
    running: Arc<Semaphore>,
    #[default(Semaphore::new(MAX_PENDING))]
    pending: Semaphore,
    /// Hash of a random password, to compare with if an account does not exist.
    dummy_hash: OnceLock<String>,
    hash_count: AtomicU64,
}

/// Result of comparing a password with a stored hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verification {
    /// The password is wrong.
    Wrong,
    /// The password is correct.
    Correct,
    /// The password is correct, and its hash has outdated parameters.
    Outdated,
}

impl Passwords {
    /// Returns the hash to store for `password`.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if too many hashes are pending.
    pub async fn hash(&self, password: &str) -> Result<String> {
        let password = password.to_owned();
        self.run(move || hash(&password)).await?
    }

    /// Compares `password` with a stored hash. Without one the result is [`Verification::Wrong`], after the same time.
    pub(crate) async fn verify(&self, password: &str, stored: Option<&str>) -> Result<Verification> {
        let has_password = stored.is_some();
        let hash = match (stored, self.dummy_hash.get()) {
            (Some(stored), _) => stored.to_owned(),
            (None, Some(dummy)) => dummy.clone(),
            (None, None) => {
                let dummy = self.hash(&token::random()?).await?;
                self.dummy_hash.get_or_init(|| dummy).clone()
            }
        };
        let password: String = password.chars().take(MAX_CHARS + 1).collect();
        let verification = self.run(move || verify(&password, &hash)).await??;
        Ok(if has_password { verification } else { Verification::Wrong })
    }

    /// Number of hashes computed since the start. Tests compare the cost of sign-ins by it.
    pub fn hash_count(&self) -> u64 {
        self.hash_count.load(Ordering::Relaxed)
    }

    /// Computes the dummy hash in advance, so that the first sign-in to an unknown account takes no longer than others.
    pub async fn prepare(&self) -> Result<()> {
        if self.dummy_hash.get().is_none() {
            self.verify("", None).await?;
        }
        Ok(())
    }

    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let busy = || Error::Unavailable("Many people are signing in. Please try again in a moment.".into());
        let _pending = self.pending.try_acquire().map_err(|_| busy())?;
        let permit = self.running.clone().acquire_owned().await.map_err(Error::internal)?;
        self.hash_count.fetch_add(1, Ordering::Relaxed);
        tokio::task::spawn_blocking(move || {
            let result = work();
            drop(permit);
            result
        })
        .await
        .map_err(Error::internal)
    }
}

fn argon2() -> Result<Argon2<'static>> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None).map_err(|error| Error::internal(error.to_string()))?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

fn hash(password: &str) -> Result<String> {
    let salt = token::random_bytes::<16>()?;
    let hash = argon2()?.hash_password_with_salt(password.as_bytes(), &salt);
    Ok(hash.map_err(|error| Error::internal(error.to_string()))?.to_string())
}

fn verify(password: &str, stored: &str) -> Result<Verification> {
    let stored = PasswordHash::new(stored).map_err(|error| Error::internal(error.to_string()))?;
    let argon2 = argon2()?;
    if argon2.verify_password(password.as_bytes(), &stored).is_err() {
        return Ok(Verification::Wrong);
    }
    let params = Params::try_from(&stored).map_err(|error| Error::internal(error.to_string()))?;
    let is_current = stored.algorithm.as_str() == Algorithm::Argon2id.as_str()
        && (params.m_cost(), params.t_cost(), params.p_cost()) == (MEMORY_KIB, PASSES, LANES);
    Ok(if is_current { Verification::Correct } else { Verification::Outdated })
}

/// Explains in a sentence why `password` is too weak; `None` if it is strong enough. `guessable` are words that anybody
/// could try: name and address of the person, name of the festival.
pub fn weakness(password: &str, guessable: &[&str]) -> Option<String> {
    let length = password.chars().count();
    if length < MIN_CHARS {
        return Some(format!("The password has {length} characters; it needs {MIN_CHARS} or more."));
    }
    if length > MAX_CHARS {
        return Some(format!("The password has {length} characters; the maximum is {MAX_CHARS}."));
    }
    let estimated: String = password.chars().take(MAX_ESTIMATED_CHARS).collect();
    let guessable: Vec<&str> = guessable
        .iter()
        .flat_map(|text| text.split(|c: char| !c.is_alphanumeric()).chain([*text]))
        .filter(|word| word.chars().count() > 2)
        .collect();
    // Without the guessable words the rest must still be long enough.
    let rest = guessable.iter().fold(estimated.to_lowercase(), |rest, word| rest.replace(&word.to_lowercase(), ""));
    let entropy = zxcvbn(&estimated, &guessable);
    if entropy.score() >= Score::Three && rest.chars().count() >= MIN_CHARS / 2 {
        return None;
    }
    let reason = entropy.feedback().and_then(zxcvbn::feedback::Feedback::warning).map(|warning| format!(" {warning}"));
    Some(format!(
        "This password is too easy to guess.{} Use four or more unrelated words, or a password manager.",
        reason.unwrap_or_default()
    ))
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::sync::Barrier;
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn weak_passwords_are_rejected_with_a_reason() {
        let about = ["asha.menon@festival.example", "Asha Menon", "Velicham"];
        for weak in ["short", "aaaaaaaaaaaaaaaa", "password1234", "qwertyuiop12", "ashamenonasha", "Velicham2025!"] {
            assert!(weakness(weak, &about).is_some_and(|words| words.ends_with('.')), "{weak}");
        }
        assert!(weakness(&"x7Q".repeat(100), &about).is_some_and(|words| words.contains("300 characters")));
        // Only the beginning is estimated: the rest neither costs time nor adds strength.
        let beginning = "a".repeat(MAX_ESTIMATED_CHARS);
        let behind = format!("{beginning}{}", "x7Q-".repeat((MAX_CHARS - MAX_ESTIMATED_CHARS) / 4));
        assert_eq!(weakness(&behind, &about), weakness(&beginning, &about));
        assert!(weakness(&behind, &about).is_some());
        let long = "monsoon lantern ferry gramophone ".repeat(4);
        for strong in ["lantern-ferry-gramophone-42", "വെളിച്ചം കടൽ തോണി വിളക്ക്", &long[..128]]
        {
            assert_eq!(weakness(strong, &about), None, "{strong}");
        }
    }

    /// No job ends before all were requested: one that ended early would make room for a further one. Then every job
    /// waits for a second one; a third at the same time would raise the peak to three.
    #[tokio::test]
    async fn concurrent_hashes_are_limited_and_excess_requests_get_503() {
        #[derive(Default)]
        struct Probe {
            all_requested: OnceLock<()>,
            running: AtomicUsize,
            peak: AtomicUsize,
        }
        let passwords = Passwords::default();
        let (probe, pair) = (Arc::new(Probe::default()), Arc::new(Barrier::new(MAX_CONCURRENT)));
        let jobs = (0..MAX_PENDING + 6).map(|_| {
            let (probe, pair) = (probe.clone(), pair.clone());
            passwords.run(move || {
                probe.all_requested.wait();
                probe.peak.fetch_max(probe.running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                pair.wait();
                probe.running.fetch_sub(1, Ordering::SeqCst);
            })
        });
        let mut results = pin!(futures::future::join_all(jobs));
        assert!(futures::poll!(results.as_mut()).is_pending());
        probe.all_requested.get_or_init(|| ());
        let results = results.await;
        assert_eq!(probe.peak.load(Ordering::SeqCst), MAX_CONCURRENT);
        let rejected: Vec<u16> =
            results.iter().filter_map(|result| Some(result.as_ref().err()?.status().code)).collect();
        assert_eq!(rejected, [503; 6]);
        assert_eq!(passwords.hash_count(), MAX_PENDING as u64);
    }

    #[tokio::test]
    async fn hash_verifies_its_password_and_outdated_parameters_are_detected() -> Result<()> {
        let passwords = Passwords::default();
        let stored = passwords.hash("lantern-ferry-gramophone").await?;
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        assert_ne!(stored, passwords.hash("lantern-ferry-gramophone").await?);
        assert_eq!(passwords.verify("lantern-ferry-gramophone", Some(&stored)).await?, Verification::Correct);
        assert_eq!(passwords.verify("lantern-ferry-gramophonE", Some(&stored)).await?, Verification::Wrong);
        assert_eq!(passwords.verify("lantern-ferry-gramophone", None).await?, Verification::Wrong);
        let params = Params::new(8 * 1024, 1, 1, None).map_err(|error| Error::internal(error.to_string()))?;
        let old = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let old = old.hash_password_with_salt(b"lantern-ferry-gramophone", b"0123456789abcdef");
        let old = old.map_err(|error| Error::internal(error.to_string()))?.to_string();
        assert_eq!(passwords.verify("lantern-ferry-gramophone", Some(&old)).await?, Verification::Outdated);
        Ok(())
    }
}
