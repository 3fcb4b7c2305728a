//! What the forms keep about people: given out, erased, forgotten.
//!
//! Whoever sent a submission is its person, and it goes as a whole. The producer and the director of somebody else's film
//! are taken out of it, and the film stays. A payment that was received stays for the accounts: reference, amount, date,
//! what it was for, and its number where that tells nobody's name.

use festival_core::Result;
use festival_core::admin::privacy::{Erased, Found, Held, Person, PersonalData, Shown, Term, days_ago};
use festival_core::db::{Select, Test, Write};
use festival_core::entity::{Datum, Field, Kind as FieldKind, table};
use festival_core::site::Site;
use serde_json::{Map, Value, json};
use sqlx::{AnyConnection, Row as _};

use crate::finding;
use crate::settings::Retention;
use crate::submissions::{KINDS, Kind, Submission, page};
use crate::submit::tables;

/// How many submissions are read at a time.
const STEP: u16 = 200;
/// The status of a row of which only the payment stays.
const ERASED: &str = "erased";
/// Forgets a file of a submission. The file itself is deleted from the store by its key, later.
const DELETE_FILE: &str = "DELETE FROM submission_files WHERE key = $1";

/// What people sent.
pub(crate) struct Submissions {
    pub(crate) retention: Retention,
}

/// Somebody whom a film names beside whoever sent it.
struct Part {
    kind: &'static str,
    email: &'static str,
    texts: &'static [&'static str],
    files: &'static [&'static str],
    addresses: &'static str,
    clear: &'static str,
}

static PARTS: [Part; 2] = [
    Part {
        kind: "films as their producer",
        email: "lower(producer_email)",
        texts: &["producer_name", "producer_email", "producer_mobile"],
        files: &["producer_consent"],
        addresses: "SELECT DISTINCT producer_email FROM film_submissions",
        clear: "UPDATE film_submissions SET producer_name = '', producer_email = '', producer_mobile = '', findings = $1, \
                fingerprint = '' WHERE id = $2",
    },
    Part {
        kind: "films as their director",
        email: "lower(director_email)",
        texts: &["director_name", "director_email", "director_mobile", "biography"],
        files: &["director_photo"],
        addresses: "SELECT DISTINCT director_email FROM film_submissions",
        clear: "UPDATE film_submissions SET director_name = '', director_email = '', director_mobile = '', biography = '', \
                findings = $1, fingerprint = '' WHERE id = $2",
    },
];

/// The rows of a kind in which `column` is the person's address.
fn of_person(kind: &Kind, column: &'static str, person: &Person) -> Select {
    let select = Select::new(kind.entity.table, kind.columns());
    let select = select.only(column, Test::Is, Datum::Text(person.email.clone()));
    match &person.before {
        Some(before) => select.only("created_at", Test::Before, Datum::Text(before.clone())),
        None => select,
    }
}

/// Whether a value of this field tells a person.
fn tells_somebody(field: &Field) -> bool {
    matches!(field.kind, FieldKind::Email | FieldKind::Phone)
        || matches!(field.name, "name" | "address" | "name_of_submitter" | "producer_name" | "director_name")
}

fn json_of(datum: &Datum) -> Value {
    match datum {
        Datum::Null => Value::Null,
        Datum::Text(text) | Datum::Reference(text) => text.as_str().into(),
        Datum::Integer(number) => (*number).into(),
    }
}

#[rocket::async_trait]
impl PersonalData for Submissions {
    async fn addresses(&self, connection: &mut AnyConnection) -> Result<Vec<String>> {
        let mut found = Vec::new();
        let parts = PARTS.iter().map(|part| part.addresses);
        let senders = KINDS.iter().map(|kind| tables::of(kind.entity).map(|statements| statements.senders));
        for statement in senders.collect::<Result<Vec<_>>>()?.into_iter().chain(parts) {
            found.extend(sqlx::query_scalar::<_, String>(statement).fetch_all(&mut *connection).await?);
        }
        Ok(found)
    }

    async fn find(&self, site: &Site, connection: &mut AnyConnection, person: &Person) -> Result<Found> {
        let mut found = Found::default();
        for kind in &KINDS {
            let select = of_person(kind, kind.sender, person);
            let mut after = 0;
            while let Some((last, submissions)) = page(connection, &site.secrets, kind, &select, after, STEP).await? {
                after = last;
                for submission in &submissions {
                    add_own(connection, kind, submission, &mut found).await?;
                }
            }
        }
        let films = &KINDS[0];
        for part in &PARTS {
            let select = of_person(films, part.email, person);
            let mut after = 0;
            while let Some((last, submissions)) = page(connection, &site.secrets, films, &select, after, STEP).await? {
                after = last;
                for film in submissions.iter().filter(|film| !is_senders(film, person)) {
                    add_part(part, film, &mut found);
                }
            }
        }
        Ok(found)
    }

    async fn erase(&self, site: &Site, write: &mut Write, person: &Person) -> Result<Erased> {
        let mut erased = Erased::default();
        for kind in &KINDS {
            remove(site, write, kind, &of_person(kind, kind.sender, person), &mut erased).await?;
        }
        let films = &KINDS[0];
        for part in &PARTS {
            let select = of_person(films, part.email, person);
            // Those that were cleared are not found again.
            while let Some((_, submissions)) = page(write, &site.secrets, films, &select, 0, STEP).await? {
                for film in &submissions {
                    clear(write, part, film, &mut erased).await?;
                }
            }
        }
        Ok(erased)
    }

    fn terms(&self, _: &Site) -> Vec<Term> {
        let keep = &self.retention;
        [
            ("films", keep.film_days),
            ("registrations", keep.delegate_days),
            ("messages", keep.contact_days),
            ("what was not selected, withdrawn or rejected, since its last change", keep.refused_days),
            ("what was kept apart as a machine's", keep.quarantined_days),
            ("payments of people who were erased", keep.payment_days),
        ]
        .map(|(what, days)| Term { what, days })
        .to_vec()
    }

    async fn expire(&self, site: &Site, write: &mut Write) -> Result<Erased> {
        let mut erased = Erased::default();
        let now = site.clock.now();
        let keep = &self.retention;
        for kind in &KINDS {
            let of_kind = match kind.name {
                "film" => keep.film_days,
                "delegate" => keep.delegate_days,
                _ => keep.contact_days,
            };
            let apart = |is: i64| {
                Select::new(kind.entity.table, kind.columns()).only("is_quarantined", Test::Is, Datum::Integer(is))
            };
            let before = |select: Select, column, moment| select.only(column, Test::Before, Datum::Text(moment));
            let mut over = Vec::new();
            if let Some(moment) = days_ago(now, keep.quarantined_days) {
                over.push(before(apart(1), "created_at", moment));
            }
            if let Some(moment) = days_ago(now, of_kind) {
                let there = apart(0).only("status", Test::IsNot, Datum::Text(ERASED.into()));
                over.push(before(there, "created_at", moment));
            }
            if let Some(moment) = days_ago(now, keep.refused_days) {
                let refused = ["not-selected", "withdrawn", "rejected"].map(|state| Datum::Text(state.into()));
                over.push(before(apart(0).among("status", refused.to_vec()), "updated_at", moment));
            }
            for select in &over {
                remove(site, write, kind, select, &mut erased).await?;
            }
            if let Some(moment) = days_ago(now, keep.payment_days) {
                let left = apart(0).only("status", Test::Is, Datum::Text(ERASED.into()));
                forget_payments(site, write, kind, &before(left, "created_at", moment), &mut erased).await?;
            }
        }
        erased.count("files", erased.files.len() as u64);
        Ok(erased)
    }

    async fn shown(
        &self,
        site: &Site,
        connection: &mut AnyConnection,
        object: &str,
        id: Option<i64>,
        at: &str,
    ) -> Result<Vec<Shown>> {
        let mut shown = Vec::new();
        for kind in KINDS.iter().filter(|kind| kind.entity.table == object || object == "quarantine") {
            let mut select = Select::new(kind.entity.table, kind.columns());
            // Whatever came in the same moment may have been there.
            let moment = format!("{at}~");
            select = select.only("created_at", Test::Before, Datum::Text(moment));
            if let Some(id) = id {
                select = select.only("id", Test::Is, Datum::Integer(id));
            } else {
                let apart = i64::from(object == "quarantine");
                select = select.only("is_quarantined", Test::Is, Datum::Integer(apart));
            }
            let mut after = 0;
            while let Some((last, submissions)) = page(connection, &site.secrets, kind, &select, after, STEP).await? {
                after = last;
                shown.extend(submissions.iter().flat_map(|submission| people(kind, submission)));
            }
        }
        Ok(shown)
    }
}

/// Everybody whom a submission names with an address.
fn people(kind: &Kind, submission: &Submission<'_>) -> Vec<Shown> {
    let fields: &[(&str, &str)] = if kind.has_award() {
        &[
            ("name_of_submitter", "correspondence_email"),
            ("producer_name", "producer_email"),
            ("director_name", "director_email"),
        ]
    } else {
        &[("name", "email")]
    };
    let shown = fields.iter().map(|(name, email)| Shown {
        reference: submission.text("reference").to_owned(),
        name: submission.text(name).to_owned(),
        email: submission.text(email).to_owned(),
    });
    shown.collect()
}

fn is_senders(film: &Submission<'_>, person: &Person) -> bool {
    film.text("correspondence_email").to_lowercase() == person.email
}

async fn add_own(
    connection: &mut AnyConnection,
    kind: &'static Kind,
    submission: &Submission<'_>,
    found: &mut Found,
) -> Result<()> {
    let columns = kind.columns();
    let mut record: Map<String, Value> =
        columns.iter().map(|column| ((*column).to_owned(), json_of(submission.value(column)))).collect();
    record.insert("findings".into(), serde_json::from_str(submission.text("findings")).unwrap_or_default());
    let events = sqlx::query(tables::of(kind.entity)?.events).bind(submission.id).fetch_all(connection).await?;
    let mut decided = Vec::new();
    for row in events.iter().rev() {
        let [what, before, after, at] =
            [row.try_get::<String, _>(1)?, row.try_get(2)?, row.try_get(3)?, row.try_get(5)?];
        decided.push(json!({ "what": what, "before": before, "after": after, "at": at }));
    }
    record.insert("decided".into(), decided.into());
    let files = submission.files().iter().map(|file| (file.path.clone(), file.key.clone())).collect();
    found.held.push(Held { kind: kind.entity.plural, record: record.into(), files });
    let telling = kind.entity.columns().filter(|field| tells_somebody(field));
    found.traces.extend(telling.map(|field| submission.text(field.name).to_owned()));
    found.traces.extend(submission.findings().into_iter().filter_map(|finding| finding.sent));
    found.references.push(submission.text("reference").to_owned());
    found.things.push((kind.entity.table, submission.id));
    Ok(())
}

fn add_part(part: &Part, film: &Submission<'_>, found: &mut Found) {
    let texts = part.texts.iter().map(|name| ((*name).to_owned(), json_of(film.value(name))));
    let mut record: Map<String, Value> = texts.collect();
    record.insert("reference".into(), film.text("reference").into());
    let files = film.files().iter().filter(|file| part.files.contains(&file.field.as_str()));
    let files = files.map(|file| (file.path.clone(), file.key.clone())).collect();
    found.held.push(Held { kind: part.kind, record: record.into(), files });
    found.traces.extend(part.texts.iter().filter(|name| **name != "biography").map(|name| film.text(name).to_owned()));
}

/// Deletes the rows of `select` with all that belongs to them; of payments that were received the accounts' part stays.
async fn remove(site: &Site, write: &mut Write, kind: &Kind, select: &Select, erased: &mut Erased) -> Result<()> {
    let mut after = 0;
    while let Some((last, submissions)) = page(write, &site.secrets, kind, select, after, STEP).await? {
        after = last;
        for submission in &submissions {
            forget_beside(write, kind, submission, erased).await?;
            erased.count(kind.entity.plural, 1);
            if submission.text("payment") == "verified" {
                keep_payment(write, kind, submission).await?;
                erased.stay("payments that were received", 1);
            } else {
                let delete = tables::of(kind.entity)?.delete;
                sqlx::query(delete).bind(submission.id).execute(&mut **write).await?;
            }
        }
    }
    Ok(())
}

/// Deletes what is kept of a submission in other tables, and names its files.
async fn forget_beside(write: &mut Write, kind: &Kind, submission: &Submission<'_>, erased: &mut Erased) -> Result<()> {
    for file in submission.files() {
        for statement in [DELETE_FILE, "DELETE FROM staged_files WHERE key = $1"] {
            sqlx::query(statement).bind(file.key.clone()).execute(&mut **write).await?;
        }
        erased.files.push(file.key.clone());
    }
    let query = |statement: &'static str| sqlx::query(statement).bind(kind.entity.table).bind(submission.id);
    let starts = "DELETE FROM submission_starts WHERE key_hash IN \
                  (SELECT key_hash FROM submission_keys WHERE submission_table = $1 AND submission_id = $2)";
    query(starts).execute(&mut **write).await?;
    let receipts = "DELETE FROM submission_keys WHERE submission_table = $1 AND submission_id = $2";
    let receipts = query(receipts).execute(&mut **write).await?;
    let events = tables::of(kind.entity)?.delete_events;
    let events = sqlx::query(events).bind(submission.id).execute(&mut **write).await?;
    erased.count("receipts for sending again", receipts.rows_affected());
    erased.count("decisions and notes", events.rows_affected());
    Ok(())
}

/// Takes the person out of a row whose payment was received.
async fn keep_payment(write: &mut Write, kind: &Kind, submission: &Submission<'_>) -> Result<()> {
    let record = kind.entity.columns().map(|field| match field.kind {
        FieldKind::Integer { .. } | FieldKind::Year => Datum::Null,
        // What was paid for.
        _ if field.name == "category" => submission.value("category").clone(),
        _ => Datum::Text(String::new()),
    });
    let record = record.collect();
    table::update(write, kind.entity, submission.id, &record, submission.text("updated_at")).await?;
    let number = Some(submission.text("payment_transaction")).filter(|number| is_a_number(number)).unwrap_or_default();
    sqlx::query(tables::of(kind.entity)?.keep_payment)
        .bind(number.to_owned())
        .bind(submission.id)
        .execute(&mut **write)
        .await?;
    Ok(())
}

/// Whether it is a bank's number and nothing that tells a person: no address, no words, no telephone number.
fn is_a_number(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let letters = text.bytes().filter(u8::is_ascii_alphabetic).count();
    let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'-' | b'/'));
    // A telephone number has ten digits, or twelve with that of India before it; the banks' have twelve of their own.
    let is_phone = letters == 0 && (digits < 12 || digits == 12 && text.starts_with("91"));
    is_plain && digits >= 6 && letters <= 6 && !is_phone
}

/// Takes a producer or a director out of somebody else's film.
async fn clear(write: &mut Write, part: &Part, film: &Submission<'_>, erased: &mut Erased) -> Result<()> {
    let mut findings = film.findings();
    findings.retain(|finding| !part.texts.contains(&finding.field.as_str()));
    sqlx::query(part.clear).bind(finding::to_json(&findings)).bind(film.id).execute(&mut **write).await?;
    for file in film.files().iter().filter(|file| part.files.contains(&file.field.as_str())) {
        sqlx::query(DELETE_FILE).bind(file.key.clone()).execute(&mut **write).await?;
        erased.files.push(file.key.clone());
    }
    erased.count(part.kind, 1);
    Ok(())
}

/// Deletes what stayed of payments.
async fn forget_payments(
    site: &Site,
    write: &mut Write,
    kind: &Kind,
    select: &Select,
    erased: &mut Erased,
) -> Result<()> {
    while let Some((_, submissions)) = page(write, &site.secrets, kind, select, 0, STEP).await? {
        for submission in &submissions {
            let delete = tables::of(kind.entity)?.delete;
            sqlx::query(delete).bind(submission.id).execute(&mut **write).await?;
            erased.count("payments without a person", 1);
        }
    }
    Ok(())
}
