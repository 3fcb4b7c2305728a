//! The page itself.

use festival_core::admin::{AdminRequest, Page, Reply};
use festival_core::db::timestamp_text;
use festival_core::entity::Kind as FieldKind;
use festival_core::submissions::Submitted;
use festival_core::{Result, size_text, time_text};
use serde_json::{Value, json};

use super::decision::Decision;
use super::links::{self, FILMS, KEY, Opened};
use super::{changes, lost};

/// The status of a film that its sender has withdrawn.
pub(super) const WITHDRAWN: &str = "withdrawn";

/// What the sender may still change.
pub(super) struct Allowed {
    /// Any file.
    files: bool,
    /// The proof of the payment, which was rejected.
    proof: bool,
    pub(super) texts: bool,
    pub(super) answer: bool,
    pub(super) withdrawal: bool,
}

impl Allowed {
    pub(super) fn of(request: &AdminRequest, opened: &Opened, decision: Option<&Decision>) -> Self {
        let submitted = &opened.submitted;
        let is_film = opened.kind == FILMS;
        let is_over = is_film && submitted.status == WITHDRAWN
            || !is_film && submitted.status == "rejected"
            || decision.is_some_and(|it| it.outcome == "not_selected" || !matches!(&*it.answer, "" | "confirmed"));
        let is_rejected = submitted.due.as_ref().is_some_and(|due| due.state == "rejected");
        Self {
            files: !is_over && submitted.is_open,
            proof: !is_over && is_rejected,
            texts: !is_over,
            answer: !is_over && decision.is_some_and(|it| it.is_awaiting_answer(&request.site, request.now())),
            withdrawal: !is_over && is_film,
        }
    }

    /// Whether the file of the field called `name` may be replaced.
    pub(super) fn file(&self, name: &str) -> bool {
        self.files || self.proof && name == "screenshot"
    }
}

/// Handles `GET /status`: the page of a link, or the form for those who have none.
pub(super) async fn show(request: AdminRequest) -> Result<Reply> {
    let key = request.query.get(KEY).to_owned();
    if key.is_empty() {
        return Ok(lost::show(&request));
    }
    Ok(page(&request, &key, &links::open(&request, &key).await?).await?.into())
}

/// The page about what the link with the secret `key` opened.
pub(super) async fn page(request: &AdminRequest, key: &str, opened: &Opened) -> Result<Page> {
    let mut connection = request.read().await?;
    let decision = Decision::find(&mut connection, opened).await?;
    let proposed = changes::open_of(&mut connection, opened.kind, opened.submitted.id).await?;
    drop(connection);
    let allowed = Allowed::of(request, opened, decision.as_ref());
    let submitted = &opened.submitted;
    let zone = &request.site.time_zone;
    let is_film = opened.kind == FILMS;
    let value = |value: &festival_core::submissions::SubmittedValue| {
        let is_long = matches!(value.field.kind, FieldKind::Lines { .. });
        let proposal = proposed.iter().find(|proposal| proposal.field == value.field.name);
        json!({
            "field": value.field.name,
            "label": value.label,
            // A password is not shown where it might be read over a shoulder.
            "text": if value.field.name.ends_with("password") { "as you sent it" } else { value.text.as_str() },
            "wanted": proposal.map_or(&value.text, |proposal| &proposal.after_text),
            "proposed": proposal.map(|proposal| &proposal.after_text),
            "may_change": value.may_change && allowed.texts,
            "long": is_long,
        })
    };
    Ok(Reply::page("status", if is_film { "Your film" } else { "Your registration" })
        .with(
            "malayalam",
            if is_film {
                "നിങ്ങളുടെ ചിത്രം"
            } else {
                "നിങ്ങളുടെ രജിസ്‌ട്രേഷൻ"
            },
        )
        .with("key", key)
        .with("reference", &submitted.reference)
        .with("title", &submitted.title)
        .with("received", time_text::long(&timestamp_text(submitted.received_at), zone))
        .with("zone", zone.iana_name().unwrap_or("UTC"))
        .with("state", state(opened, decision.as_ref()))
        .with("message", decision.as_ref().map(|decision| decision.message.as_str()).unwrap_or_default())
        .with("payment", payment(submitted))
        .with("next", next(request, opened, decision.as_ref(), &allowed))
        .with("may_answer", allowed.answer)
        .with("may_withdraw", allowed.withdrawal)
        .with("files", files(submitted, &allowed))
        .with("values", submitted.values.iter().filter(|value| !value.text.is_empty()).map(value).collect::<Vec<_>>()))
}

/// Where it stands, as a sentence. The desk's status of a film is not shown: its decision counts once it is released.
fn state(opened: &Opened, decision: Option<&Decision>) -> &'static str {
    match (decision, opened.submitted.status.as_str()) {
        (Some(decision), _) => decision.sentence(),
        (None, WITHDRAWN) if opened.kind == FILMS => "You have withdrawn the film.",
        (None, _) if opened.kind == FILMS => "We have received your film.",
        (None, "confirmed") => "Your registration is confirmed.",
        (None, "rejected") => "Your registration could not be accepted. Please write to us.",
        _ => "We have received your registration.",
    }
}

fn payment(submitted: &Submitted) -> Option<Value> {
    let payment = submitted.due.as_ref()?;
    let sentence = match payment.state.as_str() {
        "verified" => "We have received the payment.".to_owned(),
        "rejected" if payment.reason.is_empty() => "The payment could not be accepted.".to_owned(),
        "rejected" => format!("The payment could not be accepted: {}.", payment.reason.trim_end_matches('.')),
        _ => "We have not checked the payment yet.".to_owned(),
    };
    Some(json!({ "sentence": sentence, "due": payment.amount }))
}

/// What is due next and by when, a sentence each.
fn next(request: &AdminRequest, opened: &Opened, decision: Option<&Decision>, allowed: &Allowed) -> Vec<String> {
    let submitted = &opened.submitted;
    let mut next = Vec::new();
    if allowed.answer {
        let by = decision.and_then(Decision::confirm_by);
        let by = by.map_or(String::new(), |day| format!(" by {}", day.strftime("%-d %B %Y")));
        next.push(format!("Please confirm{by} that your film takes part, or decline."));
    }
    if allowed.proof {
        next.push("Pay again, and replace the screenshot of the payment below.".to_owned());
    }
    match submitted.closes_at {
        Some(at) if allowed.files => {
            let at = time_text::long(&timestamp_text(at), &request.site.time_zone);
            next.push(format!("Until {at} you can replace each file below."));
        }
        _ if allowed.files => next.push("You can replace each file below.".to_owned()),
        _ => {}
    }
    if decision.is_none() && allowed.texts {
        next.push(submitted.next_steps.clone());
    }
    next.retain(|sentence| !sentence.is_empty());
    next
}

fn files(submitted: &Submitted, allowed: &Allowed) -> Vec<Value> {
    let file = |file: &festival_core::submissions::SubmittedFile| {
        let takes_pdf = matches!(file.field.kind, FieldKind::File { pdf: true });
        json!({
            "field": file.field.name,
            "label": file.label,
            "name": file.name,
            "size": size_text::size(file.size),
            "remark": file.remark,
            "replaced": file.is_replaced,
            "may_replace": !file.is_replaced && allowed.file(file.field.name),
            "accept": if takes_pdf { "image/jpeg,image/png,image/webp,application/pdf" } else { "image/jpeg,image/png,image/webp" },
        })
    };
    submitted.files.iter().map(file).collect()
}
