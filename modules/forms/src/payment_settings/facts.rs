//! Facts about fees and their payment in `GET /site/`.

use festival_core::money_text::rupees;
use festival_core::settings::Settings;
use festival_core::site::fill_placeholders;
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use super::fees::Fees;
use super::payment::Payment;

/// What the forms add to the site's facts.
#[derive(Serialize, JsonSchema, TS)]
pub(super) struct FormsFacts {
    /// Fees.
    fees: SiteFees,
    /// Where fees are paid to.
    payment: SitePayment,
}

/// Fees in rupees; texts for people.
#[derive(Serialize, JsonSchema, TS)]
struct SiteFees {
    memberships: Vec<SiteMembership>,
    film_submission_inr: i64,
    film_submission_usd: i64,
    film_submission_text: String,
    science_public: i64,
    science_public_text: String,
}

/// A membership category.
#[derive(Serialize, JsonSchema, TS)]
struct SiteMembership {
    key: String,
    label: String,
    amount: i64,
    amount_text: String,
}

/// Where fees are paid to; null while nothing is set.
#[derive(Serialize, JsonSchema, TS)]
struct SitePayment {
    bank: Option<SiteBank>,
    upi: Option<SiteUpi>,
}

/// Bank transfer.
#[derive(Serialize, JsonSchema, TS)]
struct SiteBank {
    account_name: String,
    account_number: String,
    bank: String,
    branch: String,
    ifsc: String,
}

/// UPI.
#[derive(Serialize, JsonSchema, TS)]
struct SiteUpi {
    id: String,
    payee: String,
}

impl FormsFacts {
    pub(super) fn of(settings: &Settings) -> Self {
        Self { fees: fees(settings), payment: payment(settings) }
    }
}

fn fees(settings: &Settings) -> SiteFees {
    let fees = Fees::of(settings);
    SiteFees {
        film_submission_inr: fees.film_submission_inr,
        film_submission_usd: fees.film_submission_usd,
        film_submission_text: rupees(fees.film_submission_inr),
        science_public: fees.science_public,
        science_public_text: rupees(fees.science_public),
        memberships: fees
            .memberships
            .into_iter()
            .map(|membership| SiteMembership {
                label: fill_placeholders(settings, &membership.label),
                amount_text: rupees(membership.amount),
                amount: membership.amount,
                key: membership.key,
            })
            .collect(),
    }
}

fn payment(settings: &Settings) -> SitePayment {
    let Payment { bank, upi } = Payment::of(settings);
    SitePayment {
        bank: (!bank.account_number.is_empty()).then_some(SiteBank {
            account_name: bank.account_name,
            account_number: bank.account_number,
            bank: bank.bank,
            branch: bank.branch,
            ifsc: bank.ifsc,
        }),
        upi: (!upi.id.is_empty()).then_some(SiteUpi { id: upi.id, payee: upi.payee }),
    }
}
