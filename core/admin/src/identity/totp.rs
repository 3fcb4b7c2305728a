//! Time-based one-time passwords (TOTP, RFC 6238): six digits, a new code every 30 seconds.

use data_encoding::BASE32_NOPAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use jiff::Timestamp;
use sha1::Sha1;
use subtle::ConstantTimeEq as _;

use crate::identity::token;
use crate::qr;
use festival_base::error::Result;

/// Seconds for which a code is valid.
const STEP_SECONDS: i64 = 30;
/// Accepted clock drift, in steps, in both directions.
const DRIFT: i64 = 1;

/// Returns a new secret: 160 bits in Base32.
pub(crate) fn new_secret() -> Result<String> {
    Ok(BASE32_NOPAD.encode(&token::random_bytes::<20>()?))
}

/// Whether `text` has the form of a secret from [`new_secret`].
pub(crate) fn is_secret(text: &str) -> bool {
    BASE32_NOPAD.decode(text.as_bytes()).is_ok_and(|bytes| bytes.len() == 20)
}

/// Returns the time step whose code is `input`, if it is valid now and later than `used`, the last step that was used.
pub(crate) fn matching_step(secret: &str, input: &str, now: Timestamp, used: i64) -> Option<i64> {
    let input: String = input.chars().filter(|c| !c.is_whitespace()).collect();
    let secret = BASE32_NOPAD.decode(secret.as_bytes()).ok()?;
    let current = now.as_second().div_euclid(STEP_SECONDS);
    (current - DRIFT..=current + DRIFT)
        .filter(|step| *step > used)
        .find(|step| code(&secret, *step).as_bytes().ct_eq(input.as_bytes()).into())
}

/// Returns the code of a step (RFC 4226 with the step as counter).
fn code(secret: &[u8], step: i64) -> String {
    let Ok(mut mac) = Hmac::<Sha1>::new_from_slice(secret) else { return String::new() };
    mac.update(&step.to_be_bytes());
    let digest = mac.finalize().into_bytes();
    let offset = usize::from(digest[19] & 0x0f);
    let four = [digest[offset] & 0x7f, digest[offset + 1], digest[offset + 2], digest[offset + 3]];
    format!("{:06}", u32::from_be_bytes(four) % 1_000_000)
}

/// Returns the `otpauth:` URI with secret, site and account.
fn otpauth_uri(secret: &str, issuer: &str, email: &str) -> String {
    let escape = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20");
    format!("otpauth://totp/{0}:{1}?secret={secret}&issuer={0}", escape(issuer), escape(email))
}

/// Returns the QR code for authenticator apps, as a `data:` URL.
pub(crate) fn qr_code(secret: &str, issuer: &str, email: &str) -> Result<String> {
    qr::data_url(&otpauth_uri(secret, issuer, email))
}

/// Returns the secret in groups of four characters, for typing.
pub(crate) fn grouped(secret: &str) -> String {
    secret.as_bytes().chunks(4).map(String::from_utf8_lossy).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_match_the_test_vectors_of_rfc_6238() {
        let secret = b"12345678901234567890";
        for (second, expected) in
            [(59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (2_000_000_000, "279037")]
        {
            assert_eq!(code(secret, second / STEP_SECONDS), expected);
        }
    }

    #[test]
    fn code_is_accepted_once_within_one_step_of_drift() {
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
    fn otpauth_uri_names_site_and_account() {
        assert_eq!(
            otpauth_uri("ABC", "Velicham & Co", "a@b.example"),
            "otpauth://totp/Velicham%20%26%20Co:a%40b.example?secret=ABC&issuer=Velicham%20%26%20Co"
        );
    }
}
