//! Tasks and facts about disk space, stored files and backups.

use jiff::{SignedDuration, Timestamp};

use super::{DashboardContext, PendingTask};
use crate::back_office::AdminRequest;
use festival_base::db::Backend;
use festival_base::error::{Error, Result};
use festival_base::size_text;
use festival_base::time_text;
use festival_files::media::Swept;
use festival_web::site::Site;

/// Maximum age of the last backup before a task appears.
const MAX_BACKUP_AGE: SignedDuration = SignedDuration::from_hours(2 * 24);

pub(super) async fn tasks(context: DashboardContext) -> Result<Vec<PendingTask>> {
    let site = &context.site;
    let mut texts = Vec::new();
    let free = site.media.free_bytes().await?;
    if free >> 20 < site.settings.uploads.keep_free_mib {
        texts.push(format!("Disk full: {} left. Forms with files are rejected.", size_text::size(free)));
    }
    let Swept { refused, missing, .. } = site.media.last_sweep();
    if refused > 0 {
        texts.push(format!(
            "{refused} stored files are not in the database, which may be the wrong one or outdated. No file was moved."
        ));
    }
    if missing > 0 {
        texts.push(format!("{missing} uploaded files are missing. Restore them from a backup."));
    }
    let last = (context.last_backup)(&mut *context.read().await?).await?;
    let now = site.clock.now();
    let is_recent = |at: &String| at.parse::<Timestamp>().is_ok_and(|at| now.duration_since(at) <= MAX_BACKUP_AGE);
    if !last.as_ref().is_some_and(is_recent) {
        let when = last.map_or_else(
            || "There is no backup yet".to_owned(),
            |at| format!("The last backup was on {}", time_text::short(&at, &site.time_zone)),
        );
        texts.push(format!("{when}. Schedule \"festival backup\" to run every night on the server."));
    }
    let task = |text| PendingTask { text, href: "/admin/settings".into(), is_urgent: true };
    Ok(texts.into_iter().map(task).collect())
}

pub(super) async fn facts(request: &AdminRequest) -> Result<[(&'static str, String); 6]> {
    let site = &request.site;
    let free = site.media.free_bytes().await?;
    // Without its bucket, the site still has a first page of the back office.
    let unknown = || "not known: the file store does not answer".to_owned();
    let media = match request.admin.media_size.get(request.now(), || site.media.total_bytes()).await {
        Err(Error::Unavailable(_)) => unknown(),
        bytes => size_text::size(bytes?),
    };
    let trash = match site.media.trash().await {
        Err(Error::Unavailable(_)) => unknown(),
        files => files?.len().to_string(),
    };
    let last = (request.admin.last_backup)(&mut *request.read().await?).await?;
    Ok([
        ("Version", env!("CARGO_PKG_VERSION").to_owned()),
        ("Database", size_text::size(database_size(site).await?)),
        ("Pictures, documents and uploads", media),
        ("Files in the trash (deleted after 30 days)", trash),
        ("Free disk space", size_text::size(free)),
        ("Last backup", last.map_or("never".to_owned(), |at| time_text::short(&at, &site.time_zone))),
    ])
}

async fn database_size(site: &Site) -> Result<u64> {
    let mut connection = site.db.read().await?;
    let sql = match site.db.backend() {
        Backend::Sqlite => "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
        Backend::Postgres => "SELECT pg_database_size(current_database())",
    };
    let size: i64 = sqlx::query_scalar(sql).fetch_one(&mut *connection).await?;
    Ok(size.unsigned_abs())
}
