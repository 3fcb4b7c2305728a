//! Failures of deliveries, and when they are tried again.

use jiff::SignedDuration;

/// Why a mail could not be delivered.
#[derive(Debug)]
pub(super) struct Failure {
    /// For `last_error` and for people; may contain e-mail addresses.
    pub(super) message: String,
    /// Whether another attempt would fail in the same way until somebody corrects the mail or the settings.
    pub(super) is_permanent: bool,
    /// Whether the cause lies with the mail server or the folder, so that every other mail would fail as well.
    pub(super) affects_all: bool,
}

impl Failure {
    /// A failure of this mail that a later attempt may overcome.
    pub(super) fn temporary(message: impl Into<String>) -> Self {
        Self { message: message.into(), is_permanent: false, affects_all: false }
    }

    /// A failure of this mail that no later attempt overcomes by itself.
    pub(super) fn permanent(message: impl Into<String>) -> Self {
        Self { message: message.into(), is_permanent: true, affects_all: false }
    }

    /// The same failure, for every mail.
    pub(super) fn affecting_all(self) -> Self {
        Self { affects_all: true, ..self }
    }
}

/// Delay after the first failed attempt; each further failure doubles it.
pub(super) const MIN_DELAY: SignedDuration = SignedDuration::from_mins(1);
/// Longest delay between two attempts.
pub(super) const MAX_DELAY: SignedDuration = SignedDuration::from_hours(1);

/// The delay after attempt number `attempts`, counted from 1. `random` shortens it by up to a fifth, so that mails that
/// failed together are not all tried again at the same moment.
pub(super) fn delay(attempts: i64, random: u64) -> SignedDuration {
    let doublings = attempts.saturating_sub(1).clamp(0, 10);
    let full = MIN_DELAY.saturating_mul(1 << doublings).min(MAX_DELAY).as_millis();
    let jitter = i128::from(random) % (full / 5 + 1);
    SignedDuration::from_millis(i64::try_from(full - jitter).unwrap_or(i64::MAX))
}

/// A random number for [`delay`] and for identifiers; zero, which is harmless, where the system provides none.
pub(super) fn random() -> u64 {
    getrandom::u64().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_double_up_to_an_hour() {
        let minutes: Vec<i64> = (1..=9).map(|attempts| delay(attempts, 0).as_mins()).collect();
        assert_eq!(minutes, [1, 2, 4, 8, 16, 32, 60, 60, 60]);
        assert_eq!(delay(i64::MAX, 0), MAX_DELAY);
        assert_eq!(delay(0, 0), MIN_DELAY);
    }

    #[test]
    fn jitter_shortens_a_delay_by_a_fifth_at_most() {
        for attempts in 1..12 {
            let full = delay(attempts, 0);
            for random in [1, 7, 12_000, 12_001, u64::MAX, random()] {
                let shortened = delay(attempts, random);
                let is_within_a_fifth = shortened.as_millis() * 5 >= full.as_millis() * 4;
                assert!(shortened <= full && is_within_a_fifth, "{attempts} {random}");
            }
        }
    }
}
