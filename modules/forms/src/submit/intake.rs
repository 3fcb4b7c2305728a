//! What all forms have in common: the way in, and the answer.

use std::collections::BTreeMap;
use std::sync::Arc;

use festival_core::checks::AcceptedKinds;
use festival_core::edition::{self, Edition};
use festival_core::entity::{Entity, Kind, Values, trim};
use festival_core::http::client_address;
use festival_core::network::client_network;
use festival_core::post::Reply;
use festival_core::site::Site;
use festival_core::upload::{AcceptedFile, Accepts};
use festival_core::{Error, Result};
use jiff::Timestamp;
use rocket::Request;
use rocket::http::Status;
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use super::check::{Checked, Rules};
use super::hash::hash;
use super::new_submission::NewSubmission;
use super::staged::{self, FormFile};
use super::starts;
use super::store::{self, StoredSubmission};
use crate::MODULE;
use crate::description::{Form, beside, texts};
use crate::limit::Limiter;
use crate::moment;
use crate::notice::{Consent, Notice};
use crate::proof_of_work;
use crate::settings::FormsSettings;

/// What the receivers of all forms share.
pub(crate) struct Intake {
    limiter: Limiter,
    /// Counts the files that are uploaded one by one.
    file_limiter: Limiter,
}

/// When the sending of a request began.
struct Began(Timestamp);
/// So many files one client may upload for each form that it may send: a form's own, and as many again.
const FILES_PER_FORM: u32 = 14;

/// The answer to a form that was received.
#[derive(Serialize, JsonSchema, TS)]
#[ts(export_to = "forms-api.ts")]
pub(crate) struct Receipt {
    #[ts(type = "number")]
    id: i64,
    /// What sender and organisers call it: "ML-2025-0042".
    reference: String,
    message: &'static str,
    /// When it was received, RFC 3339 with the festival's offset.
    received_at: String,
    /// The same for people, with the time zone.
    received_text: String,
    /// It came after the deadline.
    is_late: bool,
    /// What the sender should know of single files that were received; mostly absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    remarks: Option<Vec<FileRemark>>,
}

/// What the sender should know of a file that was received.
#[derive(Serialize, JsonSchema, TS)]
#[ts(export_to = "forms-api.ts")]
pub(crate) struct FileRemark {
    field: &'static str,
    message: &'static str,
}

impl Intake {
    pub(crate) fn new(settings: &FormsSettings) -> Self {
        let forms = settings.posts_per_10_minutes;
        Self { limiter: Limiter::new(forms), file_limiter: Limiter::new(forms.max(1).saturating_mul(FILES_PER_FORM)) }
    }

    /// The module's settings in force.
    pub(crate) async fn settings(site: &Site) -> Result<FormsSettings> {
        Ok(site.in_force().await?.section(MODULE))
    }

    /// Whether a form is welcome at all, asked before its body is read. `forms`: it is one of these.
    ///
    /// What counts is when its sending began: a body may arrive long after its head, and a request that broke off is
    /// sent again with the same Idempotency-Key.
    pub(crate) async fn admit(&self, site: &Site, request: &Request<'_>, forms: &[&Form]) -> Result<()> {
        site.hosts.base_url(request)?;
        let settings = Self::settings(site).await?;
        let now = site.clock.now();
        let all_closed = |at| forms.iter().all(|form| settings.is_closed(form.key, at, &site.time_zone));
        let some_close = forms.iter().any(|form| settings.closes_at(form.key, &site.time_zone).is_some());
        let key = idempotency_key(request).ok().flatten().filter(|_| some_close);
        let began = match &key {
            Some(key) => starts::find(site, key).await?.map_or(now, |began| began.min(now)),
            None => now,
        };
        let began = began.min(Self::sending_began(site, request, forms, now).await?);
        if all_closed(began) {
            return Err(Error::Closed(texts::CLOSED.into()));
        }
        request.local_cache(|| Began(began));
        let purpose = forms.first().map_or("", |form| form.entity.table);
        Self::count(site, request, &self.limiter, purpose).await?;
        if let Some(key) = key.filter(|_| began == now) {
            starts::remember(site, &key, now).await;
        }
        Ok(())
    }

    /// When the sending of a form began that was admitted.
    pub(crate) fn began(site: &Site, request: &Request<'_>) -> Timestamp {
        request.local_cache(|| Began(site.clock.now())).0
    }

    /// When the sending began that `request`, arrived at `arrived`, is the end of.
    async fn sending_began(
        site: &Site,
        request: &Request<'_>,
        forms: &[&Form],
        arrived: Timestamp,
    ) -> Result<Timestamp> {
        let Some(form) = forms.first() else { return Ok(arrived) };
        let uploads = staged::find(site, request, form.entity, &Self::settings(site).await?).await?;
        Ok(staged::sending_began(arrived, &uploads))
    }

    /// Whether a file of one of `forms` is welcome before its form; `before`: one of them must have been open then.
    pub(crate) async fn admit_file(
        &self,
        site: &Site,
        request: &Request<'_>,
        settings: &FormsSettings,
        forms: &[&Form],
        before: Timestamp,
    ) -> Result<()> {
        site.hosts.base_url(request)?;
        if forms.iter().all(|form| settings.is_closed(form.key, before, &site.time_zone)) {
            return Err(Error::Closed(texts::CLOSED.into()));
        }
        let table = forms.first().map_or("", |form| form.entity.table);
        Self::count(site, request, &self.file_limiter, &format!("files-of-{table}")).await
    }

    /// Counts a request, or accepts the work that was done for `purpose` in its place.
    async fn count(site: &Site, request: &Request<'_>, limiter: &Limiter, purpose: &str) -> Result<()> {
        if let Some(solution) = request.headers().get_one(proof_of_work::HEADER) {
            return proof_of_work::redeem(site, purpose, solution).await;
        }
        let client = client_network(client_address(request, &site.settings.trusted_proxies));
        let Err(retry_after) = limiter.count(client, site.clock.now()) else { return Ok(()) };
        Err(Error::Challenged {
            message: "Too many forms came from your connection. Please wait a few minutes and send it again.".into(),
            retry_after,
            challenge: Box::new(proof_of_work::challenge(site, purpose).await?),
        })
    }

    /// Checks what was sent by the rules of `entity`, in the words of `form`.
    pub(crate) fn check(
        site: &Site,
        settings: &FormsSettings,
        entity: &'static Entity,
        form: Option<&'static Form>,
        values: &Values,
        files: &BTreeMap<&'static str, FormFile>,
    ) -> Result<Checked> {
        let rules = Rules { entity, form, settings, now: site.clock.now(), zone: &site.time_zone };
        rules.check(values, files)
    }

    /// Whether a machine seems to have filled it in: the field that people do not see, or too quickly.
    ///
    /// No time at all, or less than none, says that a clock was set meanwhile, nothing of who filled in the form.
    pub(crate) fn is_suspicious(settings: &FormsSettings, values: &Values) -> bool {
        let value = |name: &str| values.get(name).map_or("", |text| trim(text));
        let minimum = f64::from(settings.minimum_seconds);
        let too_quick = value(beside::ELAPSED).parse::<f64>().is_ok_and(|seconds| seconds > 0.0 && seconds < minimum);
        !value(beside::TRAP).is_empty() || too_quick
    }

    /// What was agreed to.
    pub(crate) async fn consent(
        site: &Site,
        settings: &FormsSettings,
        entity: &Entity,
        values: &Values,
        checked: &Checked,
    ) -> Result<Option<Consent>> {
        if !checked.consent {
            return Ok(None);
        }
        let in_force = site.in_force().await?;
        Ok(Some(Notice::of(entity, settings, &in_force).consent(values)))
    }

    /// What the sender should know of single files.
    pub(crate) fn remarks(files: &BTreeMap<&'static str, FormFile>) -> Vec<FileRemark> {
        files.iter().filter_map(|(field, file)| Some(FileRemark { field, message: file.remark()? })).collect()
    }

    /// Keeps `draft`.
    pub(crate) async fn keep(
        site: &Site,
        settings: &FormsSettings,
        request: &Request<'_>,
        draft: NewSubmission,
    ) -> Result<StoredSubmission> {
        let key = idempotency_key(request)?;
        store::keep(site, draft, key.as_deref(), settings.duplicate_window_minutes).await
    }

    /// The answer of the forms with files.
    pub(crate) fn receipt(site: &Site, kept: StoredSubmission, remarks: Vec<FileRemark>) -> Result<Reply> {
        let StoredSubmission { id, reference, received, is_late } = kept;
        let receipt = Receipt {
            id,
            reference,
            message: texts::SUCCESS,
            received_at: moment::rfc3339(received, &site.time_zone),
            received_text: moment::in_words(received, &site.time_zone),
            is_late,
            remarks: Some(remarks).filter(|remarks| !remarks.is_empty()),
        };
        Reply::json(Status::Created, &receipt)
    }
}

/// The edition that submissions belong to.
pub(crate) async fn current_edition(site: &Arc<Site>) -> Result<Edition> {
    let mut connection = site.db.read().await?;
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
                let takes = if pdf { AcceptedKinds::PictureOrPdf } else { AcceptedKinds::Picture };
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
