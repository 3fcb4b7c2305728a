//! What the first page of the back office says of what people sent: what waits for somebody, numbers by day.

use std::collections::BTreeMap;

use festival_core::admin::Action;
use festival_core::admin::Permission::To;
use festival_core::admin::dashboard::{DashboardContext, Metric, PendingTask};
use festival_core::db::{Select, Test};
use festival_core::entity::Datum;
use festival_core::{Registry, Result};
use sqlx::AnyConnection;

use super::list_query::UNCLASSIFIED;
use super::role::{FILMS, PEOPLE};
use super::scope::{SECTIONS, within};
use crate::description::FILM_FORMS;
use crate::submissions::{KINDS, Kind};

pub(super) fn register(registry: &mut Registry) {
    for kind in &KINDS {
        registry.pending_task(To(kind.resource, Action::View), move |context| untouched(context, kind));
        if kind.has_payment() {
            registry.pending_task(To(&PEOPLE, Action::Edit), move |context| unpaid(context, kind));
        }
        if !kind.has_award() {
            registry.metric(To(kind.resource, Action::View), move |context| by_day(context, kind));
        }
    }
    registry.pending_task(To(&PEOPLE, Action::Edit), set_apart);
    registry.pending_task(To(&FILMS, Action::Edit), of_no_award);
    registry.metric(To(&FILMS, Action::View), films_by_day);
}

/// What came in the current edition, is not in quarantine, and is open to whoever looks; nothing before the first edition.
async fn open(context: &DashboardContext, connection: &mut AnyConnection, kind: &Kind) -> Result<Select> {
    let apart = Datum::Integer(0);
    of_edition(context, connection, kind).await.map(|select| select.only("is_quarantined", Test::Is, apart))
}

async fn of_edition(context: &DashboardContext, connection: &mut AnyConnection, kind: &Kind) -> Result<Select> {
    let edition = Datum::Integer(context.edition.as_ref().map_or(0, |edition| edition.id));
    let select = Select::new(kind.entity.table, Vec::new()).only("edition_id", Test::Is, edition);
    within(connection, &context.scope, kind, select).await
}

/// How many of them hold `word` in `column`.
async fn count(context: &DashboardContext, kind: &Kind, column: &'static str, word: &str) -> Result<i64> {
    let mut connection = context.read().await?;
    let select = open(context, &mut connection, kind).await?.only(column, Test::Is, Datum::Text(word.to_owned()));
    Ok(i64::try_from(select.count(&mut connection).await?).unwrap_or(i64::MAX))
}

fn listed(count: i64, one: &str, many: &str, href: String) -> Result<Vec<PendingTask>> {
    Ok(PendingTask::counted(count, one, many, href).into_iter().collect())
}

async fn untouched(context: DashboardContext, kind: &'static Kind) -> Result<Vec<PendingTask>> {
    let count = count(&context, kind, "status", "new").await?;
    let (one, many) = match kind.name {
        "film" => ("film that nobody has looked at", "films that nobody has looked at"),
        "delegate" => ("registration to confirm", "registrations to confirm"),
        _ => ("message to answer", "messages to answer"),
    };
    listed(count, one, many, format!("{}?status=new", kind.home()))
}

async fn unpaid(context: DashboardContext, kind: &'static Kind) -> Result<Vec<PendingTask>> {
    let count = count(&context, kind, "payment", "unchecked").await?;
    let (one, many) = match kind.name {
        "film" => ("payment of a film to check", "payments of films to check"),
        _ => ("payment of a registration to check", "payments of registrations to check"),
    };
    listed(count, one, many, format!("{}?payment=unchecked", kind.home()))
}

/// What looked like the work of a machine, and nobody has decided about.
async fn set_apart(context: DashboardContext) -> Result<Vec<PendingTask>> {
    let mut connection = context.read().await?;
    let mut all = 0;
    for kind in &KINDS {
        let select = of_edition(&context, &mut connection, kind).await?;
        let select = select.only("is_quarantined", Test::Is, Datum::Integer(1));
        let waiting = select.only("status", Test::Is, Datum::Text("new".into())).count(&mut connection).await?;
        all += i64::try_from(waiting).unwrap_or(i64::MAX);
    }
    listed(all, "form in quarantine", "forms in quarantine", "/admin/quarantine".to_owned())
}

async fn of_no_award(context: DashboardContext) -> Result<Vec<PendingTask>> {
    let (one, many) = ("film of which the award is not known", "films of which the award is not known");
    let count = count(&context, film(), "award_category", UNCLASSIFIED).await?;
    listed(count, one, many, format!("{}?award={UNCLASSIFIED}", film().home()))
}

fn film() -> &'static Kind {
    &KINDS[0]
}

/// The minutes of the last days in which some of `select` came, and how many.
async fn minutes(
    context: &DashboardContext,
    connection: &mut AnyConnection,
    select: Select,
) -> Result<BTreeMap<String, i64>> {
    let select = select.only("created_at", Test::From, Datum::Text(context.days.since.clone()));
    select.counts(connection, "substr(created_at, 1, 16)").await
}

async fn by_day(context: DashboardContext, kind: &'static Kind) -> Result<Vec<Metric>> {
    let label = if kind.name == "delegate" { "Delegates and members" } else { "Messages" };
    let mut connection = context.read().await?;
    let select = open(&context, &mut connection, kind).await?;
    let counts = context.days.counts_by_day(minutes(&context, &mut connection, select).await?);
    Ok(vec![Metric { label: label.to_owned(), href: kind.home(), counts }])
}

/// A curve for each film form that is open to whoever looks.
async fn films_by_day(context: DashboardContext) -> Result<Vec<Metric>> {
    let mut connection = context.read().await?;
    let films = open(&context, &mut connection, film()).await?;
    let mut metrics = Vec::new();
    for form in FILM_FORMS.iter().filter(|form| context.scope.allows(SECTIONS, form.key)) {
        let select = films.clone().only("award_category", Test::Is, Datum::Text(form.key.to_owned()));
        metrics.push(Metric {
            label: format!("Films: {}", form.award_name()),
            href: format!("{}?award={}", film().home(), form.key),
            counts: context.days.counts_by_day(minutes(&context, &mut connection, select).await?),
        });
    }
    Ok(metrics)
}
