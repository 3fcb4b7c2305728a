//! What the first page of the back office says of what people sent: what waits for somebody, numbers by day.

use festival_core::admin::Action;
use festival_core::admin::Permission::To;
use festival_core::admin::dashboard::{Curve, Glance, Todo};
use festival_core::{Registry, Result};

use super::asked::UNCLASSIFIED;
use super::role::{FILMS, PEOPLE};
use crate::description::{FILM_FORMS, Form};
use crate::kept::{KINDS, Kind};

/// A statement about the table of a kind.
macro_rules! of_table {
    ($kind:expr, $before:literal, $after:literal) => {
        match $kind.name {
            "film" => concat!($before, "film_submissions", $after),
            "delegate" => concat!($before, "delegates", $after),
            _ => concat!($before, "contact_messages", $after),
        }
    };
}

pub(super) fn register(registry: &mut Registry) {
    for kind in &KINDS {
        registry.todo(To(kind.resource, Action::View), move |glance| untouched(glance, kind));
        if kind.has_payment() {
            registry.todo(To(&PEOPLE, Action::Edit), move |glance| unpaid(glance, kind));
        }
        if !kind.has_award() {
            registry.by_day(To(kind.resource, Action::View), move |glance| by_day(glance, kind));
        }
    }
    registry.todo(To(&PEOPLE, Action::Edit), set_apart);
    registry.todo(To(&FILMS, Action::Edit), of_no_award);
    registry.by_day(To(&FILMS, Action::View), films_by_day);
}

/// What a statement counts in the current edition.
async fn count(glance: &Glance, sql: &'static str) -> Result<i64> {
    let Some(edition) = &glance.edition else { return Ok(0) };
    let mut connection = glance.read().await?;
    Ok(sqlx::query_scalar(sql).bind(edition.id).fetch_one(&mut *connection).await?)
}

fn listed(count: i64, one: &str, many: &str, href: String) -> Result<Vec<Todo>> {
    Ok(Todo::counted(count, one, many, href).into_iter().collect())
}

async fn untouched(glance: Glance, kind: &'static Kind) -> Result<Vec<Todo>> {
    let sql =
        of_table!(kind, "SELECT count(*) FROM ", " WHERE edition_id = $1 AND is_quarantined = 0 AND status = 'new'");
    let count = count(&glance, sql).await?;
    let (one, many) = match kind.name {
        "film" => ("film that nobody has looked at", "films that nobody has looked at"),
        "delegate" => ("registration to confirm", "registrations to confirm"),
        _ => ("message to answer", "messages to answer"),
    };
    listed(count, one, many, format!("{}?status=new", kind.home()))
}

async fn unpaid(glance: Glance, kind: &'static Kind) -> Result<Vec<Todo>> {
    let sql = of_table!(
        kind,
        "SELECT count(*) FROM ",
        " WHERE edition_id = $1 AND is_quarantined = 0 AND payment = 'unchecked'"
    );
    let count = count(&glance, sql).await?;
    let (one, many) = match kind.name {
        "film" => ("payment of a film to check", "payments of films to check"),
        _ => ("payment of a registration to check", "payments of registrations to check"),
    };
    listed(count, one, many, format!("{}?payment=unchecked", kind.home()))
}

/// What looked like the work of a machine, and nobody has decided about.
async fn set_apart(glance: Glance) -> Result<Vec<Todo>> {
    let mut all = 0;
    for kind in &KINDS {
        let sql = of_table!(
            kind,
            "SELECT count(*) FROM ",
            " WHERE edition_id = $1 AND is_quarantined = 1 AND status = 'new'"
        );
        all += count(&glance, sql).await?;
    }
    listed(all, "form in quarantine", "forms in quarantine", "/admin/quarantine".to_owned())
}

async fn of_no_award(glance: Glance) -> Result<Vec<Todo>> {
    let sql = "SELECT count(*) FROM film_submissions \
               WHERE edition_id = $1 AND is_quarantined = 0 AND award_category = 'unclassified'";
    let (one, many) = ("film of which the award is not known", "films of which the award is not known");
    listed(count(&glance, sql).await?, one, many, format!("{}?award={UNCLASSIFIED}", film().home()))
}

fn film() -> &'static Kind {
    &KINDS[0]
}

/// The minutes of the last days in which something came, and how much.
async fn minutes(glance: &Glance, kind: &Kind) -> Result<Vec<(String, i64)>> {
    let Some(edition) = &glance.edition else { return Ok(Vec::new()) };
    let sql = of_table!(
        kind,
        "SELECT substr(created_at, 1, 16) AS minute, count(*) AS count FROM ",
        " WHERE edition_id = $1 AND is_quarantined = 0 AND created_at >= $2 GROUP BY substr(created_at, 1, 16)"
    );
    let mut connection = glance.read().await?;
    let query = sqlx::query_as(sql).bind(edition.id).bind(glance.days.since.clone());
    Ok(query.fetch_all(&mut *connection).await?)
}

async fn by_day(glance: Glance, kind: &'static Kind) -> Result<Vec<Curve>> {
    let label = if kind.name == "delegate" { "Delegates and members" } else { "Messages" };
    let counts = glance.days.spread(minutes(&glance, kind).await?);
    Ok(vec![Curve { label: label.to_owned(), href: kind.home(), counts }])
}

/// A curve for each film form.
async fn films_by_day(glance: Glance) -> Result<Vec<Curve>> {
    let Some(edition) = &glance.edition else { return Ok(Vec::new()) };
    let mut connection = glance.read().await?;
    let rows: Vec<(String, String, i64)> = sqlx::query_as(
        "SELECT award_category, substr(created_at, 1, 16) AS minute, count(*) AS count FROM film_submissions \
         WHERE edition_id = $1 AND is_quarantined = 0 AND created_at >= $2 \
         GROUP BY award_category, substr(created_at, 1, 16)",
    )
    .bind(edition.id)
    .bind(glance.days.since.clone())
    .fetch_all(&mut *connection)
    .await?;
    let curve = |form: &&Form| {
        let of_form = rows.iter().filter(|(award, _, _)| award == form.key);
        Curve {
            label: format!("Films: {}", form.award_name()),
            href: format!("{}?award={}", film().home(), form.key),
            counts: glance.days.spread(of_form.map(|(_, minute, count)| (minute.clone(), *count))),
        }
    };
    Ok(FILM_FORMS.iter().map(curve).collect())
}
