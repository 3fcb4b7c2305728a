//! What all forms have in common: the way in, and the answer.

use std::collections::BTreeMap;
use std::sync::Arc;

use festival_core::edition::{self, Edition};
use festival_core::entity::{Entity, Kind, Values, trim};
use festival_core::http::{client_address, client_network};
use festival_core::post::Reply;
use festival_core::upload::{AcceptedFile, Accepts, StagedFile, Takes};
use festival_core::{App, Error, Result};
use rocket::Request;
use rocket::http::Status;
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use super::check::{Checked, Rules};
use super::draft::Draft;
use super::hash::hash;
use super::store::{self, Kept};
use crate::MODULE;
use crate::description::{Form, beside, texts};
use crate::limit::Limiter;
use crate::settings::FormsSettings;

/// What the receivers of all forms share.
pub(crate) struct Desk {
    limiter: Limiter,
}

/// The answer to a form that was received.
#[derive(Serialize, JsonSchema, TS)]
#[ts(export_to = "forms-api.ts")]
pub(crate) struct Receipt {
    #[ts(type = "number")]
    id: i64,
    /// What sender and organisers call it: "ML-2025-0042".
    reference: String,
    message: &'static str,
}

impl Desk {
    pub(crate) fn new(settings: &FormsSettings) -> Self {
        Self { limiter: Limiter::new(settings.posts_per_10_minutes) }
    }

    /// The module's settings in force.
    pub(crate) async fn settings(app: &App) -> Result<FormsSettings> {
        Ok(app.in_force().await?.section(MODULE))
    }

    /// Whether a form is welcome at all, asked before its body is read. `forms`: it is one of these.
    pub(crate) async fn admit(&self, app: &App, request: &Request<'_>, forms: &[&Form]) -> Result<()> {
        app.hosts.base_url(request)?;
        let settings = Self::settings(app).await?;
        if forms.iter().all(|form| settings.is_closed(form.key, app.clock.now(), &app.time_zone)) {
            return Err(Error::Closed(texts::CLOSED.into()));
        }
        let client = client_network(client_address(request, &app.settings.trusted_proxies));
        self.limiter.count(client, app.clock.now())
    }

    /// Checks what was sent by the rules of `entity`, in the words of `form`.
    pub(crate) fn check(
        app: &App,
        settings: &FormsSettings,
        entity: &'static Entity,
        form: Option<&'static Form>,
        values: &Values,
        files: &BTreeMap<&'static str, StagedFile>,
    ) -> Result<Checked> {
        let rules = Rules { entity, form, settings, now: app.clock.now(), zone: &app.time_zone };
        rules.check(values, files)
    }

    /// Whether a machine seems to have filled it in: the field that people do not see, or too quickly.
    pub(crate) fn is_suspicious(settings: &FormsSettings, values: &Values) -> bool {
        let value = |name: &str| values.get(name).map_or("", |text| trim(text));
        let too_quick = value(beside::ELAPSED).parse::<f64>().is_ok_and(|s| s < f64::from(settings.minimum_seconds));
        !value(beside::TRAP).is_empty() || too_quick
    }

    /// The notice that was agreed to.
    pub(crate) fn consent_notice(settings: &FormsSettings, checked: &Checked) -> Option<String> {
        checked.consent.then(|| settings.consent_notice.clone())
    }

    /// Keeps `draft`.
    pub(crate) async fn keep(app: &App, settings: &FormsSettings, request: &Request<'_>, draft: Draft) -> Result<Kept> {
        let key = idempotency_key(request)?;
        store::keep(app, draft, key.as_deref(), settings.duplicate_window_minutes).await
    }

    /// The answer of the forms with files.
    pub(crate) fn receipt(kept: Kept) -> Result<Reply> {
        let Kept { id, reference } = kept;
        Reply::json(Status::Created, &Receipt { id, reference, message: texts::SUCCESS })
    }
}

/// The edition that submissions belong to.
pub(crate) async fn current_edition(app: &Arc<App>) -> Result<Edition> {
    let mut connection = app.db.read().await?;
    edition::current(&mut connection).await.map_err(|error| match error {
        Error::NotFound(_) => Error::Unavailable("The festival does not take forms yet.".into()),
        other => other,
    })
}

/// What the multipart guard is told of a form.
pub(crate) fn accepts(entity: &'static Entity, beside: &[&'static str]) -> Accepts {
    let mut accepts = Accepts { ignore_unknown: true, ..Accepts::default() };
    for field in entity.fields {
        match field.kind {
            Kind::File { pdf } => {
                let takes = if pdf { Takes::PictureOrPdf } else { Takes::Picture };
                accepts.files.push(AcceptedFile::new(field.name, takes));
            }
            _ => accepts.texts.push(field.name.to_owned()),
        }
    }
    accepts.texts.extend(beside.iter().map(|name| (*name).to_owned()));
    accepts
}

/// The hash of the request's Idempotency-Key, if it names one.
fn idempotency_key(request: &Request<'_>) -> Result<Option<String>> {
    let Some(key) = request.headers().get_one("Idempotency-Key") else { return Ok(None) };
    if key.is_empty() || key.len() > 255 || !key.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ') {
        return Err(Error::BadRequest("Idempotency-Key must have 1 to 255 plain characters.".into()));
    }
    Ok(Some(hash(["idempotency-key", key])))
}
