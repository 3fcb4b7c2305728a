//! Widgets of the dashboard: tasks that wait for organisers, and numbers of submissions by day.

use std::collections::BTreeMap;

use festival_core::admin::Action;
use festival_core::admin::Permission::To;
use festival_core::admin::dashboard::{DashboardContext, Metric, PendingTask};
use festival_core::db::{Select, Test};
use festival_core::entity::Datum;
use festival_core::{Registry, Result};
use sqlx::AnyConnection;

use crate::description::FILM_FORMS;
use crate::role::{FILMS, PEOPLE};
use crate::scope::{SECTIONS, within};
use crate::submissions::{KINDS, SubmissionKind, UNCLASSIFIED, film};

pub(super) fn register(registry: &mut Registry) {
    for kind in &KINDS {
        registry.pending_task(To(kind.resource, Action::View), move |context| new_submissions(context, kind));
        if kind.has_payment() {
            registry.pending_task(To(&PEOPLE, Action::Edit), move |context| unchecked_payments(context, kind));
        }
        if !kind.has_award() {
            registry.metric(To(kind.resource, Action::View), move |context| by_day(context, kind));
        }
    }
    registry.pending_task(To(&PEOPLE, Action::Edit), quarantined);
    registry.pending_task(To(&FILMS, Action::Edit), films_without_award);
    registry.metric(To(&FILMS, Action::View), films_by_day);
}

/// Selects the submissions of the current edition that are in scope and not in quarantine.
async fn select(context: &DashboardContext, connection: &mut AnyConnection, kind: &SubmissionKind) -> Result<Select> {
    select_quarantined(context, connection, kind, false).await
}

/// Selects the submissions of the current edition that are in scope, and in quarantine or not. None before the first edition.
async fn select_quarantined(
    context: &DashboardContext,
    connection: &mut AnyConnection,
    kind: &SubmissionKind,
    is_quarantined: bool,
) -> Result<Select> {
    let edition = Datum::Integer(context.edition.as_ref().map_or(0, |edition| edition.id));
    let select = kind.select_quarantined(is_quarantined).filter("edition_id", Test::Is, edition);
    within(connection, &context.scope, kind, select).await
}

/// Counts the submissions with this `value` in `column`.
async fn count(context: &DashboardContext, kind: &SubmissionKind, column: &'static str, value: &str) -> Result<i64> {
    let mut connection = context.read().await?;
    let select = select(context, &mut connection, kind).await?.filter(column, Test::Is, Datum::Text(value.to_owned()));
    select.count(&mut connection).await
}

fn pending_tasks(count: i64, one: &str, many: &str, href: String) -> Result<Vec<PendingTask>> {
    Ok(PendingTask::counted(count, one, many, href).into_iter().collect())
}

async fn new_submissions(context: DashboardContext, kind: &'static SubmissionKind) -> Result<Vec<PendingTask>> {
    let count = count(&context, kind, "status", "new").await?;
    let (one, many) = match kind.name {
        "film" => ("film that nobody has looked at", "films that nobody has looked at"),
        "delegate" => ("registration to confirm", "registrations to confirm"),
        _ => ("message to answer", "messages to answer"),
    };
    pending_tasks(count, one, many, format!("{}?status=new", kind.list_path()))
}

async fn unchecked_payments(context: DashboardContext, kind: &'static SubmissionKind) -> Result<Vec<PendingTask>> {
    let count = count(&context, kind, "payment", "unchecked").await?;
    let (one, many) = match kind.name {
        "film" => ("payment of a film to check", "payments of films to check"),
        _ => ("payment of a registration to check", "payments of registrations to check"),
    };
    pending_tasks(count, one, many, format!("{}?payment=unchecked", kind.list_path()))
}

/// Counts the submissions in quarantine that nobody has reviewed.
async fn quarantined(context: DashboardContext) -> Result<Vec<PendingTask>> {
    let mut connection = context.read().await?;
    let mut count = 0;
    for kind in &KINDS {
        let select = select_quarantined(&context, &mut connection, kind, true).await?;
        count += select.filter("status", Test::Is, Datum::Text("new".into())).count(&mut connection).await?;
    }
    pending_tasks(count, "form in quarantine", "forms in quarantine", "/admin/quarantine".to_owned())
}

async fn films_without_award(context: DashboardContext) -> Result<Vec<PendingTask>> {
    let (one, many) = ("film of which the award is not known", "films of which the award is not known");
    let count = count(&context, film(), "award_category", UNCLASSIFIED).await?;
    pending_tasks(count, one, many, format!("{}?award={UNCLASSIFIED}", film().list_path()))
}

/// Counts the rows of `select` in the last days by the minute in which they arrived.
async fn count_by_minute(
    context: &DashboardContext,
    connection: &mut AnyConnection,
    select: Select,
) -> Result<BTreeMap<String, i64>> {
    let select = select.filter("created_at", Test::From, Datum::Text(context.days.since.clone()));
    select.counts(connection, "substr(created_at, 1, 16)").await
}

async fn by_day(context: DashboardContext, kind: &'static SubmissionKind) -> Result<Vec<Metric>> {
    let label = if kind.name == "delegate" { "Delegates and members" } else { "Messages" };
    let mut connection = context.read().await?;
    let select = select(&context, &mut connection, kind).await?;
    let counts = context.days.counts_by_day(count_by_minute(&context, &mut connection, select).await?);
    Ok(vec![Metric { label: label.to_owned(), href: kind.list_path(), counts }])
}

/// Returns a metric for each film form in scope.
async fn films_by_day(context: DashboardContext) -> Result<Vec<Metric>> {
    let mut connection = context.read().await?;
    let films = select(&context, &mut connection, film()).await?;
    let mut metrics = Vec::new();
    for form in FILM_FORMS.iter().filter(|form| context.scope.allows(SECTIONS, form.key)) {
        let select = films.clone().filter("award_category", Test::Is, Datum::Text(form.key.to_owned()));
        metrics.push(Metric {
            label: format!("Films: {}", form.award_name()),
            href: format!("{}?award={}", film().list_path(), form.key),
            counts: context.days.counts_by_day(count_by_minute(&context, &mut connection, select).await?),
        });
    }
    Ok(metrics)
}
