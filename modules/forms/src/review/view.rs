//! Data of the page of a submission: fields in the sections of the form, files, remarks, values of inputs.

use festival_core::admin::{Action, AdminRequest};
use festival_core::entity::{Field, Kind as FieldKind};
use festival_core::scanner::NOT_SCANNED;
use festival_core::size_text;
use serde_json::{Value, json};

use crate::description::{ASIAN, CONTACT, DELEGATE_FORM, Form, short_label};
use crate::role::{PEOPLE, may_see};
use crate::submissions::{SentFile, Submission, UNCLASSIFIED, has_flag};
use crate::word_count::word_count;

/// Returns the form of a submission. Any film form serves for a film without a known award.
fn form_of(submission: &Submission) -> &'static Form {
    match submission.kind.name {
        "film" => Form::find(submission.text("award_category")).unwrap_or(&ASIAN),
        "delegate" => &DELEGATE_FORM,
        _ => &CONTACT,
    }
}

/// Returns the fields that the account may see, under the headings of the form.
pub(super) fn sections(request: &AdminRequest, submission: &Submission) -> Vec<Value> {
    let findings = submission.findings();
    let field_data = |name: &&'static str| {
        let field = submission.kind.entity.field(name).filter(|field| field.has_column() && may_see(request, field))?;
        let datum = submission.value(name);
        let finding = findings.iter().find(|finding| finding.field == field.name);
        let sent = finding.and_then(|finding| finding.sent.clone());
        let stored = || field.display(datum, &request.site.time_zone);
        let reason = finding.and_then(|finding| finding.reason.clone());
        let read = match &sent {
            // The column has the parsed value, which a reason would mention already.
            Some(_) => reason.is_none().then(stored),
            None => finding.and_then(|finding| finding.read.clone()),
        };
        let text = sent.unwrap_or_else(stored);
        let is_over_long = submission.over_long().any(|over_long| over_long.name == field.name);
        Some(json!({
            "label": short_label(field),
            "href": href(field, read.as_deref().unwrap_or(&text)),
            "outside": matches!(field.kind, FieldKind::Link),
            "too_long": is_over_long.then(|| format!("{} of {} words", word_count(&text), field.max_words)),
            "empty": text.is_empty(),
            "read": read.filter(|read| !read.is_empty() && *read != text),
            "reason": reason,
            "text": text,
        }))
    };
    form_of(submission)
        .sections
        .iter()
        .map(|section| {
            json!({ "title": section.title, "fields": section.fields.iter().filter_map(field_data).collect::<Vec<_>>() })
        })
        .filter(|section| section["fields"].as_array().is_some_and(|fields| !fields.is_empty()))
        .collect()
}

/// Returns the link of a value: `mailto:`, `tel:`, or a web address.
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

/// Returns the files that the account may see, in the order of the form.
pub(super) fn files(request: &AdminRequest, submission: &Submission) -> Vec<Value> {
    let fields = form_of(submission).sections.iter().flat_map(|section| section.fields.iter());
    fields
        .filter_map(|name| submission.kind.entity.field(name))
        .filter(|field| may_see(request, field))
        .flat_map(|field| submission.versions(field).map(move |sent| file(request, submission, field, sent)))
        .collect()
}

fn file(request: &AdminRequest, submission: &Submission, field: &Field, file: &SentFile) -> Value {
    let href = format!("{}/files/{}", submission.path(), file.field);
    let replaced = if file.is_replaced() { ", replaced" } else { "" };
    json!({
        "field": file.field,
        "label": format!("{}{replaced}", short_label(field)),
        "name": file.name,
        "size": size_text::size(u64::try_from(file.size).unwrap_or_default()),
        "picture": is_viewable(file).then(|| picture_href(&href, file)),
        "view": request.address(&format!("{href}/view"), &[]),
        "href": href,
        "remark": remark(file),
    })
}

/// Whether browsers show the file as a picture. Its type was detected from its bytes.
pub(super) fn is_picture(file: &SentFile) -> bool {
    file.mime.starts_with("image/")
}

/// Whether there is a picture of the file.
pub(super) fn is_viewable(file: &SentFile) -> bool {
    is_picture(file) || is_pdf(file)
}

/// Whether the pages of the file are rendered as pictures, because the browser must not open it.
pub(super) fn is_pdf(file: &SentFile) -> bool {
    file.mime == "application/pdf"
}

/// Returns the address of the picture of a file at `href`: itself, or its first page.
fn picture_href(href: &str, file: &SentFile) -> String {
    if is_pdf(file) { format!("{href}/pages/1") } else { href.to_owned() }
}

/// Returns warnings about opening a file.
fn remark(file: &SentFile) -> String {
    let has = |flag| has_flag(&file.flags, flag);
    let warning = if has("active_content") {
        "This PDF can start something when it is opened. Open it on no machine that matters."
    } else if has("encrypted") {
        "This PDF is locked, so its content could not be checked."
    } else if has("may_hide_active_content") {
        "This PDF may hide something that starts when it is opened. Open it on no machine that matters."
    } else {
        ""
    };
    let not_scanned =
        if has(NOT_SCANNED) { "The virus scanner did not answer when this file came: it was not scanned." } else { "" };
    [warning, not_scanned, file.remark()].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Returns the remarks about a submission, a sentence each. `duplicates` are others that may be the same submission; `None` if
/// the page names them elsewhere.
pub(super) fn remarks(request: &AdminRequest, submission: &Submission, duplicates: Option<&[Value]>) -> Vec<Value> {
    let kind = submission.kind;
    let mut remarks = Vec::new();
    let mut add = |text: String, others: &[Value]| remarks.push(json!({ "words": text, "others": others }));
    if submission.flag("is_quarantined") {
        let text = "It looks like the work of a bot and is in quarantine. Its sender got no receipt.";
        add(text.to_owned(), &[]);
    }
    if submission.flag("is_late") {
        add("It came after the deadline.".to_owned(), &[]);
    }
    if submission.is_without_consent() {
        add("Consent was not given with this form.".to_owned(), &[]);
    }
    if submission.text("award_category") == UNCLASSIFIED {
        let what_to_do = if request.may(kind.resource, Action::Edit) { " Please choose one below." } else { "" };
        add(format!("Its award is not known.{what_to_do}"), &[]);
    }
    if let Some(duplicates) = duplicates
        && (!duplicates.is_empty() || submission.flag("is_possible_duplicate"))
    {
        let text = match kind.name {
            "film" => {
                "Perhaps the same film as another submission: its titles, poster or proof of payment are the same."
            }
            _ if request.may(&PEOPLE, Action::View) => {
                "Perhaps the same as another registration: both name one payment."
            }
            _ => "Perhaps the same as another submission.",
        };
        add(text.to_owned(), duplicates);
    }
    if submission.is_declared_no() {
        add("The sender says that it is neither the director's first nor second film.".to_owned(), &[]);
    }
    for finding in submission.findings() {
        let Some(field) = kind.entity.field(&finding.field).filter(|field| may_see(request, field)) else { continue };
        let Some(reason) = finding.reason else { continue };
        add(format!("{}: {reason}.", short_label(field)), &[]);
    }
    let over_long: Vec<&str> = submission.over_long().map(short_label).collect();
    if !over_long.is_empty() {
        add(format!("These texts have more words than asked for: {}.", over_long.join(", ")), &[]);
    }
    remarks
}

/// Returns the input of a refused form, otherwise the stored text.
pub(super) fn input_or_stored(request: &AdminRequest, submission: &Submission, name: &str) -> String {
    if request.form.has(name) { request.form.get(name) } else { submission.text(name) }.to_owned()
}
