//! Personal data: what reviewers and the chair wrote about an entry is erased with it. Of an entry that is deleted the
//! database deletes it; of one whose payment is kept for the accounts it is deleted here.

use festival_core::Result;
use festival_core::admin::privacy::{Erased, Person, PersonalData};
use festival_core::db::Write;
use festival_core::site::Site;

/// Reviews, assignments, conflicts and decisions about entries.
pub(crate) struct TextsAboutEntries;

#[rocket::async_trait]
impl PersonalData for TextsAboutEntries {
    async fn erase(&self, _: &Site, write: &mut Write, _: &Person) -> Result<Erased> {
        erase(write).await
    }

    async fn expire(&self, _: &Site, write: &mut Write) -> Result<Erased> {
        erase(write).await
    }
}

/// Deletes what is stored about entries of which only the payment is kept.
async fn erase(write: &mut Write) -> Result<Erased> {
    const STATEMENTS: [&str; 5] = [
        "DELETE FROM selection_reviews WHERE film_submission_id IN (SELECT id FROM film_submissions WHERE status = 'erased')",
        "DELETE FROM selection_results WHERE film_submission_id IN (SELECT id FROM film_submissions WHERE status = 'erased')",
        "DELETE FROM selection_assignments WHERE film_submission_id IN \
         (SELECT id FROM film_submissions WHERE status = 'erased')",
        "DELETE FROM selection_conflicts WHERE film_submission_id IN (SELECT id FROM film_submissions WHERE status = 'erased')",
        "DELETE FROM selection_decisions WHERE film_submission_id IN (SELECT id FROM film_submissions WHERE status = 'erased')",
    ];
    let mut erased = Erased::default();
    for statement in STATEMENTS {
        let deleted = sqlx::query(statement).execute(&mut **write).await?.rows_affected();
        erased.count("reviews and decisions", deleted);
    }
    Ok(erased)
}
