//! The mails about a new submission: a receipt to the sender and a note to the organisers.

use festival_core::Result;
use festival_core::db::Write;
use festival_core::entity::{Datum, Field};
use festival_core::mail::{self, Mailbox, Message};
use festival_core::settings::Settings;
use festival_core::site::{Site, rupees};
use serde::Serialize;

use crate::description::{Form, short_label};
use crate::settings::FormsSettings;
use crate::submissions::UNCLASSIFIED;
use crate::submit::{NewSubmission, StoredSubmission};
use crate::{MODULE, timestamps};

/// Data of the templates in `modules/forms/templates/`.
#[derive(Serialize)]
struct MailContext {
    festival: String,
    /// What arrived: "New film".
    heading: &'static str,
    sender: String,
    email: String,
    reference: String,
    title: String,
    /// The original title of a film; "" if it is the English one.
    original_title: String,
    award: &'static str,
    fee: String,
    /// The payment code; "" without one.
    code: String,
    /// The UTR that was given by itself; "" without one.
    utr: String,
    received: String,
    is_late: bool,
    /// The fields that were filled in, as they were sent.
    fields: Vec<MailField>,
    files: Vec<MailedFile>,
    remarks: Vec<&'static str>,
    message: String,
    /// What happens next, and by when.
    next_steps: String,
    /// E-mail address for corrections.
    corrections: String,
    /// Link to the submission in the back office.
    link: String,
    signature: String,
}

/// A field as a mail lists it.
#[derive(Serialize)]
struct MailField {
    label: &'static str,
    value: String,
}

/// A file as a mail lists it.
#[derive(Serialize)]
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
}

/// Puts both mails into the outbox, in the transaction that stores the submission. A sender without an address gets none.
pub(crate) async fn enqueue(
    write: &mut Write,
    (site, settings): (&Site, &Settings),
    submission: &NewSubmission,
    stored: &StoredSubmission,
    files: Vec<MailedFile>,
) -> Result<()> {
    let context = context(site, settings, submission, stored, files);
    let product = &settings.product.name;
    let year = submission.edition.year;
    let (receipt_kind, note_kind, template, arrived) = match submission.kind.name {
        "film" => (
            "film-receipt",
            "film-note",
            include_str!("../templates/receipt-film.hbs"),
            format!("your film {} has arrived", context.title),
        ),
        "delegate" => (
            "delegate-receipt",
            "delegate-note",
            include_str!("../templates/receipt-delegate.hbs"),
            "your registration has arrived".to_owned(),
        ),
        _ => (
            "contact-receipt",
            "contact-note",
            include_str!("../templates/receipt-contact.hbs"),
            "your message has arrived".to_owned(),
        ),
    };
    let sender = Mailbox::new(context.sender.clone(), context.email.clone());
    let receipt = Message {
        kind: receipt_kind,
        to: sender.clone(),
        reply_to: None,
        subject: format!("{product} {year}: {arrived} ({})", stored.reference),
        body: mail::render(template, &context)?,
        created_at: site.clock.now(),
    };
    let note = Message {
        kind: note_kind,
        to: sender.clone(),
        reply_to: Some(sender).filter(|sender| !sender.address.is_empty()),
        subject: format!("{} {}: {}", context.heading, stored.reference, context.title),
        body: mail::render(include_str!("../templates/note.hbs"), &context)?,
        created_at: site.clock.now(),
    };
    // The contact form does not require an address.
    if !receipt.to.address.is_empty() {
        mail::enqueue(write, &receipt).await?;
    }
    mail::enqueue_to_organisers(write, settings, &note).await?;
    Ok(())
}

fn context(
    site: &Site,
    settings: &Settings,
    submission: &NewSubmission,
    stored: &StoredSubmission,
    files: Vec<MailedFile>,
) -> MailContext {
    let contact = &settings.contact;
    let kind = submission.kind;
    let sender = submission.text(kind.sender_name);
    let (heading, title) = match kind.name {
        "film" => ("New film", submission.text("title_english")),
        "delegate" => ("New registration", submission.text("category")),
        _ => ("New message", ""),
    };
    let after_sending = settings.section::<FormsSettings>(MODULE).after_sending;
    let form = submission.own_text("award_category").unwrap_or(kind.name);
    let original_title = submission.text("title_original");
    let link = site.hosts.public_url().map_or(String::new(), |url| format!("{url}{}/{}", kind.list_path(), stored.id));
    MailContext {
        festival: submission.edition.name.clone(),
        heading,
        title: if title.is_empty() { sender } else { title }.to_owned(),
        sender: sender.to_owned(),
        email: submission.text(kind.sender_email).to_owned(),
        reference: stored.reference.clone(),
        original_title: if original_title == title { String::new() } else { original_title.to_owned() },
        award: submission.own_text("award_category").and_then(Form::find).map_or("", Form::award_name),
        fee: submission.own_number("fee_inr").filter(|fee| *fee > 0).map_or(String::new(), rupees),
        code: submission.own_text("payment_code").unwrap_or_default().to_owned(),
        utr: submission.own_text("payment_utr").unwrap_or_default().to_owned(),
        received: timestamps::with_zone_name(submission.now, &site.time_zone),
        is_late: submission.is_late,
        fields: fields(submission),
        files,
        remarks: remarks(submission),
        message: submission.text("message").to_owned(),
        next_steps: after_sending.next_steps(form, Some(&submission.edition)),
        corrections: after_sending.corrections(settings).to_owned(),
        link,
        signature: [settings.product.full_name.as_str(), &contact.email, &contact.phone]
            .into_iter()
            .filter(|line| !line.is_empty())
            .collect::<Vec<_>>()
            .join("\n"),
    }
}

/// Returns the fields that were filled in, in the order of the form.
fn fields(submission: &NewSubmission) -> Vec<MailField> {
    let columns = submission.kind.entity.columns().zip(&submission.record);
    columns
        .filter_map(|(field, datum)| {
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
            (!value.is_empty()).then(|| MailField { label: short_label(field), value })
        })
        .collect()
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
