//! Personal data in submissions: found, erased, and deleted when their retention ends.
//!
//! A submission belongs to its sender; erasing the sender erases the submission. The producer and the director are
//! removed from a film that somebody else sent, and the film stays. A payment that was received is kept for the
//! accounts: reference, amount, date, purpose, and its number if that identifies nobody.

use festival_core::Result;
use festival_core::admin::privacy::{
    DisclosedPerson, Erased, FoundData, Person, PersonalData, PersonalRecord, RetentionPeriod, days_ago,
};
use festival_core::db::{Select, Test, Write, update_rows};
use festival_core::entity::{Datum, Field, Kind as FieldKind, Subject, table};
use festival_core::site::Site;
use serde_json::{Map, Value, json};
use sqlx::{AnyConnection, AssertSqlSafe};

use crate::description::SENDER;
use crate::findings;
use crate::review::events::{self, Event};
use crate::settings::Retention;
use crate::submissions::{KINDS, Submission, SubmissionKind, SubmissionReader};

/// Status of a row in which only the payment is kept.
const ERASED: &str = "erased";
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

fn datum_to_json(datum: &Datum) -> Value {
    match datum {
        Datum::Null => Value::Null,
        Datum::Text(text) | Datum::Reference(text) => text.as_str().into(),
        Datum::Integer(number) => (*number).into(),
    }
}

#[rocket::async_trait]
impl PersonalData for SubmittedData {
    async fn addresses(&self, connection: &mut AnyConnection) -> Result<Vec<String>> {
        let mut addresses = Vec::new();
        for kind in &KINDS {
            for subject in [SENDER].into_iter().chain(kind.named_people()) {
                let sql = format!("SELECT DISTINCT {} FROM {}", kind.email_of(subject), kind.entity.table);
                let query = sqlx::query_scalar::<_, String>(AssertSqlSafe(sql));
                addresses.extend(query.fetch_all(&mut *connection).await?);
            }
        }
        Ok(addresses)
    }

    async fn find(&self, site: &Site, connection: &mut AnyConnection, person: &Person) -> Result<FoundData> {
        let mut found = FoundData::default();
        for kind in &KINDS {
            let select = select_of_person(kind, SENDER, person);
            let mut reader = SubmissionReader::new(&site.secrets, kind, &select);
            while let Some(submissions) = reader.next(connection).await? {
                for submission in &submissions {
                    add_submission(connection, submission, &mut found).await?;
                }
            }
        }
        for (kind, subject) in named_people() {
            let select = select_of_person(kind, subject, person);
            let mut reader = SubmissionReader::new(&site.secrets, kind, &select);
            while let Some(submissions) = reader.next(connection).await? {
                for submission in submissions.iter().filter(|submission| !is_sender(submission, person)) {
                    add_named_person(subject, submission, &mut found);
                }
            }
        }
        Ok(found)
    }

    async fn erase(&self, site: &Site, write: &mut Write, person: &Person) -> Result<Erased> {
        let mut erased = Erased::default();
        for kind in &KINDS {
            let select = select_of_person(kind, SENDER, person);
            erase_submissions(site, write, kind, &select, &mut erased).await?;
        }
        for (kind, subject) in named_people() {
            let select = select_of_person(kind, subject, person);
            let mut reader = SubmissionReader::new(&site.secrets, kind, &select);
            while let Some(submissions) = reader.next(write).await? {
                for submission in &submissions {
                    clear_named_person(write, subject, submission, &mut erased).await?;
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
            ("payments of people who were erased", retention.payment_days),
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
            let mut expired = Vec::new();
            if let Some(time) = days_ago(now, retention.quarantined_days) {
                expired.push(created_before(kind.select_quarantined(true), time));
            }
            if let Some(time) = days_ago(now, days) {
                let select = kind.select_quarantined(false).filter("status", Test::IsNot, Datum::Text(ERASED.into()));
                expired.push(created_before(select, time));
            }
            if let Some(time) = days_ago(now, retention.refused_days) {
                let refused = ["not-selected", "withdrawn", "rejected"].map(|state| Datum::Text(state.into()));
                let select = kind.select_quarantined(false).among("status", refused.to_vec());
                expired.push(select.filter("updated_at", Test::Before, Datum::Text(time)));
            }
            for select in &expired {
                erase_submissions(site, write, kind, select, &mut erased).await?;
            }
            if let Some(time) = days_ago(now, retention.payment_days) {
                let select = kind.select_quarantined(false).filter("status", Test::Is, Datum::Text(ERASED.into()));
                delete_payments(site, write, kind, &created_before(select, time), &mut erased).await?;
            }
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
            while let Some(submissions) = reader.next(connection).await? {
                shown.extend(submissions.iter().flat_map(people));
            }
        }
        Ok(shown)
    }
}

/// The people whom submissions of each kind name in addition to their sender.
fn named_people() -> impl Iterator<Item = (&'static SubmissionKind, &'static Subject)> {
    KINDS.iter().flat_map(|kind| kind.named_people().into_iter().map(move |subject| (kind, subject)))
}

/// Returns everybody whom a submission names with an e-mail address.
fn people(submission: &Submission) -> Vec<DisclosedPerson> {
    let kind = submission.kind;
    let person = |subject| DisclosedPerson {
        reference: submission.reference().to_owned(),
        name: submission.text(kind.name_of(subject)).to_owned(),
        email: submission.text(kind.email_of(subject)).to_owned(),
    };
    [SENDER].into_iter().chain(kind.named_people()).map(person).collect()
}

fn is_sender(submission: &Submission, person: &Person) -> bool {
    submission.text(submission.kind.email_of(SENDER)).to_lowercase() == person.email
}

/// Adds a submission of the person to `found`.
async fn add_submission(connection: &mut AnyConnection, submission: &Submission, found: &mut FoundData) -> Result<()> {
    let kind = submission.kind;
    let mut record: Map<String, Value> =
        kind.columns().map(|column| (column.to_owned(), datum_to_json(submission.value(column)))).collect();
    record.insert("findings".into(), serde_json::from_str(submission.text("findings")).unwrap_or_default());
    let events = events::list(connection, kind, submission.id).await?;
    let decided = |event: &Event| json!({ "what": event.kind, "before": event.before_text, "after": event.after_text, "at": event.at });
    record.insert("decided".into(), events.iter().rev().map(decided).collect());
    let files = submission.files().iter().map(|file| (file.archive_path.clone(), file.key.clone())).collect();
    found.records.push(PersonalRecord { kind: kind.entity.plural, record: record.into(), files });
    let identifying = kind.entity.columns().filter(|field| is_identifying(field));
    found.traces.extend(identifying.map(|field| submission.text(field.name).to_owned()));
    found.traces.extend(submission.findings().into_iter().filter_map(|finding| finding.sent));
    found.references.push(submission.reference().to_owned());
    found.submissions.push((kind.entity.table, submission.id));
    Ok(())
}

/// Adds the data about the person in a submission of another sender to `found`.
fn add_named_person(subject: &'static Subject, submission: &Submission, found: &mut FoundData) {
    let fields: Vec<&Field> = submission.kind.fields_about(subject).collect();
    let texts = fields.iter().filter(|field| field.has_column());
    let mut record: Map<String, Value> =
        texts.map(|field| (field.name.to_owned(), datum_to_json(submission.value(field.name)))).collect();
    record.insert("reference".into(), submission.reference().into());
    let files = fields.iter().filter_map(|field| submission.file(field));
    let files = files.map(|file| (file.archive_path.clone(), file.key.clone())).collect();
    found.records.push(PersonalRecord { kind: subject.rows, record: record.into(), files });
    let identifying = fields.iter().filter(|field| is_identifying(field));
    found.traces.extend(identifying.map(|field| submission.text(field.name).to_owned()));
}

/// Deletes the rows of `select` with everything that belongs to them. Of a payment that was received, the part that the
/// accounts need is kept.
async fn erase_submissions(
    site: &Site,
    write: &mut Write,
    kind: &'static SubmissionKind,
    select: &Select,
    erased: &mut Erased,
) -> Result<()> {
    let mut reader = SubmissionReader::new(&site.secrets, kind, select);
    while let Some(submissions) = reader.next(write).await? {
        for submission in &submissions {
            delete_related(write, submission, erased).await?;
            erased.count(kind.entity.plural, 1);
            if submission.text("payment") == "verified" {
                keep_payment(write, submission).await?;
                erased.stay("payments that were received", 1);
            } else {
                table::delete(write, kind.entity, &[submission.id]).await?;
            }
        }
    }
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
    let number = if is_transaction_number(number) { number } else { "" };
    let text = |text: &str| Datum::Text(text.to_owned());
    let mut values = vec![
        ("status", text(ERASED)),
        ("payment_transaction", text(number)),
        ("payment_reason", text("")),
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

/// Whether a text is a bank's number and identifies nobody: no address, no words, no telephone number.
fn is_transaction_number(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let letters = text.bytes().filter(u8::is_ascii_alphabetic).count();
    let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'-' | b'/'));
    // Telephone numbers have ten digits, or twelve with India's calling code; numbers of banks have twelve as well.
    let is_phone = letters == 0 && (digits < 12 || digits == 12 && text.starts_with("91"));
    is_plain && digits >= 6 && letters <= 6 && !is_phone
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
    for file in submission.files().iter().filter(|file| is_about(&file.field)) {
        delete_file(write, &file.key, erased).await?;
    }
    erased.count(subject.rows, 1);
    Ok(())
}

/// Deletes rows in which only the payment was kept.
async fn delete_payments(
    site: &Site,
    write: &mut Write,
    kind: &'static SubmissionKind,
    select: &Select,
    erased: &mut Erased,
) -> Result<()> {
    let mut reader = SubmissionReader::new(&site.secrets, kind, select);
    while let Some(submissions) = reader.next(write).await? {
        for submission in &submissions {
            table::delete(write, kind.entity, &[submission.id]).await?;
            erased.count("payments without a person", 1);
        }
    }
    Ok(())
}
