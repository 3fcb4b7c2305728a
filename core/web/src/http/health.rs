//! Health checks: `/healthz` (liveness) and `/readyz` (readiness). Neither discloses more than that.

use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use rocket::http::{ContentType, Method, Status};
use rocket::route::{Handler, Outcome, Route};
use rocket::{Data, Request, Response};
use tokio::sync::Mutex;
use tokio::time::timeout;

use super::response::uncached;
use super::supervised::supervised;
use crate::metrics::RouteClass;
use crate::site::Site;
use festival_base::db;
use festival_base::error::{Error, Result};
use festival_records::identity;

/// Timeout of the readiness check.
const CHECK_TIMEOUT: Duration = Duration::from_secs(3);
/// Time for which a result is reused, so that frequent requests put no load on the site.
const RESULT_LIFETIME: SignedDuration = SignedDuration::from_secs(1);

/// `/healthz`: the process responds. `/readyz`: it can also read and write the database and store files.
pub(super) fn routes(site: &Arc<Site>) -> Vec<Route> {
    let ready = Ready { site: site.clone(), last: Arc::default() };
    let routes = vec![Route::new(Method::Get, "/healthz", Alive), Route::new(Method::Get, "/readyz", ready)];
    supervised(routes, RouteClass::Health, site)
}

fn response(is_healthy: bool) -> Response<'static> {
    let (status, body) = if is_healthy { (Status::Ok, "ok\n") } else { (Status::ServiceUnavailable, "not ready\n") };
    uncached(status, ContentType::Plain, body)
}

#[derive(Clone)]
struct Alive;

#[rocket::async_trait]
impl Handler for Alive {
    async fn handle<'r>(&self, _: &'r Request<'_>, _: Data<'r>) -> Outcome<'r> {
        Outcome::Success(response(true))
    }
}

#[derive(Clone)]
struct Ready {
    site: Arc<Site>,
    last: Arc<Mutex<Option<(Timestamp, bool)>>>,
}

#[rocket::async_trait]
impl Handler for Ready {
    async fn handle<'r>(&self, _: &'r Request<'_>, _: Data<'r>) -> Outcome<'r> {
        let mut last = self.last.lock().await;
        if let Some((at, is_ready)) = *last
            && (SignedDuration::ZERO..RESULT_LIFETIME).contains(&self.site.clock.now().duration_since(at))
        {
            return Outcome::Success(response(is_ready));
        }
        let failure = match timeout(CHECK_TIMEOUT, check(&self.site)).await {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(error.for_terminal()),
            Err(_) => Some("no answer in time".to_owned()),
        };
        if let Some(cause) = &failure {
            tracing::warn!(cause, "not ready");
        }
        *last = Some((self.site.clock.now(), failure.is_none()));
        Outcome::Success(response(failure.is_none()))
    }
}

/// Checks everything that storing a submission needs, without leaving a trace: a write transaction, the schema, the
/// media folder of the same site, and free disk space.
///
/// # Errors
/// What is not ready.
async fn check(site: &Site) -> Result<()> {
    let mut write = site.db.write_private().await?;
    sqlx::query("UPDATE editions SET year = year WHERE 1 = 0").execute(&mut *write).await?;
    write.rollback().await?;
    if let Some(pending) = db::pending(&site.db, &site.migrations).await?.first() {
        return Err(Error::Unavailable(format!("migration {}_{} is pending", pending.version, pending.name)));
    }
    // Both are none until `festival serve` first runs; only a difference means that one of them belongs to another
    // site.
    if identity::find(&mut *site.db.read().await?).await? != site.media.site_id().await? {
        return Err(Error::Unavailable("database and media folder are not of the same site".into()));
    }
    site.media.check_folders().await?;
    if site.media.free_bytes().await? >> 20 < site.settings.uploads.keep_free_mib {
        return Err(Error::no_room("the disk has less room than uploads.keep_free_mib"));
    }
    site.media.check_writable().await
}
