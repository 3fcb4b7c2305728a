//! Amounts of money: what is due for a submission, what a text says was paid, and whether the two differ.
//!
//! Organisers copy the amount from a proof of payment verbatim: "Rs. 1,300", "1300/-", "INR 1,300.00", "$60". The text
//! is stored as it was typed, together with its reading. Bank statements write the same amounts with a sign: "5,000.00 Cr",
//! "1,300.00-", "(1,300.00)".

use festival_core::money_text::rupees;
use festival_core::text::with_ascii_digits;

/// Most digits of an amount before the decimal point: more would be an account or transaction number.
const MAX_DIGITS: usize = 9;

/// A currency in which fees are paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Currency {
    /// Indian rupees.
    Rupees,
    /// US dollars.
    Dollars,
}

impl Currency {
    /// The stored value, an ISO 4217 code.
    pub(crate) const fn code(self) -> &'static str {
        match self {
            Self::Rupees => "INR",
            Self::Dollars => "USD",
        }
    }
}

/// Words and signs around a number that name its currency, in lower case.
const RUPEE_WORDS: &[&str] = &["₹", "rs", "re", "inr", "rupees", "rupee", "rupes", "രൂപ", "रु", "रुपये"];
const DOLLAR_WORDS: &[&str] = &["$", "us$", "usd", "dollars", "dollar", "us"];
/// Words of bank statements for money that came in and money that went out.
const CREDIT_WORDS: &[&str] = &["cr", "c", "credit", "+"];
const DEBIT_WORDS: &[&str] = &["dr", "d", "debit"];
/// Words and signs around a number that have no meaning.
const SILENT_WORDS: &[&str] = &["", "only", "of", "paid", "amount", "total"];

/// An amount of money.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Amount {
    /// Paise or cents.
    pub(crate) hundredths: i64,
    pub(crate) currency: Currency,
}

impl Amount {
    /// Creates an amount of whole rupees.
    pub(crate) const fn rupees(amount: i64) -> Self {
        Self { hundredths: amount * 100, currency: Currency::Rupees }
    }

    /// Creates an amount of whole dollars.
    pub(crate) const fn dollars(amount: i64) -> Self {
        Self { hundredths: amount * 100, currency: Currency::Dollars }
    }

    /// Reads an amount that was paid; one without a currency is in rupees. `None` unless the text is one amount and nothing
    /// else, or if it is a refund.
    pub(crate) fn read(text: &str) -> Option<Self> {
        Self::read_signed(text).map(|(amount, _)| amount).filter(|amount| amount.hundredths >= 0)
    }

    /// Reads an amount with its sign, negative for a refund; `true` if the text has a sign. `None` unless the text is one
    /// amount and nothing else, or if its signs contradict each other.
    pub(crate) fn read_signed(text: &str) -> Option<(Self, bool)> {
        let text = plain(text);
        let start = text.find(|c: char| c.is_ascii_digit())?;
        let end = text.rfind(|c: char| c.is_ascii_digit())? + 1;
        let (before, after) = (&text[..start], &text[end..]);
        let (mut currency, mut is_credit, mut is_debit) = (None, false, has_minus(before, after));
        for word in words(before).chain(words(after)) {
            let named = match word {
                _ if CREDIT_WORDS.contains(&word) => {
                    is_credit = true;
                    continue;
                }
                _ if DEBIT_WORDS.contains(&word) => {
                    is_debit = true;
                    continue;
                }
                _ if RUPEE_WORDS.contains(&word) => Currency::Rupees,
                _ if DOLLAR_WORDS.contains(&word) => Currency::Dollars,
                _ if SILENT_WORDS.contains(&word) => continue,
                _ => return None,
            };
            if currency.is_some_and(|known| known != named) {
                return None;
            }
            currency = Some(named);
        }
        let amount = hundredths(&text[start..end]).filter(|_| !(is_credit && is_debit))?;
        let hundredths = if is_debit { -amount } else { amount };
        Some((Self { hundredths, currency: currency.unwrap_or(Currency::Rupees) }, is_credit || is_debit))
    }

    /// Returns "₹1,300", "₹1,300.50", "-₹1,300" or "$60".
    pub(crate) fn text(self) -> String {
        if self.hundredths < 0 {
            return format!("-{}", Self { hundredths: -self.hundredths, ..self }.text());
        }
        let (whole, rest) = (self.hundredths / 100, self.hundredths % 100);
        let whole = match self.currency {
            Currency::Rupees => rupees(whole),
            Currency::Dollars => format!("${whole}"),
        };
        if rest == 0 { whole } else { format!("{whole}.{rest:02}") }
    }
}

/// Returns the text in lower case with ASCII digits and punctuation, without the apostrophe by which spreadsheets mark a
/// text and without characters that have no width.
fn plain(text: &str) -> String {
    let text: String = with_ascii_digits(text)
        .chars()
        .filter(|c| !matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}' | '\u{feff}'))
        .flat_map(char::to_lowercase)
        .map(|c| match c {
            '，' | '٬' => ',',
            '．' | '٫' => '.',
            '（' => '(',
            '）' => ')',
            '−' | '–' | '－' | '﹣' => '-',
            c => c,
        })
        .collect();
    text.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '\'' | '‘' | '’' | '`')).trim_end().to_owned()
}

/// Whether the text around a number makes it negative: a minus in front or behind, or brackets around it. "1300/-" and
/// "1300.-" say that there are no paise.
fn has_minus(before: &str, after: &str) -> bool {
    let dashes = after.replace("/-", "").replace(".-", "");
    let opens = |text: &str| text.rfind('(') > text.rfind(')');
    let closes = after.find(')').is_some_and(|at| after.find('(').is_none_or(|open| at < open));
    before.contains('-') || dashes.contains('-') || opens(before) && closes
}

/// Splits the text around a number into words and signs: "rs.", "₹", "/- only".
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_break = |c: char| c.is_whitespace() || matches!(c, '.' | ':' | ',' | '-' | '(' | ')' | '/' | '=');
    text.split(is_break)
}

/// Reads digits with separators of thousands, Indian or Western, and up to two decimals, in hundredths.
fn hundredths(text: &str) -> Option<i64> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let decimals = match decimals.len() {
        0 => 0,
        1 => decimals.parse::<i64>().ok()? * 10,
        2 => decimals.parse().ok()?,
        _ => return None,
    };
    let groups: Vec<&str> = whole.split(|c: char| c.is_whitespace() || matches!(c, ',' | '\'' | '’')).collect();
    let last = groups.len() - 1;
    let is_grouped = groups.iter().enumerate().all(|(index, group)| {
        let length = match index {
            _ if last == 0 => 1..=MAX_DIGITS,
            0 => 1..=3,
            _ if index == last => 3..=3,
            _ => 2..=3,
        };
        length.contains(&group.len()) && group.bytes().all(|byte| byte.is_ascii_digit())
    });
    let digits = groups.concat();
    if !is_grouped || digits.len() > MAX_DIGITS {
        return None;
    }
    Some(digits.parse::<i64>().ok()? * 100 + decimals)
}

/// What is due for a submission.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Due {
    /// Whole rupees; `None` if it is not known.
    pub(crate) rupees: Option<i64>,
    /// Whole dollars that may be paid in place of the rupees.
    pub(crate) dollars: Option<i64>,
}

/// How a payment differs from what is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Difference {
    /// This amount is missing.
    Less(Amount),
    /// This amount was paid in excess.
    More(Amount),
    /// The text is an amount that was paid back.
    Refund,
    /// The text is not an amount.
    Unreadable,
}

impl Due {
    /// Returns "₹5,000 or $60", "₹0" if nothing is; "" if it is not known.
    pub(crate) fn text(self) -> String {
        let dollars = self.dollars.filter(|dollars| *dollars != 0 || self.rupees != Some(0));
        let amounts = [self.rupees.map(Amount::rupees), dollars.map(Amount::dollars)];
        amounts.into_iter().flatten().map(Amount::text).collect::<Vec<_>>().join(" or ")
    }

    /// Whether dollars may be paid in place of the rupees.
    pub(crate) fn takes_dollars(self) -> bool {
        self.dollars.is_some()
    }

    /// Compares what is due with a text that says what was paid. `None` if they agree, or if one of them is not known.
    ///
    /// [`SubmissionKind::amount_differs`](crate::submissions::SubmissionKind) is the same in SQL.
    pub(crate) fn difference(self, paid: &str) -> Option<Difference> {
        if paid.is_empty() {
            return None;
        }
        let paid = match Amount::read_signed(paid) {
            Some((paid, _)) if paid.hundredths >= 0 => paid,
            Some(_) => return Some(Difference::Refund),
            None => return Some(Difference::Unreadable),
        };
        self.difference_from(paid)
    }

    /// Compares what is due with an amount that was paid. `None` if they agree, or if it is not known what is due.
    pub(crate) fn difference_from(self, paid: Amount) -> Option<Difference> {
        let rupees = Amount::rupees(self.rupees?);
        let due = match (paid.currency, self.dollars) {
            (Currency::Rupees, _) => rupees,
            (Currency::Dollars, Some(dollars)) => Amount::dollars(dollars),
            // Dollars are not due here, so the rupees are missing.
            (Currency::Dollars, None) => return Some(Difference::Less(rupees)),
        };
        let by = |hundredths: i64| Amount { hundredths, ..due };
        match paid.hundredths - due.hundredths {
            0 => None,
            more @ 1.. => Some(Difference::More(by(more))),
            less => Some(Difference::Less(by(-less))),
        }
    }
}

impl Difference {
    /// Returns a sentence without its full stop: "₹300 less than is due".
    pub(crate) fn text(self) -> String {
        match self {
            Self::Less(amount) => format!("{} less than is due", amount.text()),
            Self::More(amount) => format!("{} more than is due", amount.text()),
            Self::Refund => "This is an amount that was paid back".to_owned(),
            Self::Unreadable => "This amount cannot be read as a number".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_as_people_write_them() {
        for (text, expected) in [
            ("1300", "₹1,300"),
            ("Rs. 1,300", "₹1,300"),
            ("Rs.1300/-", "₹1,300"),
            ("1300/-", "₹1,300"),
            ("1,300/= only", "₹1,300"),
            ("INR 1,300.00", "₹1,300"),
            ("₹1300", "₹1,300"),
            ("₹ 1 300.50", "₹1,300.50"),
            ("1300.5 rupees", "₹1,300.50"),
            ("1,00,000", "₹1,00,000"),
            ("100,000", "₹1,00,000"),
            ("൧൩൦൦ രൂപ", "₹1,300"),
            ("$60", "$60"),
            ("USD 60.00", "$60"),
            ("US$ 60", "$60"),
            ("60 dollars", "$60"),
            ("Paid: 500", "₹500"),
            ("1300.", "₹1,300"),
            ("0", "₹0"),
            ("5,000.00 Cr", "₹5,000"),
            ("5,000.00Cr.", "₹5,000"),
            ("5,000.00 (Cr)", "₹5,000"),
            ("5,000.00 C", "₹5,000"),
            ("Cr 5,000.00", "₹5,000"),
            ("+5,000.00", "₹5,000"),
            ("1,00,000.00 CR", "₹1,00,000"),
            ("'5000", "₹5,000"),
            ("’5,000.00", "₹5,000"),
            ("1300.-", "₹1,300"),
            ("(Rs) 1300", "₹1,300"),
            ("1300 (only)", "₹1,300"),
            ("５，０００．００", "₹5,000"),
            ("\u{200e}5,000.00\u{a0}Cr", "₹5,000"),
            ("₹\u{a0}5\u{2009}000", "₹5,000"),
        ] {
            assert_eq!(Amount::read(text).map(Amount::text).as_deref(), Some(expected), "{text}");
        }
        for text in [
            "",
            "paid",
            "-1300",
            "1300 + 60",
            "1300 or 1400",
            "1.300",
            "13,00",
            "1,3000",
            "12:30",
            "$60 rs",
            "UTR 000111222333",
            "000111222333",
            "EUR 60",
            "1/2",
            "1300.505",
            "1300 13",
            "5k",
            "5.123E+11",
            "(5,000.00)",
            "5,000.00-",
            "5,000.00 Dr",
            "5,000.00 Cr Dr",
            "-5,000.00 Cr",
            "(5,000.00) Cr",
        ] {
            assert_eq!(Amount::read(text), None, "{text}");
        }
    }

    #[test]
    fn refunds_have_a_sign_and_contradictions_no_reading() {
        for (text, expected) in [
            ("5,000.00-", Some("-₹5,000")),
            ("5,000.00 -", Some("-₹5,000")),
            ("(5,000.00)", Some("-₹5,000")),
            ("(Rs. 5,000.00)", Some("-₹5,000")),
            ("Rs (5,000)", Some("-₹5,000")),
            ("-5,000.00", Some("-₹5,000")),
            ("−₹5,000", Some("-₹5,000")),
            ("5,000.00 Dr", Some("-₹5,000")),
            ("5,000.00 D", Some("-₹5,000")),
            ("5,000.00(DR)", Some("-₹5,000")),
            ("(5,000.00) Dr", Some("-₹5,000")),
            ("1,00,000.50 Dr.", Some("-₹1,00,000.50")),
            ("-$60", Some("-$60")),
            ("-5,000.00 Cr", None),
            ("5,000.00 Cr/Dr", None),
        ] {
            let read = Amount::read_signed(text).map(|(amount, has_sign)| (amount.text(), has_sign));
            assert_eq!(read, expected.map(|expected| (expected.to_owned(), true)), "{text}");
        }
        assert_eq!(Amount::read_signed("1,300/-"), Some((Amount::rupees(1_300), false)));
    }

    #[test]
    fn differences_name_the_missing_or_excess_amount() {
        let (film, asian) = (Due { rupees: Some(5000), dollars: None }, Due { rupees: Some(5000), dollars: Some(60) });
        let says = |due: Due, paid: &str| due.difference(paid).map(Difference::text).unwrap_or_default();
        assert_eq!(says(film, "Rs 5,000/-"), "");
        assert_eq!(says(film, "4700"), "₹300 less than is due");
        assert_eq!(says(film, "5000.50"), "₹0.50 more than is due");
        assert_eq!(says(film, "$60"), "₹5,000 less than is due", "dollars are not due here");
        assert_eq!(says(asian, "$60"), "");
        assert_eq!(says(asian, "$50"), "$10 less than is due");
        assert_eq!(says(asian, "5000"), "");
        assert_eq!(says(film, "yes"), "This amount cannot be read as a number");
        for refund in ["5,000.00-", "(5,000.00)", "5,000.00 Dr"] {
            assert_eq!(says(film, refund), "This is an amount that was paid back", "{refund}");
        }
        assert_eq!(says(film, "5,000.00 Cr"), "");
        assert_eq!(says(film, ""), "", "nothing was typed");
        assert_eq!(says(Due::default(), "5000"), "", "what is due is not known");
        assert_eq!((film.text().as_str(), asian.text().as_str()), ("₹5,000", "₹5,000 or $60"));
    }
}
