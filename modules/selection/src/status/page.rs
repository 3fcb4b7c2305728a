//! The page itself.

use festival_core::admin::{AdminRequest, Page, Reply, nothing_here};
use festival_core::db::timestamp_text;
use festival_core::edition::day_text;
use festival_core::entity::Kind as FieldKind;
use festival_core::submissions::{SubmittedFile, SubmittedValue};
use festival_core::{Result, size_text, time_text};
use serde::Serialize;
use serde_json::json;

use super::links::{self, FILMS, KEY, Opened};
use super::{changes, lost};
use crate::decision::Decision;

/// The status of a film that its sender has withdrawn.
pub(super) const WITHDRAWN: &str = "withdrawn";

/// What the sender may still change.
#[derive(Serialize)]
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

/// The page about what the link with the secret `key` opened. The desk's status of a film is not shown, unless it is
/// withdrawn: its decision counts once it is released.
pub(super) async fn page(request: &AdminRequest, key: &str, opened: &Opened) -> Result<Page> {
    let mut connection = request.read().await?;
    let decision = opened.decision(&mut connection).await?;
    let proposed = changes::open_of(&mut connection, opened.kind, opened.submitted.id).await?;
    drop(connection);
    let allowed = Allowed::of(request, opened, decision.as_ref());
    let submitted = &opened.submitted;
    let (zone, is_film) = (&request.site.time_zone, opened.kind == FILMS);
    let value = |value: &SubmittedValue| {
        let proposal = proposed.iter().find(|proposal| proposal.field == value.field.name);
        json!({
            "field": value.field.name,
            "label": value.label,
            // A password is not shown where it might be read over a shoulder.
            "text": if value.field.name.ends_with("password") { "as you sent it" } else { value.text.as_str() },
            "wanted": proposal.map_or(&value.text, |proposal| &proposal.after_text),
            "proposed": proposal.map(|proposal| &proposal.after_text),
            "may_change": value.may_change && allowed.texts,
            "long": matches!(value.field.kind, FieldKind::Lines { .. }),
        })
    };
    let file = |file: &SubmittedFile| {
        json!({
            "field": file.field.name,
            "label": file.label,
            "name": file.name,
            "size": size_text::size(file.size),
            "remark": file.remark,
            "replaced": file.is_replaced,
            "may_replace": !file.is_replaced && allowed.file(file.field.name),
            "takes_pdf": matches!(file.field.kind, FieldKind::File { pdf: true }),
        })
    };
    let payment = submitted.due.as_ref().map(|due| {
        json!({
            "state": due.state,
            "reason": due.reason.trim_end_matches('.'),
            "amount": due.amount,
            "receipt": due.receipt,
        })
    });
    let status = if is_film && submitted.status != WITHDRAWN { "received" } else { &submitted.status };
    let shows_next_steps = decision.is_none() && allowed.texts;
    Ok(Reply::page("status", if is_film { "Your film" } else { "Your registration" })
        .with("is_film", is_film)
        .with("key", key)
        .with("reference", &submitted.reference)
        .with("title", &submitted.title)
        .with("received", time_text::long(&timestamp_text(submitted.received_at), zone))
        .with("zone", zone.iana_name().unwrap_or("UTC"))
        .with("status", status)
        .with("payment", payment)
        .with("next_steps", Some(&submitted.next_steps).filter(|_| shows_next_steps))
        .with("closes_at", submitted.closes_at.map(|at| time_text::long(&timestamp_text(at), zone)))
        .with("confirm_by", decision.as_ref().and_then(|it| it.confirm_by.as_deref()).map(day_text))
        .with("decision", &decision)
        .with("files", submitted.files.iter().map(file).collect::<Vec<_>>())
        .with("values", submitted.values.iter().filter(|value| !value.text.is_empty()).map(value).collect::<Vec<_>>())
        .with("allowed", &allowed))
}

/// Handles `GET /status/receipt`: the receipt of the payment, to print.
pub(super) async fn receipt(request: AdminRequest) -> Result<Reply> {
    let key = request.query.get(KEY).to_owned();
    let Opened { submitted, kind } = links::open(&request, &key).await?;
    let due = submitted.due.as_ref().ok_or_else(nothing_here)?;
    let receipt = due.receipt.as_ref().ok_or_else(nothing_here)?;
    let settings = request.site.in_force().await?;
    Ok(Reply::page("status-receipt", format!("Receipt {}", receipt.number))
        .with("key", key)
        .with("festival", &settings.product.full_name)
        .with("contact", &settings.contact.email)
        .with("is_film", kind == FILMS)
        .with("title", &submitted.title)
        .with("reference", &submitted.reference)
        .with("sender", &submitted.sender.0)
        .with("receipt", receipt)
        .with("due", &due.amount)
        .with("issued", time_text::long_day(&receipt.issued_at, &request.site.time_zone))
        .into())
}
