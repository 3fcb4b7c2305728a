//! The mails about a submission: a receipt to the sender, a note to the organisers.

use festival_core::db::Write;
use festival_core::mail::{self, Mailbox, Message};
use festival_core::settings::Settings;
use festival_core::site::rupees;
use festival_core::{App, Result};
use serde::Serialize;

use crate::description::Form;
use crate::submit::{Draft, Kept};

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
    files: Vec<LetterFile>,
    remarks: Vec<&'static str>,
    message: String,
    link: String,
    signature: String,
}

/// A file as a mail lists it.
#[derive(Serialize)]
struct LetterFile {
    label: &'static str,
    name: String,
    size: String,
}

/// Puts both mails into the outbox, in the transaction that keeps the submission.
pub(crate) async fn enqueue(
    write: &mut Write,
    (app, settings): (&App, &Settings),
    draft: &Draft,
    kept: &Kept,
    files: &[(&'static str, &str, u64)],
) -> Result<()> {
    let letter = letter(app, settings, draft, kept, files);
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
        created_at: app.clock.now(),
    };
    let note = Message {
        kind: note_kind,
        to: sender.clone(),
        reply_to: Some(sender),
        subject: format!("{} {}: {}", letter.what, kept.reference, letter.title),
        body: mail::render(include_str!("../templates/note.hbs"), &letter)?,
        created_at: app.clock.now(),
    };
    mail::enqueue(write, &receipt).await?;
    mail::enqueue_to_organisers(write, settings, &note).await?;
    Ok(())
}

fn letter(app: &App, settings: &Settings, draft: &Draft, kept: &Kept, files: &[(&'static str, &str, u64)]) -> Letter {
    let contact = &settings.contact;
    let (sender, email) = draft.sender.clone();
    let what = match draft.entity.table {
        "film_submissions" => "New film",
        "delegates" => "New registration",
        _ => "New message",
    };
    let original = draft.text("title_original");
    let link =
        app.hosts.public_url().map_or(String::new(), |url| format!("{url}/admin/{}/{}", draft.entity.slug(), kept.id));
    Letter {
        festival: draft.edition.name.clone(),
        what: what.to_owned(),
        title: if draft.title.is_empty() { sender.clone() } else { draft.title.clone() },
        sender,
        email,
        reference: kept.reference.clone(),
        original: if original == draft.title { String::new() } else { original.to_owned() },
        award: draft.own_text("award_category").and_then(Form::of).map_or("", Form::award_name).to_owned(),
        fee: draft.own_number("fee_inr").map_or(String::new(), rupees),
        received: draft.now.to_zoned(app.time_zone.clone()).strftime("%-d %B %Y, %H:%M").to_string(),
        files: files
            .iter()
            .map(|(field, name, size)| LetterFile {
                label: draft.entity.field(field).map_or("", |field| label_of(field.label)),
                name: (*name).to_owned(),
                size: size_text(*size),
            })
            .collect(),
        remarks: remarks(draft),
        message: draft.text("message").to_owned(),
        link,
        signature: [settings.product.full_name.as_str(), &contact.email, &contact.phone]
            .into_iter()
            .filter(|line| !line.is_empty())
            .collect::<Vec<_>>()
            .join("\n"),
    }
}

/// A label without what stands in brackets: the limits of the form.
fn label_of(label: &'static str) -> &'static str {
    label.split(" (").next().unwrap_or(label)
}

fn remarks(draft: &Draft) -> Vec<&'static str> {
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
