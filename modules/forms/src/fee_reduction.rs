//! Waivers and discounts: what is taken off the fee of a submission.

use festival_core::text::with_ascii_digits;

use crate::amount::{Amount, Currency, Due};

/// What is taken off a fee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reduction {
    /// A share of it, from 0 to 100.
    Percent(i64),
    /// Whole rupees, and the same share of the fee in dollars.
    Rupees(i64),
}

impl Reduction {
    /// Reads "50%", or an amount in whole rupees; an empty text is nothing. `None` for any other text.
    pub(crate) fn read(text: &str) -> Option<Self> {
        if text.is_empty() {
            return Some(Self::Rupees(0));
        }
        if let Some(share) = text.strip_suffix('%') {
            let percent = with_ascii_digits(share.trim()).parse().ok()?;
            return (0..=100).contains(&percent).then_some(Self::Percent(percent));
        }
        let amount = Amount::read(text).filter(|amount| amount.currency == Currency::Rupees)?;
        (amount.hundredths % 100 == 0).then_some(Self::Rupees(amount.hundredths / 100))
    }

    /// Whether it takes nothing off.
    pub(crate) fn is_nothing(self) -> bool {
        matches!(self, Self::Percent(0) | Self::Rupees(0))
    }

    /// Returns what it takes off a fee in rupees and the one in dollars beside it: at most all, in whole rupees and dollars.
    pub(crate) fn of(self, rupees: i64, dollars: i64) -> (i64, i64) {
        match self {
            Self::Percent(percent) => (rupees * percent / 100, dollars * percent / 100),
            Self::Rupees(less) if rupees > 0 => {
                let less = less.min(rupees);
                (less, dollars * less / rupees)
            }
            Self::Rupees(_) => (0, 0),
        }
    }
}

/// Returns what is due with the reason of its reduction, for histories: "₹2,500 or $30: Film school".
pub(crate) fn summary(due: Due, reason: &str) -> String {
    if reason.is_empty() { due.text() } else { format!("{}: {reason}", due.text()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_are_shares_or_rupees_and_never_more_than_the_fee() {
        for (text, expected) in [
            ("", Some((0, 0))),
            ("0", Some((0, 0))),
            ("50%", Some((2_500, 30))),
            ("100 %", Some((5_000, 60))),
            ("൫൦%", Some((2_500, 30))),
            ("33%", Some((1_650, 19))),
            ("₹1,000", Some((1_000, 12))),
            ("9000", Some((5_000, 60))),
            ("101%", None),
            ("-5%", None),
            ("-500", None),
            ("500.50", None),
            ("$30", None),
            ("half", None),
        ] {
            assert_eq!(Reduction::read(text).map(|reduction| reduction.of(5_000, 60)), expected, "{text}");
        }
        assert_eq!(Reduction::Rupees(300).of(0, 0), (0, 0), "a fee that is not known");
    }
}
