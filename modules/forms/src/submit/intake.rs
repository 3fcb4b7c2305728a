//! Common to all forms: rate limits, deadlines, consent, storage, and the receipt.

use std::collections::BTreeMap;
use std::sync::Arc;

use festival_core::checks::AcceptedKinds;
use festival_core::edition::{self, Edition};
use festival_core::entity::{Datum, Entity, Kind, Values, trim};
use festival_core::http::{client_address, receive_multipart_noting};
use festival_core::network::client_network;
use festival_core::site::Site;
use festival_core::text::{self, Cleaning};
use festival_core::upload::{AcceptedFile, Accepts};
use festival_core::{Error, Result, time_text};
use jiff::Timestamp;
use rocket::{Data, Request};
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use super::new_submission::{NewSubmission, payload_hash};
use super::staged::{self, FormFile};
use super::starts;
use super::store;
use super::validate::ValidForm;
use crate::description::{Form, extra_fields, texts};
use crate::findings::Finding;
use crate::hash::hash;
use crate::notice::{Consent, Notice};
use crate::proof_of_work::Work;
use crate::rate_limit::RateLimiter;
use crate::settings::FormsSettings;
use crate::submissions::{Submission, SubmissionKind};
use crate::{payment_code, proof_of_work, timestamps, transaction_numbers};

/// Admits requests: the rate limits that the receivers share.
pub(crate) struct Intake {
    form_limiter: RateLimiter,
    /// Limits the files that are uploaded one by one.
    file_limiter: RateLimiter,
    /// Counts the accepted proofs of work, which make the next ones harder.
    proofs: RateLimiter,
}

/// The sending of a form; cached in its request.
struct Sending {
    started_at: Timestamp,
    /// The hash of its Idempotency-Key, if the form has a deadline and this is the first request with it.
    new_key: Option<String>,
}

/// Files that one client may upload for each form that it may send: twice the files of a form.
const FILES_PER_FORM: u32 = 14;

/// The response to a form that was received.
#[derive(Serialize, JsonSchema, TS)]
#[ts(export_to = "forms-api.ts")]
pub(crate) struct Receipt {
    #[ts(type = "number")]
    id: i64,
    /// The reference that sender and organisers quote: "ML-2025-0042".
    reference: String,
    message: &'static str,
    /// When it was received, RFC 3339 with the festival's offset.
    received_at: String,
    /// The same for people to read, with the time zone.
    received_text: String,
    /// Whether it was received after the deadline.
    is_late: bool,
    /// Remarks about single files; usually absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    remarks: Option<Vec<FileRemark>>,
}

/// What the sender should know about a file that was received.
#[derive(Serialize, JsonSchema, TS)]
#[ts(export_to = "forms-api.ts")]
pub(crate) struct FileRemark {
    field: &'static str,
    message: &'static str,
}

impl Intake {
    pub(crate) fn new(settings: &FormsSettings) -> Self {
        let forms = settings.posts_per_10_minutes;
        Self {
            form_limiter: RateLimiter::new(forms),
            file_limiter: RateLimiter::new(forms.max(1).saturating_mul(FILES_PER_FORM)),
            proofs: RateLimiter::new(u32::MAX),
        }
    }

    /// Decides before the body is read whether one of `forms` is accepted: by host, deadline and rate limit.
    ///
    /// The time when sending started counts for the deadline: a body may arrive long after its head, and an interrupted
    /// request is sent again with the same Idempotency-Key.
    pub(super) async fn admit(&self, site: &Site, request: &Request<'_>, forms: &[&Form]) -> Result<()> {
        site.hosts.base_url(request)?;
        let settings = FormsSettings::in_force(site).await?;
        let now = site.clock.now();
        let have_deadline = forms.iter().any(|form| settings.closes_at(form.key, &site.time_zone).is_some());
        let key = idempotency_key(request).ok().flatten().filter(|_| have_deadline);
        let mut started_at = now;
        if let Some(key) = &key {
            started_at = starts::find(site, key).await?.map_or(now, |started_at| started_at.min(now));
        }
        if let Some(form) = forms.first() {
            let uploads = staged::find(site, request, form.entity, &settings).await?;
            started_at = started_at.min(staged::sending_started_at(now, &uploads));
        }
        if forms.iter().all(|form| settings.is_closed(form.key, started_at, &site.time_zone)) {
            return Err(Error::Closed(texts::CLOSED.into()));
        }
        let new_key = key.filter(|_| started_at == now);
        request.local_cache(|| Sending { started_at, new_key });
        self.count(site, request, &self.form_limiter, forms.first().map_or("", |form| form.entity.table)).await
    }

    /// Decides before the body is read whether a file of one of `forms` is accepted before its form: one of them must have
    /// been open at `open_at`.
    pub(super) async fn admit_file(
        &self,
        site: &Site,
        request: &Request<'_>,
        settings: &FormsSettings,
        forms: &[&Form],
        open_at: Timestamp,
    ) -> Result<()> {
        site.hosts.base_url(request)?;
        if forms.iter().all(|form| settings.is_closed(form.key, open_at, &site.time_zone)) {
            return Err(Error::Closed(texts::CLOSED.into()));
        }
        let table = forms.first().map_or("", |form| form.entity.table);
        self.count(site, request, &self.file_limiter, &format!("files-of-{table}")).await
    }

    /// Counts a request for `purpose`, or accepts a proof of work in its place.
    async fn count(&self, site: &Site, request: &Request<'_>, limiter: &RateLimiter, purpose: &str) -> Result<()> {
        let (now, client) = (site.clock.now(), client_network(client_address(request, &site.settings.trusted_proxies)));
        let work = Work::after(self.proofs.counted((purpose, client), now));
        let retry_after = match request.headers().get_one(proof_of_work::HEADER) {
            Some(solution) if proof_of_work::redeem(site, purpose, work, solution).await? => {
                // Its limit is never reached.
                let _ = self.proofs.count((purpose, client), now);
                return Ok(());
            }
            Some(_) => 1,
            None => match limiter.count((purpose, client), now) {
                Ok(()) => return Ok(()),
                Err(retry_after) => retry_after,
            },
        };
        let minutes = match retry_after.div_ceil(60) {
            1 => "a minute".to_owned(),
            minutes => format!("{minutes} minutes"),
        };
        Err(Error::Challenged {
            message: format!("Too many forms came from your connection. Please send it again in {minutes}."),
            retry_after,
            challenge: Box::new(proof_of_work::challenge(site, purpose, work).await?),
        })
    }
}

/// Returns when the sending of an admitted form started.
pub(super) fn sending_started_at(site: &Site, request: &Request<'_>) -> Timestamp {
    sending(site, request).started_at
}

fn sending<'r>(site: &Site, request: &'r Request<'_>) -> &'r Sending {
    request.local_cache(|| Sending { started_at: site.clock.now(), new_key: None })
}

/// A form with files as it was received, before validation.
pub(super) struct ReceivedForm {
    pub(super) values: Values,
    /// The files of the body and those that were uploaded before it, by field.
    pub(super) files: BTreeMap<&'static str, FormFile>,
    /// The settings in force after the body was read.
    pub(super) settings: FormsSettings,
}

/// Receives the body of a form of `kind` as multipart/form-data. `extra_names`: further fields that it may have.
pub(super) async fn receive_form(
    site: &Arc<Site>,
    request: &Request<'_>,
    data: Data<'_>,
    kind: &SubmissionKind,
    extra_names: &[&str],
) -> Result<ReceivedForm> {
    let mut accepts = accepted_files(kind.entity);
    let fields = kind.entity.columns().map(|field| field.name);
    let extra_names = extra_names.iter().copied().chain(extra_fields::COMMON);
    accepts.texts.extend(fields.chain(extra_names).map(str::to_owned));
    // A head alone is no form that is being sent: its first field has to arrive, or the server has to be too busy for it.
    let received = receive_multipart_noting(site, request, data, &accepts, store_start(site, request)).await;
    if let Err(Error::Unavailable(_) | Error::NoRoom { .. }) = &received {
        store_start(site, request).await;
    }
    let received = received?;
    let settings = FormsSettings::in_force(site).await?;
    let uploads = staged::find(site, request, kind.entity, &settings).await?;
    Ok(ReceivedForm { values: received.values, files: staged::merge_files(received.files, uploads), settings })
}

/// Stores when the sending of a form with a deadline started, for its next attempt.
async fn store_start(site: &Site, request: &Request<'_>) {
    let Sending { started_at, new_key } = sending(site, request);
    if let Some(key) = new_key {
        starts::store(site, key, *started_at).await;
    }
}

/// Returns the rules by which the files of a form are received. Unknown fields are ignored.
pub(super) fn accepted_files(entity: &'static Entity) -> Accepts {
    let mut accepts = Accepts { ignore_unknown: true, ..Accepts::default() };
    for field in entity.fields {
        if let Kind::File { pdf } = field.kind {
            let takes = if pdf { AcceptedKinds::PictureOrPdf } else { AcceptedKinds::Picture };
            accepts.files.push(AcceptedFile::new(field.name, takes));
        }
    }
    accepts
}

/// Makes a submission from a valid form; its reference will begin with `prefix`. The caller adds what only its kind has.
///
/// # Errors
/// [`Error::Unavailable`] before the first edition.
pub(super) async fn new_submission(
    site: &Site,
    settings: &FormsSettings,
    (kind, prefix): (&'static SubmissionKind, &'static str),
    valid: ValidForm,
    values: &Values,
    files: BTreeMap<&'static str, FormFile>,
) -> Result<NewSubmission> {
    let edition = current_edition(site).await?;
    let consent = if valid.has_consent { Some(consent(site, settings, kind.entity, values).await?) } else { None };
    Ok(NewSubmission {
        kind,
        prefix,
        edition,
        payload_hash: payload_hash(values, &files),
        is_quarantined: is_suspicious(settings, values),
        consent,
        own_columns: Vec::new(),
        files,
        over_long: valid.over_long,
        findings: valid.findings,
        record: valid.record,
        subject: Vec::new(),
        is_late: false,
        now: site.clock.now(),
    })
}

/// Returns payment code and UTR of a form as they are stored. Invalid ones are stored as sent, with a finding.
pub(super) fn payment_columns(values: &Values, valid: &mut ValidForm) -> [(&'static str, Datum); 2] {
    let sent = |name: &str| {
        text::clean(values.get(name).map_or("", String::as_str), false, Cleaning::Visible).unwrap_or_default()
    };
    let (code, utr) = (sent(extra_fields::PAYMENT_CODE), sent(extra_fields::PAYMENT_UTR));
    let read = payment_code::read(&code);
    let mut point_out = |field: &str, reason: &str| {
        let (field, reason) = (field.to_owned(), Some(reason.to_owned()));
        valid.findings.push(Finding { field, reason, ..Finding::default() });
    };
    if read.is_none() && !code.is_empty() {
        point_out(extra_fields::PAYMENT_CODE, payment_code::INVALID);
    }
    if !(utr.is_empty() || transaction_numbers::is_utr(&utr)) {
        point_out(extra_fields::PAYMENT_UTR, transaction_numbers::UNUSUAL_UTR);
    }
    [(extra_fields::PAYMENT_CODE, Datum::Text(read.unwrap_or(code))), (extra_fields::PAYMENT_UTR, Datum::Text(utr))]
}

async fn current_edition(site: &Site) -> Result<Edition> {
    let mut connection = site.db.read().await?;
    edition::current(&mut connection).await.map_err(|error| match error {
        Error::NotFound(_) => Error::Unavailable("Submissions are not open yet.".into()),
        other => other,
    })
}

async fn consent(site: &Site, settings: &FormsSettings, entity: &Entity, values: &Values) -> Result<Consent> {
    let in_force = site.in_force().await?;
    Ok(Notice::new(entity, settings, &in_force).consent(values))
}

/// Whether a bot seems to have filled in the form: the honeypot is filled in, or it took too little time.
///
/// A time of zero or less only means that a clock was set meanwhile.
fn is_suspicious(settings: &FormsSettings, values: &Values) -> bool {
    let value = |name: &str| values.get(name).map_or("", |text| trim(text));
    let minimum = f64::from(settings.minimum_seconds);
    let elapsed = value(extra_fields::ELAPSED).parse::<f64>();
    let is_too_quick = elapsed.is_ok_and(|seconds| seconds > 0.0 && seconds < minimum);
    !value(extra_fields::TRAP).is_empty() || is_too_quick
}

/// Stores a submission once, with its mails.
pub(super) async fn store(
    site: &Site,
    settings: &FormsSettings,
    request: &Request<'_>,
    submission: NewSubmission,
) -> Result<Submission> {
    let key = idempotency_key(request)?;
    store::store(site, submission, key.as_deref(), settings.duplicate_window_minutes).await
}

/// Stores a submission once, with its mails, and returns the receipt of the forms with files, as JSON.
pub(super) async fn store_and_reply(
    site: &Site,
    settings: &FormsSettings,
    request: &Request<'_>,
    submission: NewSubmission,
) -> Result<Vec<u8>> {
    let remarks =
        submission.files.iter().filter_map(|(field, file)| Some(FileRemark { field, message: file.remark()? }));
    let remarks: Vec<_> = remarks.collect();
    let stored = store(site, settings, request, submission).await?;
    let received_at = stored.text("created_at");
    let receipt = Receipt {
        id: stored.id,
        reference: stored.reference().to_owned(),
        message: texts::SUCCESS,
        received_at: time_text::with_offset(received_at, &site.time_zone),
        received_text: timestamps::with_zone_name(received_at.parse().map_err(Error::internal)?, &site.time_zone),
        is_late: stored.flag("is_late"),
        remarks: Some(remarks).filter(|remarks| !remarks.is_empty()),
    };
    Ok(serde_json::to_vec(&receipt)?)
}

/// Returns the hash of the request's Idempotency-Key, if it has one.
///
/// # Errors
/// [`Error::BadRequest`] if the key is malformed.
fn idempotency_key(request: &Request<'_>) -> Result<Option<String>> {
    let Some(key) = request.headers().get_one("Idempotency-Key") else { return Ok(None) };
    if key.is_empty() || key.len() > 255 || !key.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ') {
        return Err(Error::BadRequest("Idempotency-Key must be 1 to 255 printable ASCII characters.".into()));
    }
    Ok(Some(hash(["idempotency-key", key])))
}
