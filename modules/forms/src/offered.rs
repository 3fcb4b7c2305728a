//! Submissions as other modules see and change them.

use std::fs::File;

use festival_core::admin::privacy::PrivateArchive;
use festival_core::db::{Datum, Write, timestamp_text, update_rows};
use festival_core::entity::{Entity, Field, Kind as FieldKind, trim};
use festival_core::site::Site;
use festival_core::submissions::{Changed, Due, Submissions, Submitted, SubmittedFile, SubmittedValue};
use festival_core::{Error, FieldError, Result};
use jiff::tz::TimeZone;
use serde_json::{Map, Value};
use sqlx::{AnyConnection, AssertSqlSafe};

use crate::decider::Decider;
use crate::description::{SENDER, short_label};
use crate::export::add_files;
use crate::findings;
use crate::review::events::{self, CONTACT, NewEvent};
use crate::role::is_visible;
use crate::settings::FormsSettings;
use crate::submissions::{SCREENER_PASSWORDS, Submission, SubmissionKind, SubmissionReader, edition_of, label_of};
use crate::submit::staged::StoredFile;
use crate::submit::store::insert_file;
use crate::word_count::word_count;

/// Maximum length of a telephone number, in characters.
const MAX_PHONE: usize = 60;
/// How often the file of a field may be replaced.
const MAX_REPLACEMENTS: i64 = 10;

/// The submissions of a kind, for other modules.
pub(crate) struct OfferedSubmissions(pub(crate) &'static SubmissionKind);

#[rocket::async_trait]
impl Submissions<Site> for OfferedSubmissions {
    fn entity(&self) -> &'static Entity {
        self.0.entity
    }

    async fn find(&self, site: &Site, connection: &mut AnyConnection, id: i64) -> Result<Option<Submitted>> {
        let kind = self.0;
        let found = SubmissionReader::find(&site.secrets, connection, (kind, id)).await?;
        let Some(submission) = found.filter(is_known) else { return Ok(None) };
        let edition = edition_of(connection, &submission).await?;
        let settings = FormsSettings::of(&*site.in_force_on(connection).await?);
        let form = if kind.has_award() { submission.text("award_category") } else { kind.name };
        let value = |field: &'static Field| SubmittedValue {
            field,
            label: short_label(field),
            text: submission.sent_text(field),
            may_change: may_change(field),
        };
        let due = kind.has_payment().then(|| Due {
            state: submission.text("payment").to_owned(),
            reason: submission.text("payment_reason").to_owned(),
            amount: submission.due().text(),
            receipt: submission.payment_receipt(),
        });
        let title = if kind.has_award() { submission.title() } else { submission.text("category") };
        Ok(Some(Submitted {
            id,
            edition_id: edition.id,
            reference: submission.reference().to_owned(),
            title: title.to_owned(),
            received_at: submission.text("created_at").parse().map_err(Error::internal)?,
            status: submission.text("status").to_owned(),
            sender: sender(&submission),
            values: kind.entity.columns().map(value).collect(),
            files: files(&submission),
            due,
            closes_at: settings.closes_at(form, &site.time_zone),
            is_open: !settings.is_closed(form, site.clock.now(), &site.time_zone),
            next_steps: settings.after_sending.next_steps(form, Some(&edition)),
        }))
    }

    async fn change(&self, site: &Site, write: &mut Write, id: i64, change: Changed<'_>, who: &str) -> Result<()> {
        let kind = self.0;
        let now = timestamp_text(site.clock.now());
        // Locks the row.
        update_rows(write, kind.entity.table, &[("updated_at", Datum::Text(now.clone()))], &[id]).await?;
        let found = SubmissionReader::find(&site.secrets, write, (kind, id)).await?;
        let missing = || Error::NotFound("There is no such submission any more.".into());
        let submission = found.filter(is_known).ok_or_else(missing)?;
        let (event, before, after) = match change {
            Changed::Status(key) => {
                let before = label_of(kind.states, submission.text("status"));
                update_rows(write, kind.entity.table, &[("status", Datum::Text(key.to_owned()))], &[id]).await?;
                ("status", before, label_of(kind.states, key))
            }
            Changed::Text(field, text) => {
                set_text(write, &submission, field, text).await?;
                let label = short_label(field);
                let event = if is_visible(field, false) { "note" } else { CONTACT };
                (event, format!("{label}: {}", submission.sent_text(field)), format!("{label}: {text}"))
            }
            Changed::File(field, key, file) => {
                replace_file(write, &submission, field, StoredFile::new(key.to_owned(), file), &now).await?;
                ("note", String::new(), format!("Replaced: {}, by {}", short_label(field), file.name))
            }
            Changed::Mail(text) => ("mail", String::new(), text.to_owned()),
        };
        let event = NewEvent { id, kind: event, before, after };
        events::add_all(write, &Decider::without_account(who, site.clock.now()), kind, vec![event]).await
    }

    async fn archive(&self, site: &Site, id: i64) -> Result<File> {
        let mut connection = site.db.read().await?;
        let found = SubmissionReader::find(&site.secrets, &mut connection, (self.0, id)).await?;
        drop(connection);
        let missing = || Error::NotFound("There is no such submission any more.".into());
        let submission = found.filter(is_known).ok_or_else(missing)?;
        let sent = |field: &'static Field| (short_label(field).to_owned(), Value::from(submission.sent_text(field)));
        let texts: Map<String, Value> = [("Reference".to_owned(), submission.reference().into())]
            .into_iter()
            .chain(self.0.entity.columns().map(sent))
            .collect();
        let at = site.clock.now().to_zoned(site.time_zone.clone()).datetime();
        let archive = PrivateArchive::to_download(site).await?;
        let archive = archive.add_text("sent.json", at, serde_json::to_string_pretty(&texts)?).await?;
        add_files(archive, site, &submission).await?.finish_with_problems(at).await
    }
}

/// Whether it may be shown to its sender: from a person who was not erased.
fn is_known(submission: &Submission) -> bool {
    !submission.flag("is_quarantined") && submission.text("status") != "erased"
}

/// Name and address of the sender.
fn sender(submission: &Submission) -> (String, String) {
    let text = |name| submission.text(name).to_owned();
    (text(submission.kind.name_of(SENDER)), text(submission.kind.email_of(SENDER)))
}

fn files(submission: &Submission) -> Vec<SubmittedFile> {
    let fields = submission.kind.entity.fields.iter().filter(|field| !field.has_column());
    let file = |field: &'static Field| {
        submission.versions(field).map(move |file| SubmittedFile {
            field,
            label: short_label(field),
            name: file.name.clone(),
            key: file.key.clone(),
            size: u64::try_from(file.size).unwrap_or_default(),
            remark: file.remark(),
            is_replaced: file.is_replaced(),
        })
    };
    fields.flat_map(file).collect()
}

/// Whether the text in `field` may be changed after it was sent.
pub(crate) fn may_change(field: &Field) -> bool {
    let is_text = matches!(field.kind, FieldKind::Text { .. } | FieldKind::Lines { .. });
    let is_payment = matches!(field.name, "category" | "transaction_details");
    is_text && !is_payment && field.name != SCREENER_PASSWORDS.column
}

/// Whether the desk may correct the text in `field`: also contact details, which identify the sender.
pub(crate) fn may_correct(field: &Field) -> bool {
    may_change(field) || is_contact(field)
}

fn is_contact(field: &Field) -> bool {
    matches!(field.kind, FieldKind::Email | FieldKind::Phone)
}

/// Sets the text of a field, with what is stored about it.
async fn set_text(write: &mut Write, submission: &Submission, field: &'static Field, text: &str) -> Result<()> {
    let invalid = |message: String| Error::Invalid(vec![FieldError::new(field.name, message)]);
    if !may_correct(field) {
        return Err(invalid("This cannot be changed here.".into()));
    }
    let text = trim(text);
    if is_contact(field) {
        field.parse(text, &TimeZone::UTC).map_err(invalid)?;
    }
    let max = field.max_characters().unwrap_or(MAX_PHONE);
    if text.is_empty() || text.chars().count() > max {
        return Err(invalid(format!("Write a text of at most {max} characters.")));
    }
    let kind = submission.kind;
    let mut findings = submission.findings();
    findings.retain(|finding| finding.field != field.name);
    let mut over_long: Vec<&str> =
        submission.over_long().map(|over_long| over_long.name).filter(|name| *name != field.name).collect();
    if field.max_words > 0 && word_count(text) > field.max_words {
        over_long.push(field.name);
    }
    let mut values = vec![
        (field.name, Datum::Text(text.to_owned())),
        ("findings", Datum::Text(findings::to_json(&findings))),
        ("over_long", Datum::Text(over_long.join(" "))),
    ];
    values.extend(kind.stored_search_keys(|name| if name == field.name { text } else { submission.text(name) }));
    update_rows(write, kind.entity.table, &values, &[submission.id]).await
}

/// Stores the row of another file in `field`; the former one is kept under a number.
async fn replace_file(
    write: &mut Write,
    submission: &Submission,
    field: &'static Field,
    stored: StoredFile,
    now: &str,
) -> Result<()> {
    let kind = submission.kind;
    let replaced = submission.versions(field).filter(|file| file.is_replaced()).count() as i64;
    if replaced >= MAX_REPLACEMENTS {
        return Err(Error::Conflict(format!("This file was replaced {MAX_REPLACEMENTS} times. Write to us, please.")));
    }
    let sql = format!("UPDATE submission_files SET field = $1 WHERE {} = $2 AND field = $3", kind.owner_column);
    sqlx::query(AssertSqlSafe(sql))
        .bind(format!("{}.{}", field.name, replaced + 1))
        .bind(submission.id)
        .bind(field.name)
        .execute(&mut **write)
        .await?;
    insert_file(write, (kind, submission.id), field.name, &stored, now).await
}
