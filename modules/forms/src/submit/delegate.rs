//! Receives registrations of delegates and members.

use std::sync::Arc;

use festival_core::entity::{Datum, trim};
use festival_core::post::{Receiver, Reply};
use festival_core::settings::{Membership, Settings};
use festival_core::{App, Error, FieldError, Result, upload};
use rocket::{Data, Request};

use super::desk::{Desk, accepts, current_edition};
use super::draft::Draft;
use super::hash::{payload, plain};
use crate::description::{DELEGATE, DELEGATE_FORM, beside, texts};

/// Receives registrations.
pub(crate) struct ReceiveDelegate {
    pub(crate) desk: Arc<Desk>,
}

const BESIDE: [&str; 3] = [beside::CONSENT, beside::TRAP, beside::ELAPSED];

#[rocket::async_trait]
impl Receiver for ReceiveDelegate {
    async fn admit(&self, app: &App, request: &Request<'_>) -> Result<()> {
        self.desk.admit(app, request, &[&DELEGATE_FORM]).await
    }

    async fn receive(&self, app: &Arc<App>, request: &Request<'_>, data: Data<'_>) -> Result<Reply> {
        let mut received = upload::receive(app, request, data, &accepts(&DELEGATE, &BESIDE)).await?;
        let payload_hash = payload(&received.values, &received.files, beside::ELAPSED);
        // The label as the settings have it now is what is kept, whichever way the category was named.
        let sent = received.values.get("category").map_or("", |text| trim(text)).to_owned();
        let in_force = app.in_force().await?;
        let settings = Desk::settings(app).await?;
        let membership = membership(&in_force, &sent);
        if let Some((_, label)) = &membership {
            received.values.insert("category".into(), label.clone());
        }
        let checked = Desk::check(app, &settings, &DELEGATE, Some(&DELEGATE_FORM), &received.values, &received.files)?;
        let Some((membership, label)) = membership else {
            return Err(Error::Invalid(vec![FieldError::new("category", texts::UNKNOWN_MEMBERSHIP)]));
        };
        let now = app.clock.now();
        let closes_at = settings.closes_at(DELEGATE_FORM.key, &app.time_zone);
        let mut draft = Draft {
            entity: &DELEGATE,
            prefix: "DL",
            edition: current_edition(app).await?,
            payload_hash,
            is_quarantined: Desk::is_suspicious(&settings, &received.values),
            consent_notice: Desk::consent_notice(&settings, &checked),
            own_columns: vec![
                ("category_key", Datum::Text(membership.key.clone())),
                ("fee_inr", Datum::Integer(membership.amount)),
            ],
            files: received.files,
            over_long: checked.over_long,
            record: checked.record,
            sender: Default::default(),
            title: label,
            subject: Vec::new(),
            is_late: closes_at.is_some_and(|end| now > end),
            now,
        };
        draft.sender = (draft.text("name").into(), draft.text("email").into());
        draft.subject = vec![plain(draft.text("transaction_details"))];
        Desk::receipt(Desk::keep(app, &settings, request, draft).await?)
    }
}

/// The membership whose label or key this is, with its label for people.
fn membership<'a>(settings: &'a Settings, text: &str) -> Option<(&'a Membership, String)> {
    let label_of = |membership: &Membership| membership.label.replace("{product}", &settings.product.name);
    settings
        .fees
        .memberships
        .iter()
        .find(|membership| membership.key == text || plain(&label_of(membership)) == plain(text))
        .map(|membership| (membership, label_of(membership)))
}
