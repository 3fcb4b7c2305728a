//! Names of the fields that the browser sends in addition to those of the form. Older clients do not send them.

/// The award that a film is submitted for: `asian`, `indian` or `malayalam`.
pub const AWARD: &str = "award_category";
/// The label of the choice in `is_first_or_second_feature`: two labels may share a value.
pub const DECLARED_FEATURE: &str = "declared_feature_label";
/// "yes" if the sender agreed to the consent notice, by sending or by ticking its box.
pub const CONSENT: &str = "consent";
/// The version of the consent notice that was shown.
pub const NOTICE: &str = "consent_notice";
/// A honeypot: people do not see this field, bots fill it in.
pub const TRAP: &str = "website";
/// Seconds between showing the form and sending it.
pub const ELAPSED: &str = "elapsed_seconds";

/// The payment code that the sender was shown, of forms with a fee.
pub const PAYMENT_CODE: &str = "payment_code";
/// The UTR, of forms that do not ask for the transaction otherwise.
pub const PAYMENT_UTR: &str = "payment_utr";

/// A code that reduces the fee.
pub const FEE_CODE: &str = "fee_code";

/// The fields that every form with a fee has.
pub const OF_PAYMENTS: [&str; 3] = [PAYMENT_CODE, PAYMENT_UTR, FEE_CODE];

/// The fields that every form has.
pub const COMMON: [&str; 4] = [CONSENT, NOTICE, TRAP, ELAPSED];
