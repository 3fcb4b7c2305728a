//! The background task of the server that sends due mails, one after the other.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt as _;
use jiff::Timestamp;
use tokio::sync::{Mutex, watch};
use tokio::task::JoinHandle;

use super::failure::Failure;
use super::failure::{MIN_DELAY, delay, random};
use super::outbox::{self, ClaimedMail};
use super::transport::Transport;
use super::{compose, text};
use festival_base::clock::Clock;
use festival_base::db::Db;
use festival_base::error::Result;
use festival_base::settings::{InForce, Settings};

/// How often the task looks for work. If the data has not changed and nothing is due, this costs nothing.
const POLL_INTERVAL: Duration = Duration::from_millis(500);
/// Delay after a failure of the database.
const RETRY_DELAY: Duration = Duration::from_secs(5);
/// How long [`DeliveryWorker::stop`] waits for the mail that is being sent.
const STOP_TIMEOUT: Duration = Duration::from_secs(10);
/// Rows looked up at a time.
const BATCH_SIZE: i64 = 50;
/// Attempts to mark a mail as sent, [`RETRY_DELAY`] apart: they fill most of the lease.
const MAX_MARK_ATTEMPTS: u32 = 100;

/// A handle of the running task.
pub struct DeliveryWorker {
    stop: watch::Sender<bool>,
    task: Mutex<Option<JoinHandle<()>>>,
}

impl DeliveryWorker {
    /// Starts the task. It sends the mails in the outbox of `db` to the mail server in `settings`; the sender's address
    /// is that of the settings `in_force` at the time.
    pub fn start(db: Db, clock: Clock, settings: &Settings, in_force: Arc<InForce>) -> Self {
        let (stop, stopped) = watch::channel(false);
        let delivery = Delivery {
            transport: Transport::new(settings),
            host: compose::host(settings),
            db,
            clock,
            in_force,
            stopped: stopped.clone(),
            paused_at: None,
        };
        let task = tokio::spawn(run(delivery, stopped));
        Self { stop, task: Mutex::new(Some(task)) }
    }

    /// Stops the task after the mail that is being sent, so that it is marked as sent and not sent again.
    pub async fn stop(&self) {
        self.stop.send_replace(true);
        if let Some(mut task) = self.task.lock().await.take()
            && tokio::time::timeout(STOP_TIMEOUT, &mut task).await.is_err()
        {
            task.abort();
        }
    }
}

async fn run(mut delivery: Delivery, mut stopped: watch::Receiver<bool>) {
    let mut seen_changes = None;
    let mut next_due = None;
    while !*stopped.borrow() {
        // Counts the writes of every process.
        let changes = delivery.db.changes();
        let mut wait = POLL_INTERVAL;
        if seen_changes != Some(changes) || next_due.is_some_and(|due| due <= delivery.clock.now()) {
            // The attempt of a mail that causes a panic was counted already, so it waits like any other that failed.
            match AssertUnwindSafe(delivery.send_due()).catch_unwind().await {
                Ok(Ok(due)) => (seen_changes, next_due) = (Some(changes), due),
                Ok(Err(error)) => {
                    tracing::warn!(error = error.for_terminal(), "cannot read the outbox; trying again");
                    wait = RETRY_DELAY;
                }
                Err(_) => wait = RETRY_DELAY,
            }
            delivery.transport.disconnect().await;
        }
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            changed = stopped.changed() => if changed.is_err() { return },
        }
    }
}

/// The state of the task.
struct Delivery {
    db: Db,
    clock: Clock,
    in_force: Arc<InForce>,
    transport: Transport,
    /// The right part of Message-IDs.
    host: String,
    stopped: watch::Receiver<bool>,
    /// When the mail server failed last: for [`MIN_DELAY`], mails are only attempted if somebody asks for it.
    paused_at: Option<Timestamp>,
}

impl Delivery {
    /// Sends all mails that are due, and returns when the next one will be.
    async fn send_due(&mut self) -> Result<Option<Timestamp>> {
        loop {
            let now = self.clock.now();
            let ids = outbox::due(&self.db, now, BATCH_SIZE).await?;
            if ids.is_empty() {
                return outbox::next_due(&self.db).await;
            }
            for id in ids {
                if *self.stopped.borrow() {
                    return Ok(None);
                }
                let now = self.clock.now();
                if let Some(paused_at) = self.paused_at {
                    let until = paused_at.saturating_add(MIN_DELAY).unwrap_or(now);
                    if until > now && !outbox::is_asked_for(&self.db, paused_at, now).await? {
                        return Ok(Some(until));
                    }
                    self.paused_at = None;
                }
                if let Some(mail) = outbox::claim(&self.db, id, now, &self.host).await? {
                    self.send(&mail).await?;
                }
            }
        }
    }

    async fn send(&mut self, mail: &ClaimedMail) -> Result<()> {
        // The sender's address may have been changed in the browser since the last mail.
        let settings = self.in_force.get(&self.db).await?;
        let delivered = match compose::compose(mail, &settings) {
            Ok(composed) => self.transport.deliver(mail, &composed).await,
            Err(message) => Err(Failure::permanent(message)),
        };
        match delivered {
            Ok(()) => {
                tracing::info!(mail = mail.id, kind = mail.kind, attempts = mail.attempts, "mail sent");
                if !self.mark_sent(mail).await? {
                    // The row was erased, with everything about the person, while the mail was being sent.
                    self.transport.discard(mail);
                }
                Ok(())
            }
            Err(failure) => self.postpone(mail, &failure).await,
        }
    }

    /// Marks the mail as sent; `false` if its row was deleted meanwhile. Retried while the database is busy, because a
    /// mail that is not marked is sent again.
    async fn mark_sent(&self, mail: &ClaimedMail) -> Result<bool> {
        let mut attempts = 1;
        loop {
            match outbox::mark_sent(&self.db, mail, self.clock.now()).await {
                Err(error) if attempts < MAX_MARK_ATTEMPTS && !*self.stopped.borrow() => {
                    tracing::warn!(mail = mail.id, error = error.for_terminal(), "cannot mark the mail as sent yet");
                    attempts += 1;
                    tokio::time::sleep(RETRY_DELAY).await;
                }
                result => return result,
            }
        }
    }

    async fn postpone(&mut self, mail: &ClaimedMail, failure: &Failure) -> Result<()> {
        let now = self.clock.now();
        let not_before = now.saturating_add(delay(mail.attempts, random())).unwrap_or(now);
        if failure.affects_all {
            // Other mails would only wait for the same server; one mail a minute finds out when it is back.
            self.paused_at = Some(now);
        }
        tracing::warn!(
            mail = mail.id,
            kind = mail.kind,
            attempts = mail.attempts,
            refused = failure.is_permanent,
            reason = text::failure(&failure.message),
            "mail not sent; it will be tried again"
        );
        outbox::mark_failed(&self.db, mail, not_before, &failure.message, failure.is_permanent).await
    }
}
