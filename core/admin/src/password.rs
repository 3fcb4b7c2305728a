//! Passwords: argon2id, two at a time, away from the request threads.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordVerifier as _, Version, password_hash::PasswordHasher as _};
use tokio::sync::Semaphore;
use zxcvbn::{Score, zxcvbn};

use super::token;
use festival_base::error::{Error, Result};

/// The fewest characters of a password.
const SHORTEST: usize = 12;
/// The most characters of a password.
const LONGEST: usize = 256;
/// How many characters are judged: the judge's work grows faster than the text.
const JUDGED: usize = 80;
/// How many are hashed at a time, and how many may wait: a flood of sign-ins must not take the machine.
const AT_ONCE: usize = 2;
const WAITING: usize = 24;

/// Memory in KiB, passes, lanes. A stored hash with other numbers is made anew at the next sign-in.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// Hashes and checks passwords.
pub struct Passwords {
    turns: Arc<Semaphore>,
    queue: Semaphore,
    /// The hash of a password that nobody has, for accounts that do not exist.
    nobody: OnceLock<String>,
    done: AtomicU64,
}

/// How a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Checked {
    /// It is another password.
    Wrong,
    /// It is the password.
    Right,
    /// It is the password, and its hash should be made anew.
    Outdated,
}

impl Default for Passwords {
    fn default() -> Self {
        let (turns, queue) = (Arc::new(Semaphore::new(AT_ONCE)), Semaphore::new(WAITING));
        Self { turns, queue, nobody: OnceLock::new(), done: AtomicU64::new(0) }
    }
}

impl Passwords {
    /// The hash to keep of `password`.
    pub async fn hash(&self, password: &str) -> Result<String> {
        let password = password.to_owned();
        self.work(move || hash(&password)).await?
    }

    /// Compares `password` with what is kept. Without anything kept it takes as long and is wrong.
    pub(super) async fn check(&self, password: &str, kept: Option<&str>) -> Result<Checked> {
        let known = kept.is_some();
        let kept = match (kept, self.nobody.get()) {
            (Some(kept), _) => kept.to_owned(),
            (None, Some(nobody)) => nobody.clone(),
            (None, None) => {
                let nobody = self.hash(&token::random()?).await?;
                self.nobody.get_or_init(|| nobody).clone()
            }
        };
        let password: String = password.chars().take(LONGEST + 1).collect();
        let checked = self.work(move || check(&password, &kept)).await??;
        Ok(if known { checked } else { Checked::Wrong })
    }

    /// How many hashes were computed since the start: whether a sign-in that fails costs what another costs shows here.
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Prepares the comparison for accounts that do not exist, so that the first such sign-in takes no longer.
    pub async fn prepare(&self) -> Result<()> {
        self.check("", None).await.map(drop)
    }

    async fn work<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let busy = || Error::Unavailable("Many people are signing in. Please try again in a moment.".into());
        let _place = self.queue.try_acquire().map_err(|_| busy())?;
        let turn = self.turns.clone().acquire_owned().await.map_err(Error::internal)?;
        self.done.fetch_add(1, Ordering::Relaxed);
        tokio::task::spawn_blocking(move || {
            let done = work();
            drop(turn);
            done
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

fn check(password: &str, kept: &str) -> Result<Checked> {
    let kept = PasswordHash::new(kept).map_err(|error| Error::internal(error.to_string()))?;
    let argon2 = argon2()?;
    if argon2.verify_password(password.as_bytes(), &kept).is_err() {
        return Ok(Checked::Wrong);
    }
    let params = Params::try_from(&kept).map_err(|error| Error::internal(error.to_string()))?;
    let present = kept.algorithm.as_str() == Algorithm::Argon2id.as_str()
        && (params.m_cost(), params.t_cost(), params.p_cost()) == (MEMORY_KIB, PASSES, LANES);
    Ok(if present { Checked::Right } else { Checked::Outdated })
}

/// What is wrong with `password` as a new one, in a sentence; `about` are words that everybody could guess: the
/// person's name and address, the festival's name.
pub fn weakness(password: &str, about: &[&str]) -> Option<String> {
    let length = password.chars().count();
    if length < SHORTEST {
        return Some(format!("The password has {length} characters; it needs {SHORTEST} or more."));
    }
    if length > LONGEST {
        return Some(format!("The password has {length} characters; {LONGEST} are the most that we take."));
    }
    let judged: String = password.chars().take(JUDGED).collect();
    let about: Vec<&str> = about
        .iter()
        .flat_map(|text| text.split(|c: char| !c.is_alphanumeric()).chain([*text]))
        .filter(|word| word.chars().count() > 2)
        .collect();
    // What is left without the words that everybody could guess must be something of its own.
    let own = about.iter().fold(judged.to_lowercase(), |rest, word| rest.replace(&word.to_lowercase(), ""));
    let entropy = zxcvbn(&judged, &about);
    if entropy.score() >= Score::Three && own.chars().count() >= SHORTEST / 2 {
        return None;
    }
    let why = entropy.feedback().and_then(zxcvbn::feedback::Feedback::warning).map(|warning| format!(" {warning}"));
    Some(format!(
        "This password would be guessed too soon.{} Take four or more unrelated words, or let a password manager make one.",
        why.unwrap_or_default()
    ))
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn weak_passwords_are_refused_with_the_reason() {
        let about = ["asha.menon@festival.example", "Asha Menon", "Velicham"];
        for weak in ["short", "aaaaaaaaaaaaaaaa", "password1234", "qwertyuiop12", "ashamenonasha", "Velicham2025!"] {
            assert!(weakness(weak, &about).is_some_and(|words| words.ends_with('.')), "{weak}");
        }
        assert!(weakness(&"x7Q".repeat(100), &about).is_some_and(|words| words.contains("300 characters")));
        // The judge sees the beginning only: what is behind it costs nothing and counts for nothing.
        let beginning = "a".repeat(JUDGED);
        let behind = format!("{beginning}{}", "x7Q-".repeat((LONGEST - JUDGED) / 4));
        assert_eq!(weakness(&behind, &about), weakness(&beginning, &about));
        assert!(weakness(&behind, &about).is_some());
        let long = "monsoon lantern ferry gramophone ".repeat(4);
        for strong in ["lantern-ferry-gramophone-42", "വെളിച്ചം കടൽ തോണി വിളക്ക്", &long[..128]]
        {
            assert_eq!(weakness(strong, &about), None, "{strong}");
        }
    }

    /// Each waits until two are at work: with a third beside them, three would be seen.
    #[tokio::test]
    async fn two_hashes_are_made_at_a_time_and_a_crowd_is_asked_to_come_again() {
        let passwords = Passwords::default();
        let (pair, now, most) = (Barrier::new(AT_ONCE), AtomicUsize::new(0), AtomicUsize::new(0));
        let probe = Arc::new((pair, now, most));
        let crowd = (0..WAITING + 6).map(|_| {
            let probe = probe.clone();
            passwords.work(move || {
                let (pair, now, most) = &*probe;
                most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                pair.wait();
                now.fetch_sub(1, Ordering::SeqCst);
            })
        });
        let done = futures::future::join_all(crowd).await;
        assert_eq!(probe.2.load(Ordering::SeqCst), AT_ONCE);
        let refused: Vec<u16> = done.iter().filter_map(|done| Some(done.as_ref().err()?.status().code)).collect();
        assert_eq!(refused, [503; 6]);
        assert_eq!(passwords.done(), WAITING as u64);
    }

    #[tokio::test]
    async fn a_hash_fits_its_password_and_says_when_it_is_outdated() -> Result<()> {
        let passwords = Passwords::default();
        let kept = passwords.hash("lantern-ferry-gramophone").await?;
        assert!(kept.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{kept}");
        assert_ne!(kept, passwords.hash("lantern-ferry-gramophone").await?);
        assert_eq!(passwords.check("lantern-ferry-gramophone", Some(&kept)).await?, Checked::Right);
        assert_eq!(passwords.check("lantern-ferry-gramophonE", Some(&kept)).await?, Checked::Wrong);
        assert_eq!(passwords.check("lantern-ferry-gramophone", None).await?, Checked::Wrong);
        let params = Params::new(8 * 1024, 1, 1, None).map_err(|error| Error::internal(error.to_string()))?;
        let old = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let old = old.hash_password_with_salt(b"lantern-ferry-gramophone", b"0123456789abcdef");
        let old = old.map_err(|error| Error::internal(error.to_string()))?.to_string();
        assert_eq!(passwords.check("lantern-ferry-gramophone", Some(&old)).await?, Checked::Outdated);
        Ok(())
    }
}
