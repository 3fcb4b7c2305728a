//! What `GET /site/` says of fees, and of how they are paid.

use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use super::fill_placeholders;
use festival_base::settings::Settings;

/// Fees in rupees; texts for people.
#[derive(Serialize, JsonSchema, TS)]
#[ts(export_to = "site.ts")]
pub(super) struct SiteFees {
    memberships: Vec<SiteMembership>,
    #[ts(type = "number")]
    film_submission_inr: i64,
    #[ts(type = "number")]
    film_submission_usd: i64,
    film_submission_text: String,
    #[ts(type = "number")]
    science_public: i64,
    science_public_text: String,
}

/// A membership category.
#[derive(Serialize, JsonSchema, TS)]
#[ts(export_to = "site.ts")]
struct SiteMembership {
    key: String,
    label: String,
    #[ts(type = "number")]
    amount: i64,
    amount_text: String,
}

/// Where fees are paid to; null while nothing is set.
#[derive(Serialize, JsonSchema, TS)]
#[ts(export_to = "site.ts")]
pub(super) struct SitePayment {
    bank: Option<SiteBank>,
    upi: Option<SiteUpi>,
}

/// Bank transfer.
#[derive(Serialize, JsonSchema, TS)]
#[ts(export_to = "site.ts")]
struct SiteBank {
    account_name: String,
    account_number: String,
    bank: String,
    branch: String,
    ifsc: String,
}

/// UPI.
#[derive(Serialize, JsonSchema, TS)]
#[ts(export_to = "site.ts")]
struct SiteUpi {
    id: String,
    payee: String,
}

pub(super) fn fees(settings: &Settings) -> SiteFees {
    let fees = &settings.fees;
    SiteFees {
        memberships: fees
            .memberships
            .iter()
            .map(|membership| SiteMembership {
                key: membership.key.clone(),
                label: fill_placeholders(settings, &membership.label),
                amount: membership.amount,
                amount_text: rupees(membership.amount),
            })
            .collect(),
        film_submission_inr: fees.film_submission_inr,
        film_submission_usd: fees.film_submission_usd,
        film_submission_text: rupees(fees.film_submission_inr),
        science_public: fees.science_public,
        science_public_text: rupees(fees.science_public),
    }
}

/// Formats an amount in rupees with Indian grouping: ₹1,00,000.
pub fn rupees(amount: i64) -> String {
    let digits = amount.unsigned_abs().to_string();
    let (head, tail) = digits.split_at(digits.len().saturating_sub(3));
    let mut groups: Vec<String> = Vec::new();
    let mut head = head.to_owned();
    while head.len() > 2 {
        groups.insert(0, head.split_off(head.len() - 2));
    }
    if !head.is_empty() {
        groups.insert(0, head);
    }
    groups.push(tail.to_owned());
    format!("{}₹{}", if amount < 0 { "-" } else { "" }, groups.join(","))
}

pub(super) fn payment(settings: &Settings) -> SitePayment {
    let bank = &settings.payment.bank;
    let upi = &settings.payment.upi;
    SitePayment {
        bank: (!bank.account_number.is_empty()).then(|| SiteBank {
            account_name: bank.account_name.clone(),
            account_number: bank.account_number.clone(),
            bank: bank.bank.clone(),
            branch: bank.branch.clone(),
            ifsc: bank.ifsc.clone(),
        }),
        upi: (!upi.id.is_empty()).then(|| SiteUpi { id: upi.id.clone(), payee: upi.payee.clone() }),
    }
}

#[cfg(test)]
mod tests {
    use super::rupees;

    #[test]
    fn rupees_are_grouped_as_in_india() {
        assert_eq!(
            [0, 500, 1300, 25000, 100000, 12345678].map(rupees).join(" "),
            "₹0 ₹500 ₹1,300 ₹25,000 ₹1,00,000 ₹1,23,45,678"
        );
    }
}
