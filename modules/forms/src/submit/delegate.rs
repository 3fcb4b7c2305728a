//! Receives registrations of delegates and members.

use std::sync::Arc;

use festival_core::Result;
use festival_core::entity::Datum;
use festival_core::post::Receiver;
use festival_core::settings::Settings;
use festival_core::site::Site;
use festival_core::text::{self, Cleaning};
use rocket::{Data, Request};

use super::intake::Intake;
use super::new_submission::normalized;
use super::received::ReceivedForm;
use super::validate::{ValidForm, folded};
use crate::description::{DELEGATE, DELEGATE_FORM};
use crate::findings::Finding;
use crate::parse::quoted;
use crate::payment_settings::{Fees, Membership};
use crate::submissions;

/// Receives registrations.
pub(crate) struct DelegateReceiver {
    pub(crate) intake: Arc<Intake>,
}

#[rocket::async_trait]
impl Receiver<Site> for DelegateReceiver {
    async fn receive(&self, site: &Arc<Site>, request: &Request<'_>, data: Data<'_>) -> Result<Vec<u8>> {
        self.intake.admit(site, request, &[&DELEGATE_FORM]).await?;
        let form = ReceivedForm::receive(site, request, data, submissions::delegate()).await?;
        let fees = Fees::of(&form.in_force);
        let category = form.values.get("category").map_or("", String::as_str);
        let category = text::clean(category, false, Cleaning::Visible).unwrap_or_default();
        let membership = find_membership(&fees, &form.in_force, &category);
        let mut valid = form.validate(Some(&DELEGATE_FORM))?;
        apply_membership(&mut valid, membership.as_ref());
        // The fee of an unknown category is not known.
        let (key, fee) = membership.map_or(("", 0), |found| (found.membership.key.as_str(), found.membership.amount));
        let mut submission = form.submission(valid, "DL").await?;
        let form = &submission.form;
        submission.is_late = form.settings.is_late(DELEGATE_FORM.key, form.started_at, &site.time_zone);
        submission.own_columns.push(("category_key", Datum::Text(key.into())));
        submission.charge(&fees, fee, None);
        submission.subject = vec![normalized(submission.text("transaction_details"))];
        submission.store_and_reply(request).await
    }
}

/// A membership that matches the category of a form.
struct MatchedMembership<'a> {
    membership: &'a Membership,
    /// Its present label.
    label: String,
    /// Whether key or label match, apart from case, spaces and punctuation.
    is_exact: bool,
}

/// Finds the membership with this key or label. Accepts the label followed by the fee, or with another festival's name
/// in place of this one's.
fn find_membership<'a>(fees: &'a Fees, settings: &Settings, text: &str) -> Option<MatchedMembership<'a>> {
    let memberships = &fees.memberships;
    let matched = |membership: &'a Membership, is_exact| MatchedMembership {
        membership,
        label: membership.label_in(settings),
        is_exact,
    };
    let exact = memberships
        .iter()
        .find(|membership| membership.key == text || folded(&membership.label_in(settings)) == folded(text))
        .map(|membership| matched(membership, true));
    exact.or_else(|| {
        memberships
            .iter()
            .find(|membership| {
                let text = without_fee(text, membership.amount);
                let (before, after) =
                    membership.label.split_once("{product}").unwrap_or((membership.label.as_str(), ""));
                let (before, after) = (folded(before), folded(after));
                match membership.label.contains("{product}") {
                    true => text
                        .strip_prefix(before.as_str())
                        .and_then(|rest| rest.strip_suffix(after.as_str()))
                        .is_some_and(|product| !(before.is_empty() && after.is_empty()) && product.len() > 2),
                    false => text == before,
                }
            })
            .map(|membership| matched(membership, false))
    })
}

/// Returns a label for comparison, without the fee that some clients append.
fn without_fee(text: &str, amount: i64) -> String {
    let amount = amount.to_string();
    let text = folded(&text.replace(',', ""));
    let is_money = |word: &&str| matches!(*word, "rs" | "inr" | "rupees" | "rupee") || *word == amount;
    text.split(' ').filter(|word| !is_money(word)).collect::<Vec<_>>().join(" ")
}

/// Replaces an exactly matched category by the present label; keeps any other as it was sent, with a finding.
fn apply_membership(valid: &mut ValidForm, membership: Option<&MatchedMembership<'_>>) {
    const CATEGORY: &str = "category";
    let Some(Datum::Text(sent)) = DELEGATE.position(CATEGORY).and_then(|index| valid.record.get_mut(index)) else {
        return;
    };
    let reason = match membership {
        Some(membership) if membership.is_exact => {
            sent.clone_from(&membership.label);
            return;
        }
        Some(membership) => format!("{} is taken for {}", quoted(sent), membership.label),
        None => format!("{} is no category of this festival", quoted(sent)),
    };
    let read = membership.map(|membership| membership.label.clone());
    valid.findings.retain(|finding| finding.field != CATEGORY);
    valid.findings.push(Finding { field: CATEGORY.to_owned(), sent: None, read, reason: Some(reason) });
}
