//! Receives registrations of delegates and members.

use std::sync::Arc;

use festival_core::entity::Datum;
use festival_core::post::{Receiver, Reply};
use festival_core::settings::{Membership, Settings};
use festival_core::site::Site;
use festival_core::{Result, http};
use rocket::{Data, Request};

use super::check::{Checked, folded};
use super::hash::{payload, plain};
use super::intake::{Intake, accepts, current_edition};
use super::new_submission::NewSubmission;
use super::staged;
use crate::description::{DELEGATE, DELEGATE_FORM, beside};
use crate::finding::Finding;
use crate::parse::quoted;
use crate::text;

/// Receives registrations.
pub(crate) struct ReceiveDelegate {
    pub(crate) intake: Arc<Intake>,
}

const BESIDE: [&str; 4] = [beside::CONSENT, beside::NOTICE, beside::TRAP, beside::ELAPSED];

#[rocket::async_trait]
impl Receiver for ReceiveDelegate {
    async fn admit(&self, site: &Site, request: &Request<'_>) -> Result<()> {
        self.intake.admit(site, request, &[&DELEGATE_FORM]).await
    }

    async fn receive(&self, site: &Arc<Site>, request: &Request<'_>, data: Data<'_>) -> Result<Reply> {
        let received = http::receive_multipart(site, request, data, &accepts(&DELEGATE, &BESIDE)).await?;
        let settings = Intake::settings(site).await?;
        let uploads = staged::find(site, request, &DELEGATE, &settings).await?;
        let files = staged::files_of(received.files, uploads);
        let payload_hash = payload(&received.values, &files, beside::ELAPSED);
        let sent = received.values.get("category").map_or("", String::as_str);
        let sent = text::clean(sent, false).unwrap_or_default();
        let in_force = site.in_force().await?;
        let settled = membership(&in_force, &sent);
        let began = Intake::began(site, request);
        let mut checked = Intake::check(site, &settings, &DELEGATE, Some(&DELEGATE_FORM), &received.values, &files)?;
        settle_category(&mut checked, settled.as_ref());
        let now = site.clock.now();
        let closes_at = settings.closes_at(DELEGATE_FORM.key, &site.time_zone);
        let mut draft = NewSubmission {
            entity: &DELEGATE,
            prefix: "DL",
            edition: current_edition(site).await?,
            payload_hash,
            is_quarantined: Intake::is_suspicious(&settings, &received.values),
            consent: Intake::consent(site, &settings, &DELEGATE, &received.values, &checked).await?,
            own_columns: vec![
                // Of a category that there is not, no fee is known.
                ("category_key", Datum::Text(settled.as_ref().map_or("", |s| s.membership.key.as_str()).into())),
                ("fee_inr", Datum::Integer(settled.as_ref().map_or(0, |s| s.membership.amount))),
            ],
            files,
            over_long: checked.over_long,
            findings: checked.findings,
            record: checked.record,
            sender: Default::default(),
            title: String::new(),
            subject: Vec::new(),
            is_late: closes_at.is_some_and(|end| began > end),
            now,
        };
        draft.sender = (draft.text("name").into(), draft.text("email").into());
        draft.title = draft.text("category").into();
        draft.subject = vec![plain(draft.text("transaction_details"))];
        let remarks = Intake::remarks(&draft.files);
        Intake::receipt(site, Intake::keep(site, &settings, request, draft).await?, remarks)
    }
}

/// The membership that a form names.
struct Settled<'a> {
    membership: &'a Membership,
    /// What people read now.
    label: String,
    /// Whether it was named as it is named now, but for capitals, blanks and dashes.
    is_named: bool,
}

/// The membership whose key or label this is: as the settings have it, with the fee behind it, or with another
/// festival's name in the place of this one's.
fn membership<'a>(settings: &'a Settings, text: &str) -> Option<Settled<'a>> {
    let memberships = &settings.fees.memberships;
    let label_of = |membership: &Membership| membership.label.replace("{product}", &settings.product.name);
    let settle = |membership: &'a Membership, is_named| Settled { membership, label: label_of(membership), is_named };
    let named = memberships
        .iter()
        .find(|membership| membership.key == text || folded(&label_of(membership)) == folded(text))
        .map(|membership| settle(membership, true));
    named.or_else(|| {
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
            .map(|membership| settle(membership, false))
    })
}

/// A label for comparing, without the fee that some clients write behind it.
fn without_fee(text: &str, amount: i64) -> String {
    let amount = amount.to_string();
    let text = folded(&text.replace(',', ""));
    let is_money = |word: &&str| matches!(*word, "rs" | "inr" | "rupees" | "rupee") || *word == amount;
    text.split(' ').filter(|word| !is_money(word)).collect::<Vec<_>>().join(" ")
}

/// Stores the label as the settings have it now, or the category as it was sent, and says what it was taken for.
fn settle_category(checked: &mut Checked, settled: Option<&Settled<'_>>) {
    const CATEGORY: &str = "category";
    let Some(Datum::Text(sent)) = DELEGATE.position(CATEGORY).and_then(|place| checked.record.get_mut(place)) else {
        return;
    };
    let reason = match settled {
        Some(settled) if settled.is_named => {
            sent.clone_from(&settled.label);
            return;
        }
        Some(settled) => format!("{} is taken for {}", quoted(sent), settled.label),
        None => format!("{} is no category of this festival", quoted(sent)),
    };
    let read = settled.map(|settled| settled.label.clone());
    checked.findings.retain(|finding| finding.field != CATEGORY);
    checked.findings.push(Finding { field: CATEGORY.to_owned(), sent: None, read, reason: Some(reason) });
}
