//! What a page says of a submission: its fields in the sections of its form, its files, its flags in sentences.

use festival_core::admin::{Action, AdminRequest};
use festival_core::entity::{Field, Kind as FieldKind};
use festival_core::scanner::NOT_SCANNED;
use serde_json::{Value, json};

use super::list_query::UNCLASSIFIED;
use super::role::{PEOPLE, may_see};
use crate::description::{ASIAN, CONTACT, DELEGATE_FORM, Form};
use crate::export::is_without_consent;
use crate::mails::size_text;
use crate::submissions::{Kind, SentFile, Submission};
use crate::words;

/// The form that it was sent with; a film of which the award is not known has the sections of any.
pub(super) fn form_of(kind: &Kind, submission: &Submission<'_>) -> &'static Form {
    match kind.name {
        "film" => Form::of(submission.text("award_category")).unwrap_or(&ASIAN),
        "delegate" => &DELEGATE_FORM,
        _ => &CONTACT,
    }
}

/// A label without the limits that it tells the sender.
pub(super) fn label_of(field: &Field) -> &'static str {
    let limits = [" (up to", " (less than", " (NO is", " (optional"];
    let end = limits.iter().filter_map(|limit| field.label.find(limit)).min();
    &field.label[..end.unwrap_or(field.label.len())]
}

/// The fields that whoever asks may see, under the headings of the form.
pub(super) fn sections(request: &AdminRequest, kind: &Kind, submission: &Submission<'_>) -> Vec<Value> {
    let over_long: Vec<&str> = submission.text("over_long").split_whitespace().collect();
    let findings = submission.findings();
    let said = |name: &&'static str| {
        let field = kind.entity.field(name).filter(|field| field.has_column() && may_see(request, field))?;
        let datum = submission.value(name);
        let finding = findings.iter().find(|finding| finding.field == field.name);
        let sent = finding.and_then(|finding| finding.sent.clone());
        let stored = || field.display(datum, &request.site.time_zone);
        let reason = finding.and_then(|finding| finding.reason.clone());
        let read = match &sent {
            // The column holds the reading; a reason says it already.
            Some(_) => reason.is_none().then(stored),
            None => finding.and_then(|finding| finding.read.clone()),
        };
        let text = sent.unwrap_or_else(stored);
        Some(json!({
            "label": label_of(field),
            "href": href(field, read.as_deref().unwrap_or(&text)),
            "outside": matches!(field.kind, FieldKind::Link),
            "too_long": over_long.contains(name).then(|| format!("{} of {} words", words::count(&text), field.max_words)),
            "empty": text.is_empty(),
            "read": read.filter(|read| !read.is_empty() && *read != text),
            "reason": reason,
            "text": text,
        }))
    };
    form_of(kind, submission)
        .sections
        .iter()
        .map(|section| {
            json!({ "title": section.title, "fields": section.fields.iter().filter_map(said).collect::<Vec<_>>() })
        })
        .filter(|section| section["fields"].as_array().is_some_and(|fields| !fields.is_empty()))
        .collect()
}

/// Where a value leads: to a mailbox, a telephone, a page elsewhere.
fn href(field: &Field, text: &str) -> Option<String> {
    match field.kind {
        FieldKind::Email if !text.is_empty() => Some(format!("mailto:{text}")),
        FieldKind::Phone => {
            // The first of several numbers, without its extension.
            let first = text.split([',', ';']).next().unwrap_or_default();
            let number: String = first.chars().filter(|c| c.is_ascii_digit() || *c == '+').collect();
            (!number.is_empty()).then(|| format!("tel:{number}"))
        }
        FieldKind::Link => {
            let first = text.split_whitespace().next()?;
            let lower = first.to_ascii_lowercase();
            (lower.starts_with("https://") || lower.starts_with("http://")).then(|| first.to_owned())
        }
        _ => None,
    }
}

/// The files that whoever asks may see, in the order of the form.
pub(super) fn files(request: &AdminRequest, kind: &Kind, submission: &Submission<'_>) -> Vec<Value> {
    let fields = form_of(kind, submission).sections.iter().flat_map(|section| section.fields.iter());
    fields
        .filter_map(|name| kind.entity.field(name))
        .filter(|field| may_see(request, field))
        .filter_map(|field| Some(file(request, kind, submission.id, field, submission.file(field)?)))
        .collect()
}

fn file(request: &AdminRequest, kind: &Kind, id: i64, field: &Field, file: &SentFile) -> Value {
    let href = format!("{}/{id}/files/{}", kind.home(), field.name);
    json!({
        "field": field.name,
        "label": label_of(field),
        "name": file.name,
        "size": size_text(u64::try_from(file.size).unwrap_or_default()),
        "is_picture": is_picture(file),
        "view": request.address(&format!("{href}/view"), &[]),
        "href": href,
        "remark": remark(file),
    })
}

/// Whether browsers show it; what was received was told by its bytes.
pub(super) fn is_picture(file: &SentFile) -> bool {
    matches!(file.mime.as_str(), "image/jpeg" | "image/png" | "image/webp")
}

/// What to know before opening a file.
fn remark(file: &SentFile) -> String {
    let has = |flag| file.has_flag(flag);
    let danger = if has("active_content") {
        "This PDF can start something when it is opened. Open it on no machine that matters."
    } else if has("encrypted") {
        "This PDF is locked: nobody could look what is inside."
    } else if has("may_hide_active_content") {
        "This PDF may hide something that starts when it is opened. Open it on no machine that matters."
    } else {
        ""
    };
    let not_scanned =
        if has(NOT_SCANNED) { "The virus scanner did not answer when this file came: it was not scanned." } else { "" };
    [danger, not_scanned, file.remark()].into_iter().filter(|words| !words.is_empty()).collect::<Vec<_>>().join(" ")
}

/// What there is to know of it, a sentence each; `alike` are others about the same thing.
pub(super) fn remarks(request: &AdminRequest, kind: &Kind, submission: &Submission<'_>, alike: &[Value]) -> Vec<Value> {
    let mut remarks = Vec::new();
    let mut say = |words: String, others: &[Value]| remarks.push(json!({ "words": words, "others": others }));
    if submission.flag("is_quarantined") {
        let words = "It looked like the work of a machine, and stands apart. Its sender got no receipt.";
        say(words.to_owned(), &[]);
    }
    if submission.flag("is_late") {
        say("It came after the deadline.".to_owned(), &[]);
    }
    if is_without_consent(submission) {
        say("Consent was not given with this form.".to_owned(), &[]);
    }
    if submission.text("award_category") == UNCLASSIFIED {
        say("Nothing in it tells for which award it is. Please choose one below.".to_owned(), &[]);
    }
    if !alike.is_empty() || submission.flag("is_possible_duplicate") {
        let words = match kind.name {
            "film" => "There is more than one submission of this film.",
            _ if request.may(&PEOPLE, Action::View) => "More than one registration names this payment.",
            _ => "There is more than one of it.",
        };
        say(words.to_owned(), alike);
    }
    if submission.text("declared_feature_label") == "No" && submission.text("is_first_or_second_feature") != "No" {
        say("The sender says that it is neither the director's first nor second film.".to_owned(), &[]);
    }
    for finding in submission.findings() {
        let Some(field) = kind.entity.field(&finding.field).filter(|field| may_see(request, field)) else { continue };
        let Some(reason) = finding.reason else { continue };
        say(format!("{}: {reason}.", label_of(field)), &[]);
    }
    let over_long: Vec<&str> = submission
        .text("over_long")
        .split_whitespace()
        .filter_map(|name| kind.entity.field(name))
        .map(label_of)
        .collect();
    if !over_long.is_empty() {
        say(format!("These texts have more words than asked for: {}.", over_long.join(", ")), &[]);
    }
    remarks
}
