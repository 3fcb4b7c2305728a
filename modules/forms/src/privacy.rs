//! Personal data in submissions: found, erased, and deleted when their retention ends.
//!
//! A submission belongs to its sender; erasing the sender erases the submission. The producer and the director are
//! removed from a film that somebody else sent, and the film stays. A payment that was received is kept for the
//! accounts: reference, amount, date, purpose, and its number if that identifies nobody.

use festival_core::Result;
use festival_core::admin::privacy::{
    DisclosedPerson, Erased, FoundData, Person, PersonalData, PersonalRecord, RetentionPeriod, days_ago,
};
use festival_core::db::{Select, Test, Write};
use festival_core::entity::{Datum, Field, Kind as FieldKind, table};
use festival_core::search_key;
use festival_core::site::Site;
use serde_json::{Map, Value, json};
use sqlx::{AnyConnection, Row as _};

use crate::findings;
use crate::settings::Retention;
use crate::submissions::{KINDS, Submission, SubmissionKind, SubmissionReader, film};

/// Status of a row in which only the payment is kept.
const ERASED: &str = "erased";
/// Deletes the row of a file. The file in the store is deleted later, by its key.
const DELETE_FILE: &str = "DELETE FROM submission_files WHERE key = $1";

/// The personal data in submissions.
pub(crate) struct SubmittedData {
    pub(crate) retention: Retention,
}

/// A person whom a film names in addition to its sender: producer or director.
struct NamedPerson {
    /// The label of the person's films in the export of personal data and in counts.
    label: &'static str,
    /// SQL expression: the e-mail address in lower case.
    email_lowercase: &'static str,
    text_fields: &'static [&'static str],
    file_fields: &'static [&'static str],
    /// SQL: lists the e-mail addresses.
    list_addresses: &'static str,
    /// SQL: clears the person's fields: findings, id, keys for searches.
    clear: &'static str,
}

static NAMED_PEOPLE: [NamedPerson; 2] = [
    NamedPerson {
        label: "films as their producer",
        email_lowercase: "lower(producer_email)",
        text_fields: &["producer_name", "producer_email", "producer_mobile"],
        file_fields: &["producer_consent"],
        list_addresses: "SELECT DISTINCT producer_email FROM film_submissions",
        clear: "UPDATE film_submissions SET producer_name = '', producer_email = '', producer_mobile = '', findings = $1, \
                fingerprint = '', search_keys = $3 WHERE id = $2",
    },
    NamedPerson {
        label: "films as their director",
        email_lowercase: "lower(director_email)",
        text_fields: &["director_name", "director_email", "director_mobile", "biography"],
        file_fields: &["director_photo"],
        list_addresses: "SELECT DISTINCT director_email FROM film_submissions",
        clear: "UPDATE film_submissions SET director_name = '', director_email = '', director_mobile = '', biography = '', \
                findings = $1, fingerprint = '', search_keys = $3 WHERE id = $2",
    },
];

/// Selects the rows of a kind in which `email_column`, in lower case, is the person's address.
fn select_of_person(kind: &SubmissionKind, email_column: &'static str, person: &Person) -> Select {
    let select = kind.select().filter(email_column, Test::Is, Datum::Text(person.email.clone()));
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
    matches!(field.kind, FieldKind::Email | FieldKind::Phone)
        || matches!(field.name, "name" | "address" | "name_of_submitter" | "producer_name" | "director_name")
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
        let senders = KINDS.iter().map(|kind| kind.statements.list_senders);
        let mut addresses = Vec::new();
        for statement in senders.chain(NAMED_PEOPLE.iter().map(|named| named.list_addresses)) {
            addresses.extend(sqlx::query_scalar::<_, String>(statement).fetch_all(&mut *connection).await?);
        }
        Ok(addresses)
    }

    async fn find(&self, site: &Site, connection: &mut AnyConnection, person: &Person) -> Result<FoundData> {
        let mut found = FoundData::default();
        for kind in &KINDS {
            let select = select_of_person(kind, kind.sender_email_lowercase, person);
            let mut reader = SubmissionReader::new(&site.secrets, kind, &select);
            while let Some(submissions) = reader.next(connection).await? {
                for submission in &submissions {
                    add_submission(connection, submission, &mut found).await?;
                }
            }
        }
        for named in &NAMED_PEOPLE {
            let select = select_of_person(film(), named.email_lowercase, person);
            let mut reader = SubmissionReader::new(&site.secrets, film(), &select);
            while let Some(films) = reader.next(connection).await? {
                for film in films.iter().filter(|film| !is_sender(film, person)) {
                    add_named_person(named, film, &mut found);
                }
            }
        }
        Ok(found)
    }

    async fn erase(&self, site: &Site, write: &mut Write, person: &Person) -> Result<Erased> {
        let mut erased = Erased::default();
        for kind in &KINDS {
            let select = select_of_person(kind, kind.sender_email_lowercase, person);
            erase_submissions(site, write, kind, &select, &mut erased).await?;
        }
        for named in &NAMED_PEOPLE {
            let select = select_of_person(film(), named.email_lowercase, person);
            let mut reader = SubmissionReader::new(&site.secrets, film(), &select);
            while let Some(films) = reader.next(write).await? {
                for film in &films {
                    clear_named_person(write, named, film, &mut erased).await?;
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

/// Returns everybody whom a submission names with an e-mail address.
fn people(submission: &Submission) -> Vec<DisclosedPerson> {
    let fields: &[(&str, &str)] = if submission.kind.has_award() {
        &[
            ("name_of_submitter", "correspondence_email"),
            ("producer_name", "producer_email"),
            ("director_name", "director_email"),
        ]
    } else {
        &[("name", "email")]
    };
    let shown = fields.iter().map(|(name, email)| DisclosedPerson {
        reference: submission.reference().to_owned(),
        name: submission.text(name).to_owned(),
        email: submission.text(email).to_owned(),
    });
    shown.collect()
}

fn is_sender(submission: &Submission, person: &Person) -> bool {
    submission.text(submission.kind.sender_email).to_lowercase() == person.email
}

/// Adds a submission of the person to `found`.
async fn add_submission(connection: &mut AnyConnection, submission: &Submission, found: &mut FoundData) -> Result<()> {
    let kind = submission.kind;
    let mut record: Map<String, Value> =
        kind.columns().map(|column| (column.to_owned(), datum_to_json(submission.value(column)))).collect();
    record.insert("findings".into(), serde_json::from_str(submission.text("findings")).unwrap_or_default());
    let events = sqlx::query(kind.statements.list_events).bind(submission.id).fetch_all(connection).await?;
    let mut decisions = Vec::new();
    for row in events.iter().rev() {
        let [what, before, after, at] =
            [row.try_get::<String, _>(1)?, row.try_get(2)?, row.try_get(3)?, row.try_get(5)?];
        decisions.push(json!({ "what": what, "before": before, "after": after, "at": at }));
    }
    record.insert("decided".into(), decisions.into());
    let files = submission.files().iter().map(|file| (file.archive_path.clone(), file.key.clone())).collect();
    found.records.push(PersonalRecord { kind: kind.entity.plural, record: record.into(), files });
    let identifying = kind.entity.columns().filter(|field| is_identifying(field));
    found.traces.extend(identifying.map(|field| submission.text(field.name).to_owned()));
    found.traces.extend(submission.findings().into_iter().filter_map(|finding| finding.sent));
    found.references.push(submission.reference().to_owned());
    found.submissions.push((kind.entity.table, submission.id));
    Ok(())
}

/// Adds the data about the person in a film of another sender to `found`.
fn add_named_person(named: &NamedPerson, film: &Submission, found: &mut FoundData) {
    let texts = named.text_fields.iter().map(|name| ((*name).to_owned(), datum_to_json(film.value(name))));
    let mut record: Map<String, Value> = texts.collect();
    record.insert("reference".into(), film.reference().into());
    let files = film.files().iter().filter(|file| named.file_fields.contains(&file.field.as_str()));
    let files = files.map(|file| (file.archive_path.clone(), file.key.clone())).collect();
    found.records.push(PersonalRecord { kind: named.label, record: record.into(), files });
    let identifying = named.text_fields.iter().filter(|name| **name != "biography");
    found.traces.extend(identifying.map(|name| film.text(name).to_owned()));
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
                sqlx::query(kind.statements.delete).bind(submission.id).execute(&mut **write).await?;
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
    let events = sqlx::query(kind.statements.delete_events).bind(submission.id).execute(&mut **write).await?;
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
    sqlx::query(kind.statements.keep_payment).bind(number.to_owned()).bind(submission.id).execute(&mut **write).await?;
    Ok(())
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

/// Removes the producer or director from a film of another sender.
async fn clear_named_person(
    write: &mut Write,
    named: &NamedPerson,
    film: &Submission,
    erased: &mut Erased,
) -> Result<()> {
    let mut findings = film.findings();
    findings.retain(|finding| !named.text_fields.contains(&finding.field.as_str()));
    let text = |name: &str| if named.text_fields.contains(&name) { "" } else { film.text(name) };
    let (_, fields) = film.kind.search_keys[0];
    let keys = search_key::stored_keys(fields.iter().map(|name| text(name)));
    let clear = sqlx::query(named.clear).bind(findings::to_json(&findings)).bind(film.id).bind(keys);
    clear.execute(&mut **write).await?;
    for file in film.files().iter().filter(|file| named.file_fields.contains(&file.field.as_str())) {
        delete_file(write, &file.key, erased).await?;
    }
    erased.count(named.label, 1);
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
            sqlx::query(kind.statements.delete).bind(submission.id).execute(&mut **write).await?;
            erased.count("payments without a person", 1);
        }
    }
    Ok(())
}
