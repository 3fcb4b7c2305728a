//! Removes what no submission needs: files that no row names, answers whose retries are over.

use std::collections::BTreeSet;
use std::fs::File;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use festival_core::db::timestamp_text;
use festival_core::task::Task;
use festival_core::{App, Result, media};
use jiff::SignedDuration;

use crate::submit::staged;

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
        // Held as long as the server runs: whoever holds it has the data directory to itself, and what an earlier
        // process left half done, even a moment before it was killed, will not be finished by anybody.
        let alone = hold_alone(&app);
        let mut before = if alone.is_some() { self.started - TICK } else { SystemTime::now() - UNDER_WAY };
        loop {
            match sweep(&app, before).await {
                Ok(swept) if swept.staged + swept.private > 0 => {
                    tracing::info!(
                        staged = swept.staged,
                        private = swept.private,
                        "files without a submission removed"
                    );
                }
                Ok(_) => {}
                Err(error) => tracing::warn!(cause = error.for_terminal(), "sweeping failed; trying again in an hour"),
            }
            tokio::time::sleep(EVERY).await;
            before = SystemTime::now() - UNDER_WAY;
        }
    }
}

/// The lock on the data directory, if no other server has it.
fn hold_alone(app: &App) -> Option<File> {
    let file = File::create(app.data_dir("server.lock")).ok()?;
    file.try_lock().ok()?;
    Some(file)
}

/// Removes files that no row names and that were last written before `before`, and forgets old keys.
pub(crate) async fn sweep(app: &App, before: SystemTime) -> Result<media::Swept> {
    staged::forget_expired(app).await?;
    let known: Vec<String> = sqlx::query_scalar("SELECT key FROM submission_files UNION SELECT key FROM staged_files")
        .fetch_all(&mut *app.db.read().await?)
        .await?;
    let known: BTreeSet<String> = known.into_iter().collect();
    let swept = app.media.sweep(&known, before).await?;
    let oldest = timestamp_text(app.clock.now().checked_sub(KEYS_KEPT).unwrap_or_default());
    let old: i64 = sqlx::query_scalar("SELECT count(*) FROM submission_keys WHERE created_at < $1")
        .bind(oldest.clone())
        .fetch_one(&mut *app.db.read().await?)
        .await?;
    if old > 0 {
        let mut write = app.db.write().await?;
        sqlx::query("DELETE FROM submission_keys WHERE created_at < $1").bind(oldest).execute(&mut *write).await?;
        write.commit().await?;
    }
    Ok(swept)
}
