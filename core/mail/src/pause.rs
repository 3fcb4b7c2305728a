//! How long a mail waits after an attempt that failed.

use jiff::SignedDuration;

/// The pause after the first failure; it doubles with each further one.
pub(super) const SHORTEST: SignedDuration = SignedDuration::from_mins(1);
/// The longest pause.
pub(super) const LONGEST: SignedDuration = SignedDuration::from_hours(1);

/// The pause after the attempt with number `attempts`, counted from one. `chance` spreads it, by up to a fifth
/// shorter than its full length, so that mails that failed together do not come back together.
pub(super) fn pause(attempts: i64, chance: u64) -> SignedDuration {
    let doublings = attempts.saturating_sub(1).clamp(0, 10);
    let full = SHORTEST.saturating_mul(1 << doublings).min(LONGEST).as_millis();
    let fifth = full / 5;
    let shorter = i128::from(chance) % (fifth + 1);
    SignedDuration::from_millis(i64::try_from(full - shorter).unwrap_or(i64::MAX))
}

/// A random number for [`pause`] and for names; where the system has none to give, zero does no harm.
pub(super) fn chance() -> u64 {
    getrandom::u64().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_an_hour() {
        let minutes: Vec<i64> = (1..=9).map(|attempts| pause(attempts, 0).as_mins()).collect();
        assert_eq!(minutes, [1, 2, 4, 8, 16, 32, 60, 60, 60]);
        assert_eq!(pause(i64::MAX, 0), LONGEST);
        assert_eq!(pause(0, 0), SHORTEST);
    }

    #[test]
    fn chance_shortens_by_a_fifth_at_most() {
        for attempts in 1..12 {
            let full = pause(attempts, 0);
            for chance in [1, 7, 12_000, 12_001, u64::MAX, chance()] {
                let spread = pause(attempts, chance);
                assert!(spread <= full && spread.as_millis() * 5 >= full.as_millis() * 4, "{attempts} {chance}");
            }
        }
    }
}
