//! The second factor: codes of six digits that change every thirty seconds (RFC 6238), as telephones make them.

use data_encoding::BASE32_NOPAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use jiff::Timestamp;
use sha1::Sha1;

use super::{qr, token};
use festival_base::error::Result;

/// How long a code lasts.
const STEP_SECONDS: i64 = 30;
/// How many steps a telephone's clock may be off, either way.
const DRIFT: i64 = 1;

/// A new secret, as people type it: Base32 of 160 bits.
pub(super) fn new_secret() -> Result<String> {
    Ok(BASE32_NOPAD.encode(&token::random_bytes::<20>()?))
}

/// Whether `text` is a secret as we make them.
pub(super) fn is_secret(text: &str) -> bool {
    BASE32_NOPAD.decode(text.as_bytes()).is_ok_and(|bytes| bytes.len() == 20)
}

/// The step whose code `typed` is, if it is one that counts now and was not used: later than `used`.
pub(super) fn matching_step(secret: &str, typed: &str, now: Timestamp, used: i64) -> Option<i64> {
    let typed: String = typed.chars().filter(|c| !c.is_whitespace()).collect();
    let secret = BASE32_NOPAD.decode(secret.as_bytes()).ok()?;
    let present = now.as_second().div_euclid(STEP_SECONDS);
    (present - DRIFT..=present + DRIFT)
        .filter(|step| *step > used)
        .find(|step| token::same(&code(&secret, *step), &typed))
}

/// The code of a step (RFC 4226 with the step as counter).
fn code(secret: &[u8], step: i64) -> String {
    let Ok(mut mac) = Hmac::<Sha1>::new_from_slice(secret) else { return String::new() };
    mac.update(&step.to_be_bytes());
    let digest = mac.finalize().into_bytes();
    let offset = usize::from(digest[19] & 0x0f);
    let four = [digest[offset] & 0x7f, digest[offset + 1], digest[offset + 2], digest[offset + 3]];
    format!("{:06}", u32::from_be_bytes(four) % 1_000_000)
}

/// What a telephone reads from the picture: whose code, at which site.
fn address(secret: &str, issuer: &str, email: &str) -> String {
    let escape = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20");
    format!("otpauth://totp/{0}:{1}?secret={secret}&issuer={0}", escape(issuer), escape(email))
}

/// The picture for the telephone's camera, as an address that an `img` takes.
pub(super) fn picture(secret: &str, issuer: &str, email: &str) -> Result<String> {
    qr::picture(&address(secret, issuer, email))
}

/// The secret in groups of four, for typing.
pub(super) fn grouped(secret: &str) -> String {
    secret.as_bytes().chunks(4).map(String::from_utf8_lossy).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_the_standard() {
        let secret = b"12345678901234567890";
        for (second, expected) in
            [(59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (2_000_000_000, "279037")]
        {
            assert_eq!(code(secret, second / STEP_SECONDS), expected);
        }
    }

    #[test]
    fn a_code_works_once_and_a_step_early_or_late() {
        let secret = BASE32_NOPAD.encode(b"12345678901234567890");
        let at = |second: i64| Timestamp::from_second(second).unwrap_or_default();
        let step = 1_111_111_111 / STEP_SECONDS;
        assert_eq!(matching_step(&secret, "050 471", at(1_111_111_111), 0), Some(step));
        assert_eq!(matching_step(&secret, "050471", at(1_111_111_111 + 30), 0), Some(step));
        assert_eq!(matching_step(&secret, "050471", at(1_111_111_111 - 30), 0), Some(step));
        assert_eq!(matching_step(&secret, "050471", at(1_111_111_111 + 61), 0), None);
        assert_eq!(matching_step(&secret, "050471", at(1_111_111_111), step), None);
        assert_eq!(matching_step(&secret, "", at(1_111_111_111), 0), None);
    }

    #[test]
    fn the_address_names_site_and_person() {
        assert_eq!(
            address("ABC", "Velicham & Co", "a@b.example"),
            "otpauth://totp/Velicham%20%26%20Co:a%40b.example?secret=ABC&issuer=Velicham%20%26%20Co"
        );
    }
}
