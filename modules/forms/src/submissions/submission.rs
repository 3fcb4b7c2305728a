//! A stored submission with its files.

use super::kind::SubmissionKind;
use crate::amount::{Amount, Difference, Due};
use crate::fee_reduction::Reduction;
use crate::findings::{self, Finding};
use festival_core::Result;
use festival_core::checks::{DAMAGED, texts};
use festival_core::entity::{Datum, Entity, Field, Record};
use festival_core::export::safe_name;
use festival_core::secrets::{SecretColumn, Secrets};
use festival_core::submissions::NumberedReceipt;
use sqlx::FromRow;

/// Longest path in an archive, in characters.
const MAX_PATH: usize = 120;

/// A submission as it is stored.
pub(crate) struct Submission {
    /// Row id.
    pub(crate) id: i64,
    pub(crate) kind: &'static SubmissionKind,
    /// The values of [`SubmissionKind::columns`].
    values: Vec<Datum>,
    pub(super) files: Vec<SentFile>,
}

/// A file of a submission.
#[derive(FromRow)]
pub(crate) struct SentFile {
    pub(crate) field: String,
    /// Name on the sender's machine. For display only, never a path.
    pub(crate) name: String,
    /// Key in the private store.
    pub(crate) key: String,
    pub(crate) mime: String,
    /// Flags of the file check and the virus scanner, separated by spaces.
    pub(crate) flags: String,
    /// Size in bytes.
    pub(crate) size: i64,
}

/// Whether `flags`, separated by spaces, hold `flag`.
pub(crate) fn has_flag(flags: &str, flag: &str) -> bool {
    flags.split_whitespace().any(|known| known == flag)
}

/// Returns the message to the sender about damage to a file of the type `mime` with these `flags`.
pub(crate) fn damage_remark(flags: &str, mime: &str) -> Option<&'static str> {
    has_flag(flags, DAMAGED).then(|| texts::damaged(mime))
}

impl SentFile {
    /// Returns the name of its field. A file that was replaced is stored under it with a number: "film_poster.1".
    pub(crate) fn field_name(&self) -> &str {
        self.field.split_once('.').map_or(&self.field, |(name, _)| name)
    }

    /// Returns the extension of its name in the store.
    pub(crate) fn extension(&self) -> &str {
        self.key.rsplit_once('.').map_or("bin", |(_, extension)| extension)
    }

    /// Whether another file has replaced it.
    pub(crate) fn is_replaced(&self) -> bool {
        self.field.contains('.')
    }

    /// Returns what the sender should know about the file; "" for most.
    pub(crate) fn remark(&self) -> &'static str {
        damage_remark(&self.flags, &self.mime).unwrap_or_default()
    }
}

impl Submission {
    /// Creates a submission from a row with the columns of `kind`, without its files. Decrypts its secrets.
    pub(crate) fn new(secrets: &Secrets, kind: &'static SubmissionKind, id: i64, mut values: Vec<Datum>) -> Self {
        decrypt(secrets, kind, &mut values);
        Self { id, kind, values, files: Vec::new() }
    }

    /// Returns the value of the column called `name`.
    pub(crate) fn value(&self, name: &str) -> &Datum {
        let index = self.kind.columns().position(|column| column == name);
        index.and_then(|index| self.values.get(index)).unwrap_or(&Datum::Null)
    }

    /// Returns the text in the column called `name`; "" if it holds none.
    pub(crate) fn text(&self, name: &str) -> &str {
        match self.value(name) {
            Datum::Text(text) => text,
            _ => "",
        }
    }

    /// Returns the number in the column called `name`, if it holds one.
    pub(crate) fn number(&self, name: &str) -> Option<i64> {
        match self.value(name) {
            Datum::Integer(number) => Some(*number),
            _ => None,
        }
    }

    /// Whether the flag in the column called `name` is set.
    pub(crate) fn flag(&self, name: &str) -> bool {
        *self.value(name) == Datum::Integer(1)
    }

    /// "ML-2025-0042".
    pub(crate) fn reference(&self) -> &str {
        self.text("reference")
    }

    /// Returns its title in the back office; may be empty.
    pub(crate) fn title(&self) -> &str {
        self.text(self.kind.title_column)
    }

    /// Path of its page in the back office: "/admin/film-submissions/17".
    pub(crate) fn path(&self) -> String {
        format!("{}/{}", self.kind.list_path(), self.id)
    }

    /// Returns the notes about single values, in the order of the form.
    pub(crate) fn findings(&self) -> Vec<Finding> {
        findings::from_json(self.text("findings"))
    }

    /// Returns the note about the value of `field`.
    pub(crate) fn finding(&self, field: &Field) -> Option<Finding> {
        self.findings().into_iter().find(|finding| finding.field == field.name)
    }

    /// Returns the fields that have more words than allowed.
    pub(crate) fn over_long(&self) -> impl Iterator<Item = &'static Field> {
        self.text("over_long").split_whitespace().filter_map(|name| self.kind.entity.field(name))
    }

    /// Whether the sender did not agree to the notice on personal data. Unknown, hence false, once the person is erased.
    pub(crate) fn is_without_consent(&self) -> bool {
        self.text("consented_at").is_empty() && self.text("status") != "erased"
    }

    /// Whether the sender declared "No" (neither a first nor a second feature) and the form sent another value for it.
    pub(crate) fn is_declared_no(&self) -> bool {
        self.text("declared_feature_label") == "No" && self.text("is_first_or_second_feature") != "No"
    }

    /// Returns what is due for it: the fee on the day on which it arrived, less what was taken off it.
    pub(crate) fn due(&self) -> Due {
        let reduction = ["fee_reduction_inr", "fee_reduction_usd"].map(|name| self.number(name).unwrap_or_default());
        self.due_less(reduction.into())
    }

    /// Returns what is due for it if so many rupees, or dollars, are taken off its fee.
    pub(crate) fn due_less(&self, (rupees, dollars): (i64, i64)) -> Due {
        if !self.kind.has_payment() {
            return Due::default();
        }
        let rupees = self.number("fee_inr").map(|fee| fee - rupees);
        if !self.kind.has_award() {
            // The fee of an unknown category is not known.
            return Due { rupees: rupees.filter(|_| !self.text("category_key").is_empty()), dollars: None };
        }
        let takes_dollars = self.text("award_category") == "asian";
        Due { rupees, dollars: self.number("fee_usd").map(|fee| fee - dollars).filter(|_| takes_dollars) }
    }

    /// Returns what a reduction takes off its fee: rupees and dollars.
    pub(crate) fn reduced_by(&self, reduction: Reduction) -> (i64, i64) {
        let [rupees, dollars] = ["fee_inr", "fee_usd"].map(|name| self.number(name).unwrap_or_default());
        reduction.of(rupees, dollars)
    }

    /// Returns how the amount on the proof differs from what is due.
    pub(crate) fn amount_difference(&self) -> Option<Difference> {
        if self.kind.has_payment() { self.due().difference(self.text("payment_amount")) } else { None }
    }

    /// Returns the receipt of its payment, while that is verified.
    pub(crate) fn payment_receipt(&self) -> Option<NumberedReceipt> {
        let [number, issued_at, paid, transaction] =
            ["payment_receipt", "payment_receipt_at", "payment_amount", "payment_transaction"]
                .map(|name| self.text(name).to_owned());
        let is_valid = self.text("payment") == "verified" && !number.is_empty();
        let amount = Amount::read(&paid).map_or(paid, Amount::text);
        is_valid.then_some(NumberedReceipt { number, issued_at, amount, transaction })
    }

    /// Returns the file that was sent in `field`.
    pub(crate) fn file(&self, field: &Field) -> Option<&SentFile> {
        self.files.iter().find(|file| file.field == field.name)
    }

    /// Returns the files that were sent in `field`: the valid one, then those that were replaced, newest first.
    pub(crate) fn versions(&self, field: &Field) -> impl Iterator<Item = &SentFile> {
        self.files.iter().rev().filter(move |file| file.field_name() == field.name)
    }

    /// Returns the text that was sent in `field`, also where its column has what it was parsed as.
    pub(crate) fn sent_text(&self, field: &Field) -> String {
        match (self.finding(field).and_then(|finding| finding.sent), self.value(field.name)) {
            (Some(sent), _) => sent,
            (None, Datum::Text(text)) => text.clone(),
            (None, Datum::Integer(number)) => number.to_string(),
            _ => String::new(),
        }
    }

    /// Returns its files in the order in which they were stored.
    pub(crate) fn files(&self) -> &[SentFile] {
        &self.files
    }

    /// Returns the path of a file in an archive: "ML-2025-0042 The Rain Road/film_poster.jpg". References are unique, so
    /// folders are, and each is short enough for every path in it.
    pub(crate) fn archive_path(&self, file: &SentFile) -> String {
        let files = self.kind.entity.fields.iter().filter(|field| !field.has_column());
        let longest = files.map(|field| field.name.len()).max().unwrap_or_default();
        let room = MAX_PATH - longest - "/.webp".len();
        let folder = safe_name(&format!("{} {}", self.reference(), self.title()), room);
        let name = safe_name(&format!("{}.{}", file.field, file.extension()), MAX_PATH / 3);
        format!("{folder}/{name}")
    }
}

/// The column with the encrypted passwords.
pub(crate) static SCREENER_PASSWORDS: SecretColumn = SecretColumn {
    table: "film_submissions",
    column: "screener_link_password",
    row: "reference",
    what: "passwords of screeners",
    remedy: "Ask the senders for them again.",
};

/// Shown in place of a password that the site's keys do not decrypt.
const UNREADABLE: &str = "cannot be read, because the site's key has changed; ask the sender for it again";

/// Encrypts the password in a record that is about to be stored under this reference.
///
/// # Errors
/// As those of [`Secrets::encrypt`].
pub(crate) fn encrypt(secrets: &Secrets, entity: &Entity, reference: &str, record: &mut Record) -> Result<()> {
    let column = &SCREENER_PASSWORDS;
    let index = entity.position(column.column).filter(|_| entity.table == column.table);
    if let Some(Datum::Text(password)) = index.and_then(|index| record.get_mut(index)) {
        *password = secrets.encrypt(column, reference, password)?;
    }
    Ok(())
}

/// Decrypts the password in a row with the columns of `kind`.
pub(super) fn decrypt(secrets: &Secrets, kind: &SubmissionKind, values: &mut [Datum]) {
    let secret = &SCREENER_PASSWORDS;
    let index = |name: &str| kind.columns().position(|column| column == name);
    let (Some(row), Some(index)) = (index(secret.row), index(secret.column)) else { return };
    let Some(Datum::Text(reference)) = values.get(row).cloned() else { return };
    if let Some(Datum::Text(password)) = values.get_mut(index) {
        *password = secrets.decrypt(secret, &reference, password).unwrap_or_else(|| UNREADABLE.to_owned());
    }
}
