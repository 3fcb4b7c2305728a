//! Submissions of forms, for modules that do not know the forms: one reads and changes them by these traits, and adds
//! its part to their receipts.

use jiff::Timestamp;
use serde::Serialize;
use sqlx::AnyConnection;

use festival_base::db::Write;
use festival_base::error::Result;
use festival_files::media::StagedFile;
use festival_records::entity::{Entity, Field};

/// The submissions of one table of a site `S`.
#[rocket::async_trait]
pub trait Submissions<S: Send + Sync + 'static>: Send + Sync + 'static {
    /// What is submitted: the fields of the form.
    fn entity(&self) -> &'static Entity;

    /// Returns a submission; `None` if there is none, or if it is in quarantine or its person was erased.
    async fn find(&self, site: &S, connection: &mut AnyConnection, id: i64) -> Result<Option<Submitted>>;

    /// Applies a change, with an entry in the history of the submission that says `who` made it. The caller commits.
    ///
    /// # Errors
    /// [`Error::Invalid`](festival_base::error::Error::Invalid) if the value does not fit the field,
    /// [`Error::Conflict`](festival_base::error::Error::Conflict) if a file was replaced too often.
    async fn change(&self, site: &S, write: &mut Write, id: i64, change: Changed<'_>, who: &str) -> Result<()>;

    /// Writes everything that was sent into an archive, in a file without a name whose cursor is at its end.
    async fn archive(&self, site: &S, id: i64) -> Result<std::fs::File>;
}

/// A change of a submission after it was received.
#[derive(Debug)]
pub enum Changed<'a> {
    /// Another status.
    Status(&'a str),
    /// Another text in a field.
    Text(&'static Field, &'a str),
    /// Another file in a field, stored under this key; the former one is kept beside it.
    File(&'static Field, &'a str, &'a StagedFile),
    /// A mail to the sender, as the history names it.
    Mail(&'a str),
}

/// A submission as its sender may see it.
#[derive(Debug)]
pub struct Submitted {
    /// Row id.
    pub id: i64,
    /// Its edition.
    pub edition_id: i64,
    /// "ML-2025-0042".
    pub reference: String,
    /// Its title; the category of a registration.
    pub title: String,
    /// When it was received.
    pub received_at: Timestamp,
    /// The key of its status.
    pub status: String,
    /// Name and e-mail address of the sender.
    pub sender: (String, String),
    /// The fields in the order of the form, each with the text that was sent. Secrets are in clear.
    pub values: Vec<SubmittedValue>,
    /// The files, newest first where one was replaced.
    pub files: Vec<SubmittedFile>,
    /// What is due for it; `None` if nothing is.
    pub due: Option<Due>,
    /// When its form closes; `None` if it does not.
    pub closes_at: Option<Timestamp>,
    /// Whether the form still takes submissions.
    pub is_open: bool,
    /// What happens next, as the receipt says.
    pub next_steps: String,
}

/// The text that was sent in a field.
#[derive(Debug)]
pub struct SubmittedValue {
    /// The field.
    pub field: &'static Field,
    /// Its label for people.
    pub label: &'static str,
    /// The text, or "".
    pub text: String,
    /// Whether [`Changed::Text`] may change it: not what identifies the sender, proves a payment or is secret.
    pub may_change: bool,
}

/// A file of a submission.
#[derive(Debug)]
pub struct SubmittedFile {
    /// Its field.
    pub field: &'static Field,
    /// Its label for people.
    pub label: &'static str,
    /// Name on the sender's device.
    pub name: String,
    /// Key in the private store.
    pub key: String,
    /// Size in bytes.
    pub size: u64,
    /// What its sender should know about it, or "".
    pub remark: &'static str,
    /// Whether another file has replaced it.
    pub is_replaced: bool,
}

/// What is due for a submission.
#[derive(Debug)]
pub struct Due {
    /// `unchecked`, `verified`, `rejected` or `waived`.
    pub state: String,
    /// Why it is rejected, or "".
    pub reason: String,
    /// The amount, as a text; "" if that is not known.
    pub amount: String,
    /// The receipt, once it is verified.
    pub receipt: Option<NumberedReceipt>,
}

/// The receipt for what was due.
#[derive(Debug, Serialize)]
pub struct NumberedReceipt {
    /// Its number in the series of the edition: "R-2025-0001".
    pub number: String,
    /// When it was issued, as stored.
    pub issued_at: String,
    /// The amount on the proof, or "".
    pub amount: String,
    /// The bank's number of the transaction, or "".
    pub transaction: String,
}

impl Submitted {
    /// Returns the text of the field called `name`; "" without one.
    pub fn text(&self, name: &str) -> &str {
        self.values.iter().find(|value| value.field.name == name).map_or("", |value| &value.text)
    }
}

/// What a module adds to the receipt of a submission to a site `S`.
#[rocket::async_trait]
pub trait ReceiptPart<S: Send + Sync + 'static>: Send + Sync + 'static {
    /// Returns the paragraph for the submission `id` in `table`, or "". Runs in the transaction that stores it.
    async fn paragraph(&self, site: &S, write: &mut Write, table: &str, id: i64) -> Result<String>;
}
