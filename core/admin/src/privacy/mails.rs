//! Personal data in the outbox.

use serde_json::json;
use sqlx::AnyConnection;

use super::{DisclosedPerson, Erased, Person, PersonalData, PersonalRecord, RetentionPeriod};
use festival_base::db::Write;
use festival_base::error::Result;
use festival_mail::{StoredMail, personal};
use festival_web::site::Site;

/// The outbox.
pub(super) struct Mails;

/// Whether a mail was sent to or by the person, or mentions the person or one of their submissions.
fn is_about(mail: &StoredMail, person: &Person) -> bool {
    let texts = [mail.subject.as_str(), mail.body_text.as_str()];
    let mentions =
        |text: &&str| person.is_named_in(text) || person.references.iter().any(|reference| text.contains(reference));
    person.counts(&mail.created_at) && (mail.involves(&person.email) || texts.iter().any(mentions))
}

#[rocket::async_trait]
impl PersonalData for Mails {
    async fn addresses(&self, connection: &mut AnyConnection) -> Result<Vec<String>> {
        Ok(sqlx::query_scalar(
            "SELECT to_address FROM outbox UNION SELECT reply_to_address FROM outbox WHERE reply_to_address IS NOT NULL",
        )
        .fetch_all(connection)
        .await?)
    }

    async fn find(&self, _: &Site, connection: &mut AnyConnection, person: &mut Person) -> Result<Vec<PersonalRecord>> {
        let mails = personal::matching(connection, |mail| mail.involves(&person.email)).await?;
        let records = mails.into_iter().map(|mail| PersonalRecord {
            kind: "mails",
            record: json!({
                "written_at": mail.created_at, "to": mail.to_address, "subject": mail.subject, "text": mail.body_text,
            }),
            files: Vec::new(),
        });
        Ok(records.collect())
    }

    fn retention_periods(&self, site: &Site) -> Vec<RetentionPeriod> {
        vec![RetentionPeriod { what: "sent mails", days: site.settings.mail.keep_sent_days }]
    }

    async fn erase(&self, site: &Site, write: &mut Write, person: &Person) -> Result<Erased> {
        let mails = personal::matching(write, |mail| is_about(mail, person)).await?;
        let ids: Vec<i64> = mails.iter().map(|mail| mail.id).collect();
        personal::delete(write, &ids).await?;
        let mut erased = Erased::default();
        erased.count("mails", ids.len() as u64);
        if person.before.is_none() {
            erased.paths = personal::files(&site.data_dir("mails"), &ids, &person.email)?;
            erased.count("mails written to files", erased.paths.len() as u64);
        }
        Ok(erased)
    }

    async fn disclosed(
        &self,
        _: &Site,
        connection: &mut AnyConnection,
        object: &str,
        id: Option<i64>,
        at: &str,
    ) -> Result<Vec<DisclosedPerson>> {
        if object != "outbox" {
            return Ok(Vec::new());
        }
        let rows = sqlx::query_as(
            "SELECT id, to_name, to_address FROM outbox WHERE ($1 = 0 OR id = $1) AND created_at <= $2 ORDER BY id",
        )
        .bind(id.unwrap_or_default())
        .bind(at.to_owned())
        .fetch_all(connection)
        .await?;
        let shown = |(id, name, email): (i64, _, _)| DisclosedPerson { reference: format!("mail {id}"), name, email };
        Ok(rows.into_iter().map(shown).collect())
    }
}
