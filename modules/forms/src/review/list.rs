//! The list of what people sent: the newest first, searched, filtered, counted by status.

use festival_core::admin::{Action, AdminRequest, Reply};
use festival_core::{Result, time_text};
use serde_json::{Value, json};

use super::role::PEOPLE;
use super::{list_query, show};
use crate::description::Form;
use crate::export::flags;
use crate::submissions::{Kind, PAYMENTS, Submission, label_of};

/// Rows of a page.
const PAGE: u16 = 50;
/// The most characters of a text beside a title.
const LONGEST: usize = 80;

pub(super) async fn show(request: AdminRequest, kind: &'static Kind) -> Result<Reply> {
    let mut connection = request.read().await?;
    let asked = list_query::read(&request, &mut connection, kind).await?;
    let page = request.query.get("page").parse::<u32>().unwrap_or(1).clamp(1, 1_000_000);
    let passed = (page - 1) * u32::from(PAGE);
    let rows = asked.select.newest(&mut connection, passed, PAGE).await?;
    if page > 1 && rows.is_empty() {
        return Ok(Reply::redirect(request.address(&kind.home(), &[("page", "")])).into());
    }
    let counts = asked.of_any_status.counts(&mut connection, "status").await?;
    drop(connection);
    let all: i64 = counts.values().sum();
    let count = |status: &str| if status.is_empty() { all } else { counts.get(status).copied().unwrap_or_default() };
    let total = count(&asked.status);
    let tab = |key: &str, label: &str| {
        json!({
            "label": label,
            "count": count(key),
            "href": request.address(&kind.home(), &[("status", key), ("page", "")]),
            "current": asked.status == key,
        })
    };
    let mut tabs = vec![tab("", "All")];
    tabs.extend(kind.states.iter().map(|state| tab(state.key, state.label)));
    let to = |page: u32| request.address(&kind.home(), &[("page", &page.to_string())]);
    let shown = rows.len();
    let people = request.may(&PEOPLE, Action::View);
    let row = |(id, values)| {
        let submission = Submission::new(&request.site.secrets, kind, &asked.select, id, values);
        row(&request, kind, people, &submission)
    };
    Ok(Reply::page("submissions", show::name_of_list(kind))
        .with("home", kind.home())
        .with("plural", kind.entity.plural)
        .with("tabs", tabs)
        .with("rows", rows.into_iter().map(row).collect::<Vec<_>>())
        .with("first", passed + 1)
        .with("last", passed as usize + shown)
        .with("total", total)
        .with("previous", (page > 1).then(|| to(page - 1)))
        .with("next", (i64::from(passed) + (shown as i64) < total).then(|| to(page + 1)))
        .with("search", &asked.search)
        .with("status", &asked.status)
        .with("narrowed", asked.is_narrow())
        .with("filters", &asked.filters)
        .with("editions", &asked.editions)
        .with(
            "states",
            kind.states.iter().map(|state| json!({ "key": state.key, "label": state.label })).collect::<Vec<_>>(),
        )
        .with("has_award", kind.has_award())
        .with("has_payment", kind.has_payment() && people)
        .with("selected", request.address(&format!("{}/selected", kind.home()), &[]))
        .with("export", request.address(&format!("{}/export", kind.home()), &[("page", "")]))
        .with("may_edit", request.may(kind.resource, Action::Edit))
        .with("may_export", request.may(kind.resource, Action::Export))
        .lists_people(kind.entity.table, shown, json!({ "page": page, "filters": asked.said() }))
        .into())
}

fn row(request: &AdminRequest, kind: &Kind, people: bool, submission: &Submission<'_>) -> Value {
    let (status, payment) = (submission.text("status"), submission.text("payment"));
    let award = submission.text("award_category");
    json!({
        "id": submission.id,
        "href": request.address(&format!("{}/{}", kind.home(), submission.id), &[("page", "")]),
        "reference": submission.text("reference"),
        "title": submission.text(kind.title),
        "beside": shortened(submission.text(kind.beside)),
        "award": Form::of(award).map_or("not known", Form::award_name),
        "status": label_of(kind.states, status),
        "tone": show::tone(kind.states, status),
        "payment": people.then(|| label_of(PAYMENTS, payment)),
        "payment_tone": show::tone(PAYMENTS, payment),
        "flags": flags(submission),
        "received": time_text::short(submission.text("created_at"), &request.site.time_zone),
    })
}

fn shortened(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= LONGEST {
        return line;
    }
    line.chars().take(LONGEST).chain(['…']).collect()
}
