//! The payment code of an entry: what a sender writes into the note of the payment, so that the entry can be found from
//! the bank statement. The browser makes it ([`frontend/src/features/forms/model/payment-code.ts`]) before anything is
//! sent.
//!
//! Six characters of an alphabet of 31, a prime number, none of which look alike. The sum of their indices in the
//! alphabet, each times its position, is a multiple of 31, so that one wrong character or two swapped ones are noticed.

/// The characters: digits and capital letters without 0, 1, I, L and O.
const ALPHABET: &str = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
/// Characters of a code, the check character included.
const LENGTH: usize = 6;

/// Why a code is flagged for organisers: a sentence without its full stop.
pub(crate) const INVALID: &str = "This is no payment code: there is a mistake in it";

/// Returns a code in its stored form, in capitals without blanks and hyphens, if `text` is one.
pub(crate) fn read(text: &str) -> Option<String> {
    let code: String =
        text.chars().filter(|c| !c.is_whitespace() && *c != '-').map(|c| c.to_ascii_uppercase()).collect();
    is_valid(&code).then_some(code)
}

fn is_valid(code: &str) -> bool {
    let places: Option<Vec<usize>> = code.chars().map(|c| ALPHABET.find(c)).collect();
    places.is_some_and(|places| {
        let sum: usize = (1..).zip(&places).map(|(position, place)| position * place).sum();
        places.len() == LENGTH && sum.is_multiple_of(ALPHABET.len())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Codes, each with its check character.
    fn codes() -> Vec<String> {
        let start = |seed: usize| -> String {
            (0..LENGTH - 1)
                .map(|place| ALPHABET.as_bytes()[(seed * (place + 7) + seed / 31) % ALPHABET.len()] as char)
                .collect()
        };
        let with_check = |start: String| {
            ALPHABET.chars().map(|check| format!("{start}{check}")).find(|code| is_valid(code)).unwrap_or_default()
        };
        (1..=40).map(start).map(with_check).collect()
    }

    #[test]
    fn every_one_character_typo_and_every_transposition_is_noticed() {
        let (mut typos, mut swaps) = (0, 0);
        for code in codes() {
            assert_eq!(read(&code).as_deref(), Some(code.as_str()));
            for place in 0..LENGTH {
                for letter in ALPHABET.chars().filter(|letter| code.chars().nth(place) != Some(*letter)) {
                    let typo: String =
                        code.chars().enumerate().map(|(at, known)| if at == place { letter } else { known }).collect();
                    assert_eq!(read(&typo), None, "{code} {typo}");
                    typos += 1;
                }
                for other in place + 1..LENGTH {
                    let mut letters: Vec<char> = code.chars().collect();
                    letters.swap(place, other);
                    let swapped: String = letters.into_iter().collect();
                    if swapped != code {
                        assert_eq!(read(&swapped), None, "{code} {swapped}");
                        swaps += 1;
                    }
                }
            }
        }
        assert!(typos >= 1_000 && swaps >= 400, "{typos} {swaps}");
    }

    #[test]
    fn codes_are_read_however_they_are_written() {
        let code = codes().swap_remove(3);
        let spaced = format!(" {}-{} ", code[..3].to_lowercase(), &code[3..]);
        assert_eq!(read(&spaced), Some(code));
        for text in ["", "ABC", "OIL010", "ABCDEFG", "ഒരു"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
