//! Personal data in submissions: found, erased, and deleted when their retention ends.
//!
//! A submission belongs to its sender; erasing the sender erases the submission. The producer and the director are
//! removed from a film that somebody else sent, and the film stays. A payment that was received is kept for the
//! accounts: reference, amount, date, purpose, and its number if that identifies nobody. So are lines of bank statements,
//! without the bank's words.

use festival_core::Result;
use festival_core::admin::privacy::{DisclosedPerson, Erased, Person, PersonalData, PersonalRecord, RetentionPeriod};
use festival_core::db::{Select, Test, Write, days_ago, update_rows};
use festival_core::editing::datum_to_json;
use festival_core::entity::{Datum, Field, Kind as FieldKind, Subject, table};
use festival_core::site::Site;
use serde_json::{Map, Value, json};
use sqlx::{AnyConnection, AssertSqlSafe};

use crate::description::SENDER;
use crate::findings;
use crate::review::events::{self, Event};
use crate::settings::Retention;
use crate::statements::erasing;
use crate::submissions::{KINDS, Submission, SubmissionKind, SubmissionReader};
use crate::transaction_numbers;

/// Status of a row in which only the payment is kept.
const ERASED: &str = "erased";
/// Lines of bank statements that stay without the words that name a person.
const LINES: &str = "lines of bank statements";
/// Deletes the row of a file. The file in the store is deleted later, by its key.
const DELETE_FILE: &str = "DELETE FROM submission_files WHERE key = $1";

/// The personal data in submissions.
pub(crate) struct SubmittedData {
    pub(crate) retention: Retention,
}

/// Selects the rows of a kind in which the address of `subject` is the person's.
fn select_of_person(kind: &SubmissionKind, subject: &'static Subject, person: &Person) -> Select {
    let column = format!("lower({})", kind.email_of(subject));
    let select = kind.select().filter(&column, Test::Is, Datum::Text(person.email.clone()));
    match &person.before {
        Some(before) => created_before(select, before.clone()),
        None => select,
    }
}

fn created_before(select: Select, time: String) -> Select {
    select.filter("created_at", Test::Before, Datum::Text(time))
}

/// Whether values of this field identify a person.
fn is_identifying(field: &Field) -> bool {
    let is_line = matches!(field.kind, FieldKind::Email | FieldKind::Phone | FieldKind::Text { .. });
    field.subject.is_some() && is_line || field.name == "address"
}

#[rocket::async_trait]
impl PersonalData for SubmittedData {
    async fn addresses(&self, connection: &mut AnyConnection) -> Result<Vec<String>> {
        let mut addresses = Vec::new();
        for kind in &KINDS {
            for subject in kind.people() {
                let sql = format!("SELECT DISTINCT {} FROM {}", kind.email_of(subject), kind.entity.table);
                let query = sqlx::query_scalar::<_, String>(AssertSqlSafe(sql));
                addresses.extend(query.fetch_all(&mut *connection).await?);
            }
        }
        Ok(addresses)
    }

    async fn find(
        &self,
        site: &Site,
        connection: &mut AnyConnection,
        person: &mut Person,
    ) -> Result<Vec<PersonalRecord>> {
        let mut records = Vec::new();
        for kind in &KINDS {
            for subject in kind.people() {
                let select = select_of_person(kind, subject, person);
                let mut reader = SubmissionReader::new(&site.secrets, kind, &select);
                while let Some(submission) = reader.next(connection).await? {
                    // The whole submission is the sender's already.
                    if subject == SENDER || !is_sender(&submission, person) {
                        records.push(record(connection, subject, &submission, person).await?);
                    }
                }
            }
        }
        Ok(records)
    }

    async fn erase(&self, site: &Site, write: &mut Write, person: &Person) -> Result<Erased> {
        let mut erased = Erased::default();
        erased.stay(LINES, erasing::naming(write, person).await?);
        for kind in &KINDS {
            for subject in kind.people() {
                let select = select_of_person(kind, subject, person);
                let mut reader = SubmissionReader::new(&site.secrets, kind, &select);
                while let Some(submission) = reader.next(write).await? {
                    match subject == SENDER {
                        true => erase_submission(write, &submission, &mut erased).await?,
                        false => clear_named_person(write, subject, &submission, &mut erased).await?,
                    }
                }
            }
        }
        Ok(erased)
    }

    fn retention_periods(&self, _: &Site) -> Vec<RetentionPeriod> {
        let retention = &self.retention;
        [
            ("films", retention.film_days),
            ("registrations", retention.delegate_days),
            ("messages", retention.contact_days),
            ("what was not selected, withdrawn or rejected, since its last change", retention.refused_days),
            ("what was kept apart as a machine's", retention.quarantined_days),
            ("payments of people who were erased, and the words of bank statements", retention.payment_days),
        ]
        .map(|(what, days)| RetentionPeriod { what, days })
        .to_vec()
    }

    async fn expire(&self, site: &Site, write: &mut Write) -> Result<Erased> {
        let mut erased = Erased::default();
        let now = site.clock.now();
        let retention = &self.retention;
        for kind in &KINDS {
            let days = match kind.name {
                "film" => retention.film_days,
                "delegate" => retention.delegate_days,
                _ => retention.contact_days,
            };
            let refused = ["not-selected", "withdrawn", "rejected"].map(|state| Datum::Text(state.into()));
            let of_status = |test| kind.select_quarantined(false).filter("status", test, Datum::Text(ERASED.into()));
            for (days, select, since) in [
                (retention.quarantined_days, kind.select_quarantined(true), "created_at"),
                (days, of_status(Test::IsNot), "created_at"),
                (
                    retention.refused_days,
                    kind.select_quarantined(false).among("status", refused.to_vec()),
                    "updated_at",
                ),
                (retention.payment_days, of_status(Test::Is), "created_at"),
            ] {
                let Some(time) = days_ago(now, days) else { continue };
                let select = select.filter(since, Test::Before, Datum::Text(time));
                let mut reader = SubmissionReader::new(&site.secrets, kind, &select);
                while let Some(submission) = reader.next(write).await? {
                    if submission.text("status") == ERASED {
                        table::delete(write, kind.entity, &[submission.id]).await?;
                        erased.count("payments without a person", 1);
                    } else {
                        erase_submission(write, &submission, &mut erased).await?;
                    }
                }
            }
        }
        if let Some(time) = days_ago(now, retention.payment_days) {
            erased.stay(LINES, erasing::imported_before(write, &time).await?);
        }
        erased.count("files", erased.files.len() as u64);
        Ok(erased)
    }

    async fn disclosed(
        &self,
        site: &Site,
        connection: &mut AnyConnection,
        object: &str,
        id: Option<i64>,
        at: &str,
    ) -> Result<Vec<DisclosedPerson>> {
        let mut shown = Vec::new();
        for kind in KINDS.iter().filter(|kind| kind.entity.table == object || object == "quarantine") {
            // "~" sorts after the rest of a timestamp: rows of the same millisecond may have been shown.
            let mut select = created_before(kind.select(), format!("{at}~"));
            if let Some(id) = id {
                select = select.filter("id", Test::Is, Datum::Integer(id));
            } else {
                let is_quarantined = i64::from(object == "quarantine");
                select = select.filter("is_quarantined", Test::Is, Datum::Integer(is_quarantined));
            }
            let mut reader = SubmissionReader::new(&site.secrets, kind, &select);
            while let Some(submission) = reader.next(connection).await? {
                let person = |subject| DisclosedPerson {
                    reference: submission.reference().to_owned(),
                    name: submission.text(kind.name_of(subject)).to_owned(),
                    email: submission.text(kind.email_of(subject)).to_owned(),
                };
                shown.extend(kind.people().into_iter().map(person));
            }
        }
        Ok(shown)
    }
}

fn is_sender(submission: &Submission, person: &Person) -> bool {
    submission.text(submission.kind.email_of(SENDER)).to_lowercase() == person.email
}

/// Returns what a submission holds about a person, all of it for its sender, and adds to `person` what identifies it.
async fn record(
    connection: &mut AnyConnection,
    subject: &'static Subject,
    submission: &Submission,
    person: &mut Person,
) -> Result<PersonalRecord> {
    let (kind, is_whole) = (submission.kind, subject == SENDER);
    let is_about = |name: &str| is_whole || kind.fields_about(subject).any(|field| field.name == name);
    let columns = kind.columns().filter(|column| *column == "reference" || is_about(column));
    let mut values: Map<String, Value> =
        columns.map(|column| (column.to_owned(), datum_to_json(submission.value(column)))).collect();
    let identifying = kind.entity.columns().filter(|field| is_identifying(field) && is_about(field.name));
    identifying.for_each(|field| person.add_trace(submission.text(field.name)));
    if is_whole {
        values.insert("findings".into(), serde_json::from_str(submission.text("findings")).unwrap_or_default());
        let events = events::list(connection, kind, submission.id).await?;
        let decided = |event: &Event| json!({ "what": event.kind, "before": event.before_text, "after": event.after_text, "at": event.at });
        values.insert("decided".into(), events.iter().rev().map(decided).collect());
        submission.findings().into_iter().filter_map(|finding| finding.sent).for_each(|text| person.add_trace(&text));
        person.references.insert(submission.reference().to_owned());
        person.submissions.insert((kind.entity.table, submission.id));
    }
    let files = submission.files().iter().filter(|file| is_about(file.field_name()));
    let files = files.map(|file| (submission.archive_path(file), file.key.clone())).collect();
    let rows = if is_whole { kind.entity.plural } else { subject.rows };
    Ok(PersonalRecord { kind: rows, record: values.into(), files })
}

/// Deletes a submission with everything that belongs to it. Of a payment that was received, the part that the accounts
/// need is kept.
async fn erase_submission(write: &mut Write, submission: &Submission, erased: &mut Erased) -> Result<()> {
    let entity = submission.kind.entity;
    erased.stay(LINES, erasing::of_submission(write, submission.kind, submission.id).await?);
    delete_related(write, submission, erased).await?;
    erased.count(entity.plural, 1);
    if submission.text("payment") == "verified" {
        keep_payment(write, submission).await?;
        erased.stay("payments that were received", 1);
        return Ok(());
    }
    table::delete(write, entity, &[submission.id]).await?;
    Ok(())
}

async fn delete_file(write: &mut Write, key: &str, erased: &mut Erased) -> Result<()> {
    sqlx::query(DELETE_FILE).bind(key.to_owned()).execute(&mut **write).await?;
    erased.files.push(key.to_owned());
    Ok(())
}

/// Deletes the rows of other tables that belong to a submission, and adds its files to `erased`.
async fn delete_related(write: &mut Write, submission: &Submission, erased: &mut Erased) -> Result<()> {
    let kind = submission.kind;
    for file in submission.files() {
        delete_file(write, &file.key, erased).await?;
        let staged = "DELETE FROM staged_files WHERE key = $1";
        sqlx::query(staged).bind(file.key.clone()).execute(&mut **write).await?;
    }
    let query = |statement: &'static str| sqlx::query(statement).bind(kind.entity.table).bind(submission.id);
    let starts = "DELETE FROM submission_starts WHERE key_hash IN \
                  (SELECT key_hash FROM submission_keys WHERE submission_table = $1 AND submission_id = $2)";
    query(starts).execute(&mut **write).await?;
    let receipts = "DELETE FROM submission_keys WHERE submission_table = $1 AND submission_id = $2";
    let receipts = query(receipts).execute(&mut **write).await?;
    let events = format!("DELETE FROM submission_events WHERE {} = $1", kind.owner_column);
    let events = sqlx::query(AssertSqlSafe(events)).bind(submission.id).execute(&mut **write).await?;
    erased.count("receipts for sending again", receipts.rows_affected());
    erased.count("decisions and notes", events.rows_affected());
    Ok(())
}

/// Removes the person from a row and keeps its payment.
async fn keep_payment(write: &mut Write, submission: &Submission) -> Result<()> {
    let kind = submission.kind;
    let record = kind.entity.columns().map(|field| match field.kind {
        FieldKind::Integer { .. } | FieldKind::Year => Datum::Null,
        // The category says what was paid for.
        _ if field.name == "category" => submission.value("category").clone(),
        _ => Datum::Text(String::new()),
    });
    let record = record.collect();
    table::update(write, kind.entity, submission.id, &record, submission.text("updated_at")).await?;
    let number = submission.text("payment_transaction");
    let number = if transaction_numbers::identifies_nobody(number) { number } else { "" };
    let text = |text: &str| Datum::Text(text.to_owned());
    let mut values = vec![
        ("status", text(ERASED)),
        ("payment_transaction", text(number)),
        ("payment_reason", text("")),
        ("fee_code", text("")),
        ("fee_reduction_reason", text("")),
        ("flagged", text("")),
        ("findings", text("[]")),
        ("over_long", text("")),
        ("is_possible_duplicate", Datum::Integer(0)),
        ("is_late", Datum::Integer(0)),
        ("consent_notice", Datum::Null),
        ("consented_at", Datum::Null),
        ("fingerprint", text("")),
        ("subject_hash", text("")),
    ];
    values.extend(kind.stored_search_keys(|_| ""));
    update_rows(write, kind.entity.table, &values, &[submission.id]).await
}

/// Removes a person from a submission of another sender.
async fn clear_named_person(
    write: &mut Write,
    subject: &'static Subject,
    submission: &Submission,
    erased: &mut Erased,
) -> Result<()> {
    let kind = submission.kind;
    let is_about = |name: &str| kind.fields_about(subject).any(|field| field.name == name);
    let mut findings = submission.findings();
    findings.retain(|finding| !is_about(&finding.field));
    let texts = kind.fields_about(subject).filter(|field| field.has_column());
    let mut values: Vec<_> = texts.map(|field| (field.name, Datum::Text(String::new()))).collect();
    values.push(("findings", Datum::Text(findings::to_json(&findings))));
    values.push(("fingerprint", Datum::Text(String::new())));
    values.extend(kind.stored_search_keys(|name| if is_about(name) { "" } else { submission.text(name) }));
    update_rows(write, kind.entity.table, &values, &[submission.id]).await?;
    for file in submission.files().iter().filter(|file| is_about(file.field_name())) {
        delete_file(write, &file.key, erased).await?;
    }
    erased.count(subject.rows, 1);
    Ok(())
}
