//! `festival selection demonstrate`: invented entries, rounds and reviewers for the demonstration.

use std::sync::Arc;

use clap::ArgMatches;
use festival_core::command::{Command, Outcome, refused};
use festival_core::db::{Write, timestamp_text};
use festival_core::settings::SEEDED;
use festival_core::{App, Result, edition, println};
use jiff::{SignedDuration, Timestamp};

use crate::assigning::assign;
use crate::outline::SCREENER_PASSWORDS;
use crate::round::{Round, compute_results};

/// Fills in what `demonstration.sql` describes, assigns the entries, and adds some reviews.
pub(crate) struct Demonstrate;

#[rocket::async_trait]
impl Command for Demonstrate {
    fn clap(&self) -> clap::Command {
        clap::Command::new("demonstrate")
            .about("Add invented entries with reviews to the demonstration; does nothing if there are rounds already")
            .after_help("Example: festival selection demonstrate")
    }

    async fn run(&self, app: Arc<App>, _: &ArgMatches) -> Result<Outcome> {
        if !app.settings.data_dir.join(SEEDED).exists() {
            return Ok(refused("this site is not the demonstration: nothing was added"));
        }
        let now = app.clock.now();
        let mut write = app.db.write_private().await?;
        let edition = edition::current(&mut write).await?.id;
        if !Round::all(&mut write, edition).await?.is_empty() {
            eprintln!("There are rounds of review already. Nothing was added.");
            return Ok(Outcome::Done);
        }
        sqlx::raw_sql(include_str!("../demonstration.sql")).execute(&mut *write).await?;
        encrypt_passwords(&app, &mut write).await?;
        let day = |days: i64| timestamp_text(now.saturating_add(SignedDuration::from_hours(24 * days)).unwrap_or(now));
        // The first round is under way, the final one has not begun.
        for (name, starts_at, ends_at) in [("First round", day(-10), day(12)), ("Final round", day(14), day(24))] {
            let update = sqlx::query(
                "UPDATE selection_rounds SET starts_at = $1, ends_at = $2 WHERE name = $3 AND edition_id = $4",
            );
            update.bind(starts_at).bind(ends_at).bind(name).bind(edition).execute(&mut *write).await?;
        }
        let assigned = fill(&mut write, edition, now).await?;
        write.commit().await?;
        println!("Selection: 40 entries in 2 rounds, {assigned} assignments.");
        Ok(Outcome::Done)
    }
}

/// Assigns the entries of the round that has begun, and adds reviews; returns the number of assignments.
async fn fill(write: &mut Write, edition: i64, now: Timestamp) -> Result<usize> {
    let rounds = Round::all(write, edition).await?;
    let Some(first) = Round::present(&rounds, now) else { return Ok(0) };
    let plan = assign(write, edition, first, now).await?;
    sqlx::raw_sql(include_str!("../demonstration-reviews.sql")).execute(&mut **write).await?;
    compute_results(write, first.id, 0).await?;
    Ok(plan.added.len())
}

/// Encrypts the passwords of the invented screeners, as those of real ones are.
async fn encrypt_passwords(app: &App, write: &mut Write) -> Result<()> {
    let plain = "SELECT reference, screener_link_password FROM film_submissions WHERE reference LIKE 'DEMO-%'";
    let plain: Vec<(String, String)> = sqlx::query_as(plain).fetch_all(&mut **write).await?;
    for (reference, password) in plain {
        let stored = app.secrets.encrypt(&SCREENER_PASSWORDS, &reference, &password)?;
        let update = sqlx::query("UPDATE film_submissions SET screener_link_password = $1 WHERE reference = $2");
        update.bind(stored).bind(reference).execute(&mut **write).await?;
    }
    Ok(())
}
