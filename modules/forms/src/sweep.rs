//! Clears away what no submission needs: files that no row names, answers whose retries are over.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use clap::ArgMatches;
use festival_core::command::{Command, Outcome};
use festival_core::db::timestamp_text;
use festival_core::media::{Swept, Take};
use festival_core::stored_files::PrivateFiles;
use festival_core::task::Task;
use festival_core::{App, Result};
use jiff::{SignedDuration, Timestamp};

use crate::submit::{staged, tables};

/// How long a request may be under way between its files and its row.
const UNDER_WAY: Duration = Duration::from_secs(60 * 60);
/// How often it is swept.
const EVERY: Duration = Duration::from_secs(60 * 60);
/// The clocks of file systems tick up to so much later than ours.
const TICK: Duration = Duration::from_millis(20);
/// How long an Idempotency-Key is remembered.
const KEYS_KEPT: SignedDuration = SignedDuration::from_hours(7 * 24);

/// Sweeps at the start and then every hour.
pub(crate) struct Sweep {
    /// Before this moment this process had not written any file.
    started: SystemTime,
}

impl Sweep {
    pub(crate) fn new() -> Self {
        Self { started: SystemTime::now() }
    }
}

#[rocket::async_trait]
impl Task for Sweep {
    fn name(&self) -> &'static str {
        "sweep of private files"
    }

    async fn run(&self, app: Arc<App>) {
        // A server that has the files to itself need not spare what an earlier one left half done, even a moment before it
        // was killed: nobody will finish it.
        let mut before = if app.media.started_alone() { self.started - TICK } else { SystemTime::now() - UNDER_WAY };
        // As it was found at the start: what arrives from now on says nothing about whose database this is.
        let last_row = match last_row(&app).await {
            Ok(last_row) => last_row,
            Err(error) => {
                tracing::warn!(
                    cause = error.for_terminal(),
                    "the last row is not known: no file counts as left by a crash"
                );
                None
            }
        };
        loop {
            match sweep(&app, before, Take::Few { last_row }).await {
                Ok(swept) => report(&swept),
                Err(error) => tracing::warn!(cause = error.for_terminal(), "sweeping failed; trying again in an hour"),
            }
            tokio::time::sleep(EVERY).await;
            before = SystemTime::now() - UNDER_WAY;
        }
    }
}

fn report(swept: &Swept) {
    let Swept { staged, trashed, restored, refused, missing } = *swept;
    if staged + trashed > 0 {
        tracing::info!(staged, trashed, "files without a submission cleared away");
    }
    if restored > 0 {
        tracing::warn!(restored, "files of submissions came back from the trash");
    }
    if refused > 0 {
        tracing::error!(
            refused,
            "very many files have no submission: is this the right database? Nothing was moved; \"festival forms sweep\" does"
        );
    }
    if missing > 0 {
        tracing::error!(missing, "submissions name files that are not there; restore them from a backup");
    }
}

/// Moves files that no row names and that were last written before `before` to the trash, if they are no more than `take`
/// allows, and forgets old keys.
async fn sweep(app: &App, before: SystemTime, take: Take) -> Result<Swept> {
    staged::forget_expired(app).await?;
    let known = known(app).await?;
    let swept = app.media.sweep(&tables::folders(), &known, before, app.clock.now(), take).await?;
    let oldest = timestamp_text(app.clock.now().checked_sub(KEYS_KEPT).unwrap_or_default());
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

/// Where rows name files.
pub(crate) static FILES: PrivateFiles = PrivateFiles {
    folders: tables::folders,
    query: "SELECT f.key, s.reference || ', ' || f.field FROM submission_files f JOIN film_submissions s \
            ON s.id = f.film_submission_id \
            UNION ALL SELECT f.key, s.reference || ', ' || f.field FROM submission_files f JOIN delegates s \
            ON s.id = f.delegate_id \
            UNION ALL SELECT key, 'uploaded for a form, ' || field FROM staged_files \
            WHERE key NOT IN (SELECT key FROM submission_files)",
};

/// The keys of all files that rows name.
async fn known(app: &App) -> Result<BTreeSet<String>> {
    let known: Vec<String> = sqlx::query_scalar("SELECT key FROM submission_files UNION SELECT key FROM staged_files")
        .fetch_all(&mut *app.db.read().await?)
        .await?;
    Ok(known.into_iter().collect())
}

/// When the last row was written that names files.
async fn last_row(app: &App) -> Result<Option<SystemTime>> {
    let last: Option<String> = sqlx::query_scalar(
        "SELECT max(at) FROM (SELECT max(created_at) AS at FROM film_submissions UNION ALL \
         SELECT max(created_at) FROM delegates UNION ALL SELECT max(created_at) FROM staged_files) AS rows",
    )
    .fetch_one(&mut *app.db.read().await?)
    .await?;
    Ok(last.and_then(|at| at.parse::<Timestamp>().ok()).map(SystemTime::from))
}

/// `festival forms sweep`: clears away what the server's own sweep refuses to.
pub(crate) struct SweepCommand;

#[rocket::async_trait]
impl Command for SweepCommand {
    fn clap(&self) -> clap::Command {
        clap::Command::new("sweep")
            .about("Move files that no submission names to the trash, however many they are")
            .after_help(
                "The server does it every hour, but not where so many would go that the database may be a wrong one.",
            )
    }

    async fn run(&self, app: Arc<App>, _: &ArgMatches) -> Result<Outcome> {
        let Swept { trashed, restored, missing, .. } = sweep(&app, SystemTime::now() - UNDER_WAY, Take::All).await?;
        println!("{trashed} to the trash, {restored} back from it, {missing} missing");
        Ok(Outcome::Done)
    }
}
