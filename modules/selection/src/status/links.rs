//! Secret links to the status page. The link is in a mail; the database has the SHA-256 of its secret.

use data_encoding::HEXLOWER;
use festival_core::admin::AdminRequest;
use festival_core::db::{Write, timestamp_text};
use festival_core::media::random_name;
use festival_core::site::Site;
use festival_core::submissions::{ReceiptPart, Submissions, Submitted};
use festival_core::{Error, Result};
use jiff::Timestamp;
use sha2::{Digest as _, Sha256};
use sqlx::{AnyConnection, AssertSqlSafe};

use crate::decision::Decision;

/// Path of the status page.
pub(super) const PATH: &str = "/status";

/// The fields of the forms of the status page: the secret of the link, and what an action is about.
pub(super) const KEY: &str = "key";
pub(super) const FIELD: &str = "field";
pub(super) const FILE: &str = "file";

/// What a link does not open, whatever is wrong with it.
const UNKNOWN: &str = "This link does not open anything. Perhaps a part of it is missing: open it from the mail again, or have \
                       a new one sent from the page “Status”.";

/// What stands below a link in mails.
pub(crate) const KEEP_SECRET: &str = "Whoever has this link sees what you sent. Keep it to yourself.";

/// A table of submissions that have a status page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    /// The table, and its column with the address of the sender.
    pub(crate) table: &'static str,
    pub(super) email: &'static str,
    /// The column in which the tables of this module refer to it.
    pub(crate) owner: &'static str,
    /// Its name in addresses of the back office.
    pub(crate) slug: &'static str,
}

/// Submitted films.
pub(crate) const FILMS: Kind = Kind {
    table: "film_submissions",
    email: "correspondence_email",
    owner: "film_submission_id",
    slug: "film-submissions",
};
/// Registrations.
pub(crate) const DELEGATES: Kind = Kind { table: "delegates", email: "email", owner: "delegate_id", slug: "delegates" };
/// All of them.
pub(crate) const KINDS: [Kind; 2] = [FILMS, DELEGATES];

impl Kind {
    /// What the forms offer of its submissions.
    ///
    /// # Errors
    /// If the forms are switched off: then this module does not start either.
    pub(crate) fn submissions(self, site: &Site) -> Result<&dyn Submissions<Site>> {
        site.contents.submissions_in(self.table).ok_or_else(|| Error::internal("submissions that are switched off"))
    }
}

/// A submission that a link opens.
pub(super) struct Opened {
    pub(super) kind: Kind,
    pub(super) submitted: Submitted,
}

impl Opened {
    /// The released decision about it.
    pub(super) async fn decision(&self, connection: &mut AnyConnection) -> Result<Option<Decision>> {
        match self.kind == FILMS {
            true => Decision::find(connection, self.submitted.id, true).await,
            false => Ok(None),
        }
    }
}

/// Opens the submission of the link with the secret `key`.
///
/// # Errors
/// [`Error::NotFound`] if there is none, [`Error::TooMany`] after too many such attempts from one network.
pub(super) async fn open(request: &AdminRequest, key: &str) -> Result<Opened> {
    if key.len() != 32 || !key.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(Error::NotFound(UNKNOWN.into()));
    }
    let mut connection = request.read().await?;
    let link = sqlx::query_as("SELECT film_submission_id, delegate_id FROM selection_links WHERE key_hash = $1");
    let owner: Option<(Option<i64>, Option<i64>)> = link.bind(hash(key)).fetch_optional(&mut *connection).await?;
    if let Some((film, delegate)) = owner {
        let (kind, id) = if film.is_some() { (FILMS, film) } else { (DELEGATES, delegate) };
        let found =
            kind.submissions(&request.site)?.find(&request.site, &mut connection, id.unwrap_or_default()).await?;
        if let Some(submitted) = found {
            return Ok(Opened { kind, submitted });
        }
    }
    drop(connection);
    request.count_attempt(key).await?;
    Err(Error::NotFound(UNKNOWN.into()))
}

/// Creates a link for a submission to the site at `base`, valid beside earlier ones: it may have been asked for by
/// somebody else.
pub(super) async fn create(write: &mut Write, now: Timestamp, kind: Kind, id: i64, base: &str) -> Result<String> {
    let key = random_name()?;
    let sql = format!("INSERT INTO selection_links (key_hash, {}, created_at) VALUES ($1, $2, $3)", kind.owner);
    sqlx::query(AssertSqlSafe(sql)).bind(hash(&key)).bind(id).bind(timestamp_text(now)).execute(&mut **write).await?;
    Ok(format!("{base}{PATH}?key={key}"))
}

/// Creates a link for a submission to the public site; `None` if that has no address.
pub(crate) async fn create_public(write: &mut Write, site: &Site, kind: Kind, id: i64) -> Result<Option<String>> {
    let Some(base) = site.hosts.public_url() else { return Ok(None) };
    create(write, site.clock.now(), kind, id, base).await.map(Some)
}

/// A link without its secret, for previews.
pub(crate) fn without_secret(site: &Site) -> Option<String> {
    site.hosts.public_url().map(|base| format!("{base}{PATH}?key=…"))
}

fn hash(key: &str) -> String {
    HEXLOWER.encode(&Sha256::digest(key))
}

/// Puts the link to the status page into receipts.
pub(super) struct StatusLink;

#[rocket::async_trait]
impl ReceiptPart<Site> for StatusLink {
    async fn paragraph(&self, site: &Site, write: &mut Write, table: &str, id: i64) -> Result<String> {
        let Some(kind) = KINDS.into_iter().find(|kind| kind.table == table) else { return Ok(String::new()) };
        let link = create_public(write, site, kind, id).await?;
        Ok(link.map_or(String::new(), |link| {
            format!("Where it stands, and what you can still change:\n{link}\n{KEEP_SECRET}")
        }))
    }
}
