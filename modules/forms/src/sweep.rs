//! Removes orphaned files from the private store, and expired Idempotency-Keys and uploads.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use clap::ArgMatches;
use festival_core::command::{Command, Outcome};
use festival_core::db::time_before;
use festival_core::media::{SweepLimit, Swept};
use festival_core::println;
use festival_core::registry::PrivateFiles;
use festival_core::{App, Result};
use jiff::{SignedDuration, Timestamp};

use crate::submissions::file_folders;
use crate::submit::staged;

/// Longest time between a request's files and its row.
const MAX_REQUEST_TIME: Duration = Duration::from_secs(60 * 60);
/// Time between two sweeps.
const INTERVAL: Duration = Duration::from_secs(60 * 60);
/// How far the clock of a file system may lag behind the system's clock.
const FILE_CLOCK_LAG: Duration = Duration::from_millis(20);
/// How long an Idempotency-Key is stored.
const KEY_LIFETIME: SignedDuration = SignedDuration::from_hours(7 * 24);

/// Sweeps at startup and then every hour. Files from before `started`, when this process began, belong to an earlier
/// one.
pub(crate) async fn run(app: Arc<App>, started: SystemTime) {
    // A server with exclusive use of its files need not spare unfinished files of an earlier one, however recent:
    // nobody will finish them.
    let mut before =
        if app.media.started_alone() { started - FILE_CLOCK_LAG } else { SystemTime::now() - MAX_REQUEST_TIME };
    // Read once at startup: later rows do not show whether the database belongs to these files.
    let last_row = match newest_row(&app).await {
        Ok(last_row) => last_row,
        Err(error) => {
            tracing::warn!(
                cause = error.for_terminal(),
                "cannot find the newest row; no file is treated as left by a crash"
            );
            None
        }
    };
    loop {
        match sweep(&app, before, SweepLimit::Few { last_row }).await {
            Ok(swept) => report(&swept),
            Err(error) => {
                tracing::warn!(cause = error.for_terminal(), "sweep of private files failed; will retry in an hour")
            }
        }
        tokio::time::sleep(INTERVAL).await;
        before = SystemTime::now() - MAX_REQUEST_TIME;
    }
}

fn report(swept: &Swept) {
    let Swept { staged, trashed, restored, refused, missing } = *swept;
    if staged + trashed > 0 {
        tracing::info!(staged, trashed, "removed files without a submission");
    }
    if restored > 0 {
        tracing::warn!(restored, "restored files of submissions from the trash");
    }
    if refused > 0 {
        tracing::error!(
            refused,
            "too many files have no submission: is this the right database? No file was moved; \"festival forms sweep\" moves them"
        );
    }
    if missing > 0 {
        tracing::error!(missing, "files of submissions are missing; restore them from a backup");
    }
}

/// Deletes expired uploads and keys, and moves files that no row references and that were last written before `before`
/// to the trash, unless there are more than `limit` allows.
async fn sweep(app: &App, before: SystemTime, limit: SweepLimit) -> Result<Swept> {
    staged::delete_expired(app).await?;
    let referenced = referenced_keys(app).await?;
    let swept = app.media.sweep(&file_folders(), &referenced, before, app.clock.now(), limit).await?;
    let oldest = time_before(app.clock.now(), KEY_LIFETIME);
    let old: i64 = sqlx::query_scalar("SELECT count(*) FROM submission_keys WHERE created_at < $1")
        .bind(oldest.clone())
        .fetch_one(&mut *app.db.read().await?)
        .await?;
    if old > 0 {
        let mut write = app.db.write_private().await?;
        sqlx::query("DELETE FROM submission_keys WHERE created_at < $1").bind(oldest).execute(&mut *write).await?;
        write.commit().await?;
    }
    Ok(swept)
}

/// The private files that rows reference.
pub(crate) static FILES: PrivateFiles = PrivateFiles {
    folders: file_folders,
    query: "SELECT f.key, s.reference || ', ' || f.field FROM submission_files f JOIN film_submissions s \
            ON s.id = f.film_submission_id \
            UNION ALL SELECT f.key, s.reference || ', ' || f.field FROM submission_files f JOIN delegates s \
            ON s.id = f.delegate_id \
            UNION ALL SELECT key, 'uploaded for a form, ' || field FROM staged_files \
            WHERE key NOT IN (SELECT key FROM submission_files)",
};

/// Returns the keys of all files that rows reference.
async fn referenced_keys(app: &App) -> Result<BTreeSet<String>> {
    let keys: Vec<String> = sqlx::query_scalar("SELECT key FROM submission_files UNION SELECT key FROM staged_files")
        .fetch_all(&mut *app.db.read().await?)
        .await?;
    Ok(keys.into_iter().collect())
}

/// Returns when the newest row that may reference files was created.
async fn newest_row(app: &App) -> Result<Option<SystemTime>> {
    let newest: Option<String> = sqlx::query_scalar(
        "SELECT max(at) FROM (SELECT max(created_at) AS at FROM film_submissions UNION ALL \
         SELECT max(created_at) FROM delegates UNION ALL SELECT max(created_at) FROM staged_files) AS rows",
    )
    .fetch_one(&mut *app.db.read().await?)
    .await?;
    Ok(newest.and_then(|at| at.parse::<Timestamp>().ok()).map(SystemTime::from))
}

/// `festival forms sweep`: moves orphaned files to the trash, even as many as the server's own sweep refuses to move.
pub(crate) struct SweepCommand;

#[rocket::async_trait]
impl Command for SweepCommand {
    fn clap(&self) -> clap::Command {
        clap::Command::new("sweep")
            .about("Move files that no submission names to the trash, however many they are")
            .after_help(
                "The server does it every hour, but not where so many would go that the database may be a wrong one.\n\n\
                 Example: festival forms sweep",
            )
    }

    async fn run(&self, app: Arc<App>, _: &ArgMatches) -> Result<Outcome> {
        let Swept { trashed, restored, missing, .. } =
            sweep(&app, SystemTime::now() - MAX_REQUEST_TIME, SweepLimit::Unlimited).await?;
        println!("{trashed} to the trash, {restored} back from it, {missing} missing");
        Ok(Outcome::Done)
    }
}
