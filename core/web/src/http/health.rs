//! For whoever watches over the server: is it alive, and can it do its work. Neither says more than that.

use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use rocket::http::{ContentType, Method, Status};
use rocket::route::{Handler, Outcome, Route};
use rocket::{Data, Request, Response};
use tokio::sync::Mutex;
use tokio::time::timeout;

use super::supervised::supervised_for_anybody;
use crate::metrics::RouteClass;
use crate::site::Site;
use festival_base::db;
use festival_base::error::{Error, Result};
use festival_records::identity;

/// How long the database and the disk have to answer.
const PATIENCE: Duration = Duration::from_secs(3);
/// How long an answer is true: strangers who ask often take nothing from the site.
const FRESH: SignedDuration = SignedDuration::from_secs(1);

/// `/healthz`: the process answers. `/readyz`: it can also read, write and store.
pub(super) fn routes(site: &Arc<Site>) -> Vec<Route> {
    let ready = Ready { site: site.clone(), last: Arc::default() };
    let routes = vec![Route::new(Method::Get, "/healthz", Alive), Route::new(Method::Get, "/readyz", ready)];
    supervised_for_anybody(routes, RouteClass::Health, site)
}

fn answer(good: bool) -> Response<'static> {
    let (status, words) = if good { (Status::Ok, "ok\n") } else { (Status::ServiceUnavailable, "not ready\n") };
    Response::build()
        .status(status)
        .header(ContentType::Plain)
        .raw_header("Cache-Control", "no-store")
        .sized_body(words.len(), std::io::Cursor::new(words))
        .finalize()
}

#[derive(Clone)]
struct Alive;

#[rocket::async_trait]
impl Handler for Alive {
    async fn handle<'r>(&self, _: &'r Request<'_>, _: Data<'r>) -> Outcome<'r> {
        Outcome::Success(answer(true))
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
        if let Some((at, good)) = *last
            && (SignedDuration::ZERO..FRESH).contains(&self.site.clock.now().duration_since(at))
        {
            return Outcome::Success(answer(good));
        }
        let looked = timeout(PATIENCE, check(&self.site)).await;
        let wrong = match looked {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(error.for_terminal()),
            Err(_) => Some("no answer in time".to_owned()),
        };
        if let Some(cause) = &wrong {
            tracing::warn!(cause, "not ready");
        }
        *last = Some((self.site.clock.now(), wrong.is_none()));
        Outcome::Success(answer(wrong.is_none()))
    }
}

/// Takes the way of a form, without leaving a trace: a write, the schema, the files of this database, room for more.
async fn check(site: &Site) -> Result<()> {
    let mut write = site.db.write_private().await?;
    sqlx::query("UPDATE editions SET year = year WHERE 1 = 0").execute(&mut *write).await?;
    write.rollback().await?;
    if let Some(open) = db::pending(&site.db, &site.migrations).await?.first() {
        return Err(Error::Unavailable(format!("migration {}_{} is pending", open.version, open.name)));
    }
    // Both are none where nobody ran `festival serve`: only a difference says that one of them is not the site's own.
    if identity::find(&mut *site.db.read().await?).await? != site.media.site_id().await? {
        return Err(Error::Unavailable("database and media folder are not of the same site".into()));
    }
    site.media.check_folders().await?;
    if site.media.free_bytes().await? >> 20 < site.settings.uploads.keep_free_mib {
        return Err(Error::no_room("the disk has less room than uploads.keep_free_mib"));
    }
    site.media.check_writable().await
}
