//! Reminders: who was selected and has not answered is asked once more, a few days before the last day.

use festival_core::db::timestamp_text;
use festival_core::submissions::Changed;
use festival_core::{App, Result, edition, mail};
use jiff::{SignedDuration, ToSpan as _};

use crate::letters::{Letters, decided};
use crate::status::{FILMS, create_public};

/// Days before the last day to confirm.
const DAYS: i64 = 3;
/// Shortest time between a release and a reminder.
const PATIENCE: SignedDuration = SignedDuration::from_hours(24);

/// Puts the reminders that are due into the outbox, each with an entry in the history of its submission, and returns how
/// many. None is due while the letter waits, or may be held back.
///
/// # Errors
/// If the database cannot be read or written.
pub async fn send_reminders(app: &App) -> Result<usize> {
    let (site, now) = (&app.site, app.clock.now());
    let today = now.to_zoned(site.time_zone.clone()).date();
    let settings = site.in_force().await?;
    let mut connection = site.db.read().await?;
    let due = sqlx::query_as(
        "SELECT d.edition_id, d.film_submission_id, d.confirm_by FROM selection_decisions d \
         JOIN film_submissions f ON f.id = d.film_submission_id LEFT JOIN outbox o ON o.id = d.letter_id \
         WHERE d.outcome = 'selected' AND d.answer = '' AND d.reminded_at IS NULL AND d.released_at <= $1 \
         AND d.confirm_by >= $2 AND d.confirm_by <= $3 AND f.status = 'selected' AND f.correspondence_email <> '' \
         AND (o.id IS NULL OR o.sent_at IS NOT NULL) ORDER BY d.id",
    );
    let due = due.bind(timestamp_text(now - PATIENCE)).bind(today.to_string());
    let due: Vec<(i64, i64, String)> =
        due.bind(today.saturating_add(DAYS.days()).to_string()).fetch_all(&mut *connection).await?;
    let editions = edition::all(&mut connection).await?;
    drop(connection);
    let mut count = 0;
    for (edition, film, day) in due {
        let Some(edition) = editions.iter().find(|known| known.id == edition) else { continue };
        let mut write = site.db.write_private().await?;
        // Only the server that stores the time sends the mail, so two servers do not both do it.
        let stored = sqlx::query(
            "UPDATE selection_decisions SET reminded_at = $1 \
             WHERE film_submission_id = $2 AND reminded_at IS NULL AND answer = ''",
        );
        let stored = stored.bind(timestamp_text(now)).bind(film).execute(&mut *write).await?.rows_affected();
        let about = decided(&mut write, edition.id, film).await?.pop().filter(|_| stored > 0);
        let Some(about) = about else { continue };
        let link = create_public(&mut write, site, FILMS, film).await?;
        let letters = Letters { site, settings: &settings, edition };
        mail::enqueue(&mut write, &letters.reminder(&about, link)?).await?;
        let text = format!("Reminded by mail to confirm by {}", edition::day_text(&day));
        FILMS.submissions(site)?.change(site, &mut write, film, Changed::Mail(&text), "the program").await?;
        write.commit().await?;
        count += 1;
    }
    if count > 0 {
        tracing::info!(count, "reminded senders of selected films to confirm");
    }
    Ok(count)
}
