//! The mails about a submission: a receipt to the sender, a note to the organisers.

use festival_core::Result;
use festival_core::db::Write;
use festival_core::entity::Datum;
use festival_core::mail::{self, Mailbox, Message};
use festival_core::settings::Settings;
use festival_core::site::Site;
use festival_core::site::rupees;
use serde::Serialize;

use crate::description::Form;
use crate::settings::FormsSettings;
use crate::submit::{NewSubmission, StoredSubmission};
use crate::{MODULE, moment};

/// What the templates say.
#[derive(Serialize)]
struct Letter {
    festival: String,
    what: String,
    sender: String,
    email: String,
    reference: String,
    title: String,
    original: String,
    award: String,
    fee: String,
    received: String,
    is_late: bool,
    /// Every field that was filled in, as it was sent.
    fields: Vec<LetterField>,
    files: Vec<LetterFile>,
    remarks: Vec<&'static str>,
    message: String,
    /// What happens with it, and by when.
    next_steps: String,
    /// Whom to write to for a correction.
    corrections: String,
    link: String,
    signature: String,
}

/// A field as a mail lists it.
#[derive(Serialize)]
struct LetterField {
    label: &'static str,
    value: String,
}

/// A file as a mail lists it.
#[derive(Serialize)]
struct LetterFile {
    label: &'static str,
    name: String,
    size: String,
    /// What its sender should know of it.
    remark: &'static str,
}

/// A file that was kept, as a mail needs it: field, name, size in bytes, remark.
pub(crate) type MailedFile<'a> = (&'static str, &'a str, u64, &'static str);

/// Puts both mails into the outbox, in the transaction that keeps the submission.
pub(crate) async fn enqueue(
    write: &mut Write,
    (site, settings): (&Site, &Settings),
    draft: &NewSubmission,
    kept: &StoredSubmission,
    files: &[MailedFile<'_>],
) -> Result<()> {
    let letter = letter(site, settings, draft, kept, files);
    let product = &settings.product.name;
    let year = draft.edition.year;
    let (receipt_kind, note_kind, template, about) = match draft.entity.table {
        "film_submissions" => (
            "film-receipt",
            "film-note",
            include_str!("../templates/receipt-film.hbs"),
            format!("your film {} has arrived", letter.title),
        ),
        "delegates" => (
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
    let sender = Mailbox::new(letter.sender.clone(), letter.email.clone());
    let receipt = Message {
        kind: receipt_kind,
        to: sender.clone(),
        reply_to: None,
        subject: format!("{product} {year}: {about} ({})", kept.reference),
        body: mail::render(template, &letter)?,
        created_at: site.clock.now(),
    };
    let note = Message {
        kind: note_kind,
        to: sender.clone(),
        reply_to: Some(sender).filter(|sender| !sender.address.is_empty()),
        subject: format!("{} {}: {}", letter.what, kept.reference, letter.title),
        body: mail::render(include_str!("../templates/note.hbs"), &letter)?,
        created_at: site.clock.now(),
    };
    // The specification asks for no address on the contact form.
    if !receipt.to.address.is_empty() {
        mail::enqueue(write, &receipt).await?;
    }
    mail::enqueue_to_organisers(write, settings, &note).await?;
    Ok(())
}

fn letter(
    site: &Site,
    settings: &Settings,
    draft: &NewSubmission,
    kept: &StoredSubmission,
    files: &[MailedFile<'_>],
) -> Letter {
    let contact = &settings.contact;
    let (sender, email) = draft.sender.clone();
    let what = match draft.entity.table {
        "film_submissions" => "New film",
        "delegates" => "New registration",
        _ => "New message",
    };
    let after = settings.section::<FormsSettings>(MODULE).after_sending;
    let form = draft.own_text("award_category").unwrap_or(if what == "New message" { "contact" } else { "delegate" });
    let original = draft.text("title_original");
    let link =
        site.hosts.public_url().map_or(String::new(), |url| format!("{url}/admin/{}/{}", draft.entity.slug(), kept.id));
    Letter {
        festival: draft.edition.name.clone(),
        what: what.to_owned(),
        title: if draft.title.is_empty() { sender.clone() } else { draft.title.clone() },
        sender,
        email,
        reference: kept.reference.clone(),
        original: if original == draft.title { String::new() } else { original.to_owned() },
        award: draft.own_text("award_category").and_then(Form::of).map_or("", Form::award_name).to_owned(),
        fee: draft.own_number("fee_inr").filter(|fee| *fee > 0).map_or(String::new(), rupees),
        received: moment::in_words(draft.now, &site.time_zone),
        is_late: draft.is_late,
        fields: fields(draft),
        files: files
            .iter()
            .map(|(field, name, size, remark)| LetterFile {
                label: draft.entity.field(field).map_or("", |field| label_of(field.label)),
                name: (*name).to_owned(),
                size: size_text(*size),
                remark,
            })
            .collect(),
        remarks: remarks(draft),
        message: draft.text("message").to_owned(),
        next_steps: after.next_steps(form, Some(&draft.edition)),
        corrections: after.corrections(settings).to_owned(),
        link,
        signature: [settings.product.full_name.as_str(), &contact.email, &contact.phone]
            .into_iter()
            .filter(|line| !line.is_empty())
            .collect::<Vec<_>>()
            .join("\n"),
    }
}

/// The fields that were filled in, in the form's order.
fn fields(draft: &NewSubmission) -> Vec<LetterField> {
    let columns = draft.entity.columns().zip(&draft.record);
    columns
        .filter_map(|(field, datum)| {
            // Where the column holds a reading, the finding has what was sent.
            let finding = draft.findings.iter().find(|finding| finding.field == field.name);
            let value = match (finding.and_then(|finding| finding.sent.clone()), datum) {
                (Some(sent), _) => sent,
                (None, Datum::Text(text)) => text.clone(),
                (None, Datum::Integer(number)) => number.to_string(),
                _ => String::new(),
            };
            // The label that was chosen, where two share a value.
            let declared =
                draft.own_text("declared_feature_label").filter(|_| field.name == "is_first_or_second_feature");
            let value = declared.map_or(value, str::to_owned);
            // Mails pass through many hands.
            let is_secret = field.name == "screener_link_password" && value != field.default;
            let value = if is_secret { "as you sent it".to_owned() } else { value };
            (!value.is_empty()).then(|| LetterField { label: label_of(field.label), value })
        })
        .collect()
}

/// A label without the limits of the form, which stand in brackets.
fn label_of(label: &'static str) -> &'static str {
    // "(English)" tells two fields apart; limits are more than one word.
    match label.split_once(" (") {
        Some((name, limit)) if limit == "optional)" || limit.contains(' ') => name,
        _ => label,
    }
}

fn remarks(draft: &NewSubmission) -> Vec<&'static str> {
    let mut remarks = Vec::new();
    if draft.is_late {
        remarks.push("It came after the deadline.");
    }
    if !draft.over_long.is_empty() {
        remarks.push("Some texts are longer than asked for.");
    }
    if draft.own_text("award_category") == Some("unclassified") {
        remarks.push("The award is not known; please choose it.");
    }
    if draft.own_text("declared_feature_label") == Some("No") {
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
