//! Common to all forms: rate limits, deadlines, and the keys of requests that are repeated.

use festival_core::checks::AcceptedKinds;
use festival_core::entity::{Entity, Kind};
use festival_core::http::client_address;
use festival_core::network::client_network;
use festival_core::site::Site;
use festival_core::upload::{AcceptedFile, Accepts};
use festival_core::{Error, Result};
use jiff::{SignedDuration, Timestamp};
use rocket::Request;

use super::staged;
use super::starts;
use crate::description::{Form, forms_of, texts};
use crate::hash::hash;
use crate::proof_of_work;
use crate::rate_limit::RateLimiter;
use crate::settings::FormsSettings;

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

/// How long after closing files may still be uploaded, for forms whose sending started in time.
const UPLOAD_GRACE: SignedDuration = SignedDuration::from_hours(2);
/// Files that one client may upload for each form that it may send: twice the files of a form.
const FILES_PER_FORM: u32 = 14;

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

    /// Decides before the body is read whether a file of a form that is stored as `entity` is accepted before its form:
    /// by host, deadline and rate limit, and by the space that files without a form already occupy.
    pub(super) async fn admit_file(&self, site: &Site, request: &Request<'_>, entity: &Entity) -> Result<()> {
        site.hosts.base_url(request)?;
        let settings = FormsSettings::in_force(site).await?;
        let open_at = site.clock.now().checked_sub(UPLOAD_GRACE).unwrap_or(Timestamp::UNIX_EPOCH);
        if forms_of(entity).all(|form| settings.is_closed(form.key, open_at, &site.time_zone)) {
            return Err(Error::Closed(texts::CLOSED.into()));
        }
        self.count(site, request, &self.file_limiter, &format!("files-of-{}", entity.table)).await?;
        if !staged::has_room(site, &settings).await? {
            return Err(Error::Unavailable("Files can only be sent with their form at the moment.".into()));
        }
        Ok(())
    }

    /// Counts a request for `purpose`, or accepts a proof of work in its place.
    async fn count(&self, site: &Site, request: &Request<'_>, limiter: &RateLimiter, purpose: &str) -> Result<()> {
        let (now, client) = (site.clock.now(), client_network(client_address(request, &site.settings.trusted_proxies)));
        let max_number = proof_of_work::max_number(self.proofs.counted((purpose, client), now));
        let retry_after = match request.headers().get_one(proof_of_work::HEADER) {
            Some(solution) if proof_of_work::redeem(site, purpose, max_number, solution).await? => {
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
            challenge: Box::new(proof_of_work::challenge(site, purpose, max_number).await?),
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

/// Stores when the sending of a form with a deadline started, for its next attempt.
pub(super) async fn store_start(site: &Site, request: &Request<'_>) {
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

/// Returns the hash of the request's Idempotency-Key, if it has one.
///
/// # Errors
/// [`Error::BadRequest`] if the key is malformed.
pub(super) fn idempotency_key(request: &Request<'_>) -> Result<Option<String>> {
    let Some(key) = request.headers().get_one("Idempotency-Key") else { return Ok(None) };
    if key.is_empty() || key.len() > 255 || !key.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ') {
        return Err(Error::BadRequest("Idempotency-Key must be 1 to 255 printable ASCII characters.".into()));
    }
    Ok(Some(hash(["idempotency-key", key])))
}
