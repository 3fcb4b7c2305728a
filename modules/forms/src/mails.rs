//! The mails about a new submission: a receipt to the sender and a note to the organisers.

pub(crate) mod answer;
mod latest;
pub(crate) mod templates;

use festival_core::db::Write;
use festival_core::edition::Edition;
use festival_core::entity::{Datum, Field};
use festival_core::mail::{self, Mailbox, Values};
use festival_core::money_text::rupees;
use festival_core::settings::Settings;
use festival_core::site::Site;
use festival_core::{Registry, Result};
use jiff::Timestamp;

use self::templates::FormMails;
use crate::description::{Form, short_label};
use crate::payment_mails::PaymentNotice;
use crate::settings::FormsSettings;
use crate::submissions::{Submission, SubmissionKind, UNCLASSIFIED, contact, delegate, film};
use crate::submit::{NewSubmission, StoredSubmission};
use crate::{MODULE, timestamps};

/// Registers every mail of the forms.
pub(crate) fn register(registry: &mut Registry) {
    for kind in [film(), delegate(), contact()] {
        let mails = FormMails::of(kind);
        registry.mail_with_preview(&mails.receipt, move |context| latest::receipt(context, kind));
        registry.mail_with_preview(&mails.note, move |context| latest::note(context, kind));
    }
    registry
        .mail_with_preview(&templates::PAYMENT_REJECTED, |context| latest::payment(context, PaymentNotice::Rejected))
        .mail_with_preview(&templates::PAYMENT_NOT_FOUND, |context| latest::payment(context, PaymentNotice::NotFound))
        .mail_with_preview(&templates::ANSWER, latest::answer);
}

/// A file as a mail lists it.
pub(crate) struct MailedFile {
    label: &'static str,
    name: String,
    size: String,
    /// What the sender should know about it; "" for most.
    remark: &'static str,
}

impl MailedFile {
    /// Describes a file of `size` bytes.
    pub(crate) fn new(field: &Field, name: &str, size: u64, remark: &'static str) -> Self {
        Self { label: short_label(field), name: name.to_owned(), size: size_text(size), remark }
    }

    fn for_sender(&self) -> String {
        format!("{}: {} ({}){}", self.label, self.name, self.size, self.remark())
    }

    fn for_organisers(&self) -> String {
        format!("File: {}, {}{}", self.label, self.size, self.remark())
    }

    fn remark(&self) -> String {
        if self.remark.is_empty() { String::new() } else { format!(". {}", self.remark) }
    }
}

impl FormMails {
    /// The mails of a kind of submission.
    pub(crate) fn of(kind: &SubmissionKind) -> &'static Self {
        match kind.name {
            "film" => &templates::FILM_MAILS,
            "delegate" => &templates::DELEGATE_MAILS,
            _ => &templates::CONTACT_MAILS,
        }
    }
}

/// What the two mails say.
struct MailValues {
    receipt: Values,
    note: Values,
}

/// Puts both mails into the outbox, in the transaction that stores the submission. A sender without an address gets none.
pub(crate) async fn enqueue(
    write: &mut Write,
    (site, settings): (&Site, &Settings),
    submission: &NewSubmission,
    stored: &StoredSubmission,
    files: Vec<MailedFile>,
) -> Result<()> {
    let mails = FormMails::of(submission.kind);
    let values = values((site, settings), submission, stored, &files);
    let now = site.clock.now();
    let sender =
        Mailbox::new(submission.text(submission.kind.sender_name), submission.text(submission.kind.sender_email));
    // The contact form does not require an address.
    let replies = Some(sender.clone()).filter(|sender| !sender.address.is_empty());
    if replies.is_some() {
        let receipt = mails.receipt.message((settings, &values.receipt), (sender.clone(), None), now)?;
        mail::enqueue(write, &receipt).await?;
    }
    let note = mails.note.message((settings, &values.note), (sender, replies), now)?;
    mail::enqueue_to_organisers(write, settings, &note).await?;
    Ok(())
}

/// Returns a stored submission as its mails need it, with its files.
pub(crate) fn restored(
    submission: &Submission,
    edition: Edition,
    now: Timestamp,
) -> (NewSubmission, StoredSubmission, Vec<MailedFile>) {
    let new = NewSubmission::from_stored(submission, edition, now);
    let fields = submission.kind.entity.fields.iter();
    let files = fields.filter_map(|field| submission.file(field).map(|file| (field, file))).map(|(field, file)| {
        MailedFile::new(field, &file.name, u64::try_from(file.size).unwrap_or_default(), file.remark())
    });
    let stored = StoredSubmission {
        id: submission.id,
        reference: submission.reference().to_owned(),
        received_at: new.now,
        is_late: new.is_late,
    };
    let files = files.collect();
    (new, stored, files)
}

/// Returns what the mails about a submission say.
fn values(
    (site, settings): (&Site, &Settings),
    submission: &NewSubmission,
    stored: &StoredSubmission,
    files: &[MailedFile],
) -> MailValues {
    let kind = submission.kind;
    let sender = submission.text(kind.sender_name);
    let title = match kind.name {
        "film" => submission.text("title_english"),
        "delegate" => submission.text("category"),
        _ => "",
    };
    let title = if title.is_empty() { sender } else { title };
    let film = match submission.text("title_original") {
        original if original.is_empty() || original == title => title.to_owned(),
        original => format!("{title} ({original})"),
    };
    let after_sending = settings.section::<FormsSettings>(MODULE).after_sending;
    let form = submission.own_text("award_category").unwrap_or(kind.name);
    let corrections = match after_sending.corrections(settings) {
        "" => String::new(),
        address => format!("If something below is wrong, write to {address} and quote your reference."),
    };
    let link = site.hosts.public_url().map_or(String::new(), |url| format!("{url}{}/{}", kind.list_path(), stored.id));
    let award = submission.own_text("award_category").and_then(Form::find).map_or("", Form::award_name);
    let code = submission.own_text("payment_code").unwrap_or_default();
    let received = timestamps::with_zone_name(submission.now, &site.time_zone);
    let mut receipt = festival_values(settings, &submission.edition);
    receipt.extend([
        ("sender", sender.to_owned()),
        ("email", submission.text(kind.sender_email).to_owned()),
        ("reference", stored.reference.clone()),
        ("title", title.to_owned()),
        ("film", film),
        ("award", award.to_owned()),
        ("fee", submission.own_number("fee_inr").filter(|fee| *fee > 0).map_or(String::new(), rupees)),
        ("code", code.to_owned()),
        ("received", received.clone()),
        ("next_steps", after_sending.next_steps(form, Some(&submission.edition))),
        ("corrections", corrections),
        ("fields", fields(submission)),
        ("files", files.iter().map(MailedFile::for_sender).collect::<Vec<_>>().join("\n")),
        ("message", submission.text("message").to_owned()),
        ("link", link),
    ]);
    let mut note = receipt.clone();
    let utr = submission.own_text("payment_utr").filter(|_| kind.has_award()).unwrap_or_default();
    let late = if submission.is_late { "It arrived after the deadline and is marked as late." } else { "" };
    let (award, code) = (labelled("Award", award), labelled("Payment code", code));
    let for_sender =
        [award.clone(), code.clone(), labelled("UTR", utr), labelled("Received", &received), late.to_owned()];
    let remarks = remarks(submission).into_iter().map(|remark| labelled("Note", remark));
    let for_organisers = [code, award].into_iter().chain(remarks).chain(files.iter().map(MailedFile::for_organisers));
    receipt.insert("details", lines(for_sender));
    note.insert("details", lines(for_organisers));
    MailValues { receipt, note }
}

/// Returns what every mail says about the festival.
pub(crate) fn festival_values(settings: &Settings, edition: &Edition) -> Values {
    let contact = &settings.contact;
    Values::from([
        ("festival", edition.name.clone()),
        ("short_name", settings.product.name.clone()),
        ("year", edition.year.to_string()),
        ("signature", lines([settings.product.full_name.clone(), contact.email.clone(), contact.phone.clone()])),
    ])
}

/// Returns "label: value"; "" without a value.
pub(crate) fn labelled(label: &str, value: &str) -> String {
    if value.is_empty() { String::new() } else { format!("{label}: {value}") }
}

/// Joins the texts that are not empty, a line each.
pub(crate) fn lines(texts: impl IntoIterator<Item = String>) -> String {
    texts.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Returns the fields that were filled in, in the order of the form, a line each.
fn fields(submission: &NewSubmission) -> String {
    let columns = submission.kind.entity.columns().zip(&submission.record);
    let fields = columns.map(|(field, datum)| {
        // If the column stores the parsed value, the finding has the one that was sent.
        let finding = submission.findings.iter().find(|finding| finding.field == field.name);
        let value = match (finding.and_then(|finding| finding.sent.clone()), datum) {
            (Some(sent), _) => sent,
            (None, Datum::Text(text)) => text.clone(),
            (None, Datum::Integer(number)) => number.to_string(),
            _ => String::new(),
        };
        // The chosen label, because two labels share a value.
        let declared =
            submission.own_text("declared_feature_label").filter(|_| field.name == "is_first_or_second_feature");
        let value = declared.map_or(value, str::to_owned);
        // Mails are no place for passwords.
        let is_secret = field.name == "screener_link_password" && value != field.default;
        let value = if is_secret { "as you sent it".to_owned() } else { value };
        labelled(short_label(field), &value)
    });
    lines(fields)
}

fn remarks(submission: &NewSubmission) -> Vec<&'static str> {
    let mut remarks = Vec::new();
    if submission.is_late {
        remarks.push("It came after the deadline.");
    }
    if !submission.over_long.is_empty() {
        remarks.push("Some texts are longer than asked for.");
    }
    if submission.own_text("award_category") == Some(UNCLASSIFIED) {
        remarks.push("The award is not known; please choose it.");
    }
    if submission.own_text("declared_feature_label") == Some("No") {
        remarks.push("The sender says that it is neither a first nor a second film.");
    }
    remarks
}

/// "340 KB", "1.2 MB".
pub(crate) fn size_text(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{} KB", bytes.div_ceil(1_000)),
        _ => format!("{}.{} MB", bytes / 1_000_000, bytes % 1_000_000 / 100_000),
    }
}
