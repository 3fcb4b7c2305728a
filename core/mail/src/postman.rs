//! The postman: a task beside the server that carries due mails to the mail server, one after the other.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt as _;
use jiff::Timestamp;
use tokio::sync::{Mutex, watch};
use tokio::task::JoinHandle;

use super::carrier::{Carrier, Failure};
use super::outbox::{self, Letter};
use super::pause::{SHORTEST, chance, pause};
use super::{compose, text};
use festival_base::clock::Clock;
use festival_base::db::Db;
use festival_base::error::Result;
use festival_base::settings::{InForce, Settings};

/// How often the postman looks up. Without a change of the data and with nothing due that costs nothing.
const EVERY: Duration = Duration::from_millis(500);
/// How long to wait after the database failed.
const RETRY: Duration = Duration::from_secs(5);
/// How long a server that is stopped waits for the mail under way.
const FAREWELL: Duration = Duration::from_secs(10);
/// How many mails are looked up at a time.
const BATCH: i64 = 50;
/// How often it is tried to mark a mail as sent, every [`RETRY`]: for most of the lease.
const MARKING: u32 = 100;

/// The task at work.
pub struct Postman {
    stop: watch::Sender<bool>,
    task: Mutex<Option<JoinHandle<()>>>,
}

impl Postman {
    /// Starts the task: it carries what the outbox of `db` holds to the mail server that `settings` name, from whom
    /// the settings `in_force` say.
    pub fn start(db: Db, clock: Clock, settings: &Settings, in_force: Arc<InForce>) -> Self {
        let (stop, stopped) = watch::channel(false);
        let round = Round {
            carrier: Carrier::new(settings),
            host: compose::host(settings),
            db,
            clock,
            in_force,
            stopped: stopped.clone(),
            all_wait_until: Timestamp::MIN,
        };
        let task = tokio::spawn(work(round, stopped));
        Self { stop, task: Mutex::new(Some(task)) }
    }

    /// Stops the task after the mail that is under way, so that it is marked as sent and not sent again.
    pub async fn stop(&self) {
        self.stop.send_replace(true);
        if let Some(mut task) = self.task.lock().await.take()
            && tokio::time::timeout(FAREWELL, &mut task).await.is_err()
        {
            task.abort();
        }
    }
}

async fn work(mut round: Round, mut stopped: watch::Receiver<bool>) {
    let mut seen = None;
    let mut next = None;
    while !*stopped.borrow() {
        // Whoever writes anything, in this process or another, is counted.
        let changes = round.db.changes();
        let mut wait = EVERY;
        if seen != Some(changes) || next.is_some_and(|next| next <= round.clock.now()) {
            // A mail that makes us panic has had its attempt counted and waits like others that failed.
            match AssertUnwindSafe(round.go()).catch_unwind().await {
                Ok(Ok(moment)) => (seen, next) = (Some(changes), moment),
                Ok(Err(error)) => {
                    tracing::warn!(error = error.for_terminal(), "cannot read the outbox; trying again");
                    wait = RETRY;
                }
                Err(_) => wait = RETRY,
            }
            round.carrier.rest().await;
        }
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            changed = stopped.changed() => if changed.is_err() { return },
        }
    }
}

struct Round {
    db: Db,
    clock: Clock,
    in_force: Arc<InForce>,
    carrier: Carrier,
    /// The right part of Message-IDs.
    host: String,
    stopped: watch::Receiver<bool>,
    /// The mail server itself did not answer: no mail is tried before.
    all_wait_until: Timestamp,
}

impl Round {
    /// Sends everything that is due, and answers when there is more to do.
    async fn go(&mut self) -> Result<Option<Timestamp>> {
        loop {
            let now = self.clock.now();
            let ids = outbox::due(&self.db, now, BATCH).await?;
            if ids.is_empty() {
                return outbox::next_due(&self.db).await;
            }
            for id in ids {
                if *self.stopped.borrow() {
                    return Ok(None);
                }
                let now = self.clock.now();
                if self.all_wait_until > now {
                    return Ok(Some(self.all_wait_until));
                }
                if let Some(letter) = outbox::claim(&self.db, id, now, &self.host).await? {
                    self.carry(&letter).await?;
                }
            }
        }
    }

    async fn carry(&mut self, letter: &Letter) -> Result<()> {
        // Whom mails come from may have been changed a moment ago.
        let settings = self.in_force.get(&self.db).await?;
        let taken = match compose::compose(letter, &settings) {
            Ok(mail) => self.carrier.take(letter, &mail).await,
            Err(words) => Err(Failure::refused(words)),
        };
        match taken {
            Ok(()) => {
                tracing::info!(mail = letter.id, kind = letter.kind, attempts = letter.attempts, "mail sent");
                if !self.mark_sent(letter).await? {
                    // Somebody erased the person while the mail was on its way.
                    self.carrier.take_back(letter);
                }
                Ok(())
            }
            Err(failure) => self.put_off(letter, &failure).await,
        }
    }

    /// The mail is gone: not to write that down would send it twice, so a database that is busy is asked again. `false` if
    /// its row is gone too.
    async fn mark_sent(&self, letter: &Letter) -> Result<bool> {
        let mut tries = 1;
        loop {
            match outbox::sent(&self.db, letter, self.clock.now()).await {
                Err(error) if tries < MARKING && !*self.stopped.borrow() => {
                    tracing::warn!(mail = letter.id, error = error.for_terminal(), "cannot mark the mail as sent yet");
                    tries += 1;
                    tokio::time::sleep(RETRY).await;
                }
                other => return other,
            }
        }
    }

    async fn put_off(&mut self, letter: &Letter, failure: &Failure) -> Result<()> {
        let now = self.clock.now();
        let not_before = now.saturating_add(pause(letter.attempts, chance())).unwrap_or(now);
        if failure.is_general {
            // The others would only wait for the same dead server; one mail a minute finds out when it is back.
            self.all_wait_until = now.saturating_add(SHORTEST).unwrap_or(now);
        }
        tracing::warn!(
            mail = letter.id,
            kind = letter.kind,
            attempts = letter.attempts,
            refused = failure.is_refused,
            reason = text::complaint(&failure.words),
            "mail not sent; it will be tried again"
        );
        outbox::failed(&self.db, letter, not_before, &failure.words, failure.is_refused).await
    }
}
