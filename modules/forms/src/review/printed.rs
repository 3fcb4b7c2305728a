//! Lists to print: the door list of delegates, in alphabetical order to tick and sign, and the jury list of films, with
//! room for notes and a mark. Both have the entries of the list from which they are opened.

use festival_core::admin::collections::ListQuery;
use festival_core::admin::{Action, AdminRequest, Input, Reply};
use festival_core::importing::likeness;
use festival_core::{Error, Result, alphabet, lang, time_text};
use serde_json::{Value, json};

use super::list::SubmissionList;
use super::view;
use crate::description::Form;
use crate::role::{PEOPLE, may_see};
use crate::submissions::{PAYMENTS, Submission, SubmissionKind, SubmissionReader, label_of};

/// Maximum number of rows of a list.
const MAX_ROWS: i64 = 5_000;
/// Maximum number of films whose posters are shown by default: each is a full-size picture from the private store.
const MAX_POSTERS: usize = 60;
/// The query parameter for a jury list with or without posters.
const POSTERS: &str = "posters";
const POSTER: &str = "film_poster";

impl SubmissionKind {
    /// The name of the list to print: "Door list"; `None` if there is none.
    pub(super) fn printed_list(&self) -> Option<&'static str> {
        match self.name {
            "film" => Some("Jury list"),
            "delegate" => Some("Door list"),
            _ => None,
        }
    }
}

/// Handles `GET print`.
pub(super) async fn show(request: AdminRequest, kind: &'static SubmissionKind) -> Result<Reply> {
    let mut connection = request.read().await?;
    let query = ListQuery::read(&request, &mut connection, &SubmissionList { kind }).await?;
    let count = query.select.count(&mut connection).await?;
    if count > MAX_ROWS {
        return Err(Error::BadRequest(format!(
            "These are {count} {}; at most {MAX_ROWS} can be printed. Narrow the list by its filters.",
            kind.entity.plural
        )));
    }
    let mut reader = SubmissionReader::new(&request.site.secrets, kind, &query.select);
    let mut submissions = Vec::new();
    while let Some(submission) = reader.next(&mut connection).await? {
        submissions.push(submission);
    }
    drop(connection);
    let is_film = kind.has_award();
    let name = kind.printed_list().unwrap_or_default();
    let page = Reply::page(if is_film { "jury-list" } else { "door-list" }, name)
        .crumb(kind.list_title(), request.address(&kind.list_path(), &[(POSTERS, "")]))
        .with("filter", filter_text(kind, &query))
        .with("printed", time_text::long(&festival_core::db::timestamp_text(request.now()), &request.site.time_zone))
        .with("festival", &request.site.settings.product.name)
        .with("year", query.year())
        .with("count", count)
        .lists_people(kind.entity.table, submissions.len(), json!({ "printed": true, "filters": query.for_audit() }));
    Ok(if is_film {
        let chosen = request.query.get(POSTERS);
        let has_posters = chosen == "yes" || chosen != "no" && submissions.len() <= MAX_POSTERS;
        submissions.sort_by(|film, other| {
            let by_award = film.text("award_category").cmp(other.text("award_category"));
            by_award.then_with(|| alphabet::compare(&likeness::fold(film.title()), &likeness::fold(other.title())))
        });
        let other = if has_posters { "no" } else { "yes" };
        page.with("has_posters", has_posters)
            .with("other", request.address(&format!("{}/print", kind.list_path()), &[(POSTERS, other)]))
            .with("films", submissions.iter().map(|film| jury_entry(&request, film, has_posters)).collect::<Vec<_>>())
    } else {
        page.with("has_payment", request.may(&PEOPLE, Action::View)).with("letters", letters(&request, &submissions))
    }
    .into())
}

/// The filter of the list as text: "Status: Confirmed · Category: Student Delegate".
fn filter_text(kind: &SubmissionKind, query: &ListQuery) -> String {
    let chosen = |filter: &Input| {
        let choice = filter.choices.iter().find(|choice| choice.chosen)?;
        Some(format!("{}: {}", filter.label, choice.label))
    };
    let status = Some(format!("Status: {}", label_of(kind.states, query.status))).filter(|_| !query.status.is_empty());
    let search = Some(format!("Search: {}", query.search)).filter(|_| !query.search.is_empty());
    let parts = status.into_iter().chain(query.filters.iter().filter_map(chosen)).chain(search);
    parts.collect::<Vec<_>>().join(" · ")
}

/// The delegates by the first letter of their names; last, under "#", those whose name begins with none.
fn letters(request: &AdminRequest, submissions: &[Submission]) -> Vec<Value> {
    let may_see_payments = request.may(&PEOPLE, Action::View);
    let row = |submission: &Submission| {
        let payment = submission.text("payment");
        let is_paid = payment == "verified" || submission.due().rupees == Some(0);
        let status = submission.text("status");
        json!({
            "name": submission.title(),
            "lang": lang::of(submission.title()),
            "category": submission.text("category"),
            "reference": submission.reference(),
            "note": (status != "new" && status != "confirmed").then(|| label_of(submission.kind.states, status)),
            "paid": (may_see_payments && is_paid).then_some("paid"),
            "unpaid": (may_see_payments && !is_paid).then(|| match payment {
                "unchecked" => "unpaid: not checked yet".to_owned(),
                other => format!("unpaid: {}", label_of(PAYMENTS, other).to_lowercase()),
            }),
        })
    };
    let rows = submissions.iter().map(|submission| (likeness::fold(submission.title()), row(submission)));
    let mut letters = alphabet::by_letter(rows);
    letters.sort_by_key(|(letter, _)| letter.is_none());
    let group =
        |(letter, rows): (Option<String>, _)| json!({ "letter": letter.as_deref().unwrap_or("#"), "rows": rows });
    letters.into_iter().map(group).collect()
}

fn jury_entry(request: &AdminRequest, film: &Submission, has_posters: bool) -> Value {
    let entity = film.kind.entity;
    let value = |name: &str| match entity.field(name) {
        Some(field) if may_see(request, field) => field.display(film.value(name), &request.site.time_zone),
        _ => String::new(),
    };
    let synopsis = Some(value("synopsis_short")).filter(|text| !text.is_empty());
    let synopsis = synopsis.unwrap_or_else(|| value("synopsis_long"));
    let original = value("title_original");
    let poster = entity.field(POSTER).and_then(|field| film.file(field)).filter(|file| view::is_picture(file));
    let facts = [value("country_of_origin"), value("year_of_production"), minutes(film), value("film_language")];
    json!({
        "title": film.title(),
        "title_lang": lang::of(film.title()),
        "original_lang": lang::of(&original),
        "original": Some(original).filter(|original| original != film.title()),
        "director": value("director_name"),
        "facts": facts.into_iter().filter(|fact| !fact.is_empty()).collect::<Vec<_>>().join(" · "),
        "award": Form::find(film.text("award_category")).map_or("Award not known", Form::award_name),
        "reference": film.reference(),
        "synopsis_lang": lang::of(&synopsis),
        "synopsis": synopsis,
        "poster": poster.filter(|_| has_posters).map(|_| format!("{}/files/{POSTER}", film.path())),
        "screener": value("screener_link"),
        "password": Some(value("screener_link_password")).filter(|password| password != "NO"),
    })
}

fn minutes(film: &Submission) -> String {
    film.number("duration_minutes").map_or(String::new(), |minutes| format!("{minutes} min"))
}
