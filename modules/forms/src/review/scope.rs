//! The part of what people sent that is open to whoever looks. What lies outside is not there: a statement that went
//! through [`within`] finds no row of it, so that lists, numbers, pages, files and exports cannot differ in it.

use festival_core::admin::scope::EDITIONS;
use festival_core::admin::{Limit, Scope};
use festival_core::db::Select;
use festival_core::edition::EDITION;
use festival_core::entity::{Datum, table};
use festival_core::{Registry, Result};
use sqlx::AnyConnection;

use super::list_query::UNCLASSIFIED;
use super::show;
use crate::description::FILM_FORMS;
use crate::submissions::Kind;

/// The key of sections: each award's films, films of no known award, and every other kind as a whole.
pub(super) const SECTIONS: &str = "section";

pub(super) fn register(registry: &mut Registry) {
    let said = |key: &str, label: &str| (key.to_owned(), label.to_owned());
    let films = FILM_FORMS.iter().map(|form| said(form.key, &format!("Films: {}", form.award_name())));
    let mut sections: Vec<_> = films.collect();
    sections.push(said(UNCLASSIFIED, "Films: award not known"));
    sections.push(said("delegate", "Delegates and members"));
    sections.push(said("contact", "Messages"));
    registry.scope(Limit::fixed(SECTIONS, "Sections", sections));
}

/// Only what is in `scope` of what `select` finds.
pub(super) async fn within(
    connection: &mut AnyConnection,
    scope: &Scope,
    kind: &Kind,
    mut select: Select,
) -> Result<Select> {
    if let Some(years) = scope.values(EDITIONS) {
        let editions = table::choices(connection, &EDITION, None).await?;
        let open = editions.into_iter().filter(|edition| years.contains(&edition.key));
        select = select.among("edition_id", open.map(|edition| Datum::Integer(edition.id)).collect());
    }
    if let Some(sections) = scope.values(SECTIONS) {
        if kind.has_award() {
            select = select.among("award_category", sections.iter().cloned().map(Datum::Text).collect());
        } else if !sections.contains(kind.name) {
            select = select.among("id", Vec::new());
        }
    }
    Ok(select)
}

/// Whether the submission with this id is in `scope`.
pub(super) async fn holds(connection: &mut AnyConnection, scope: &Scope, (kind, id): (&Kind, i64)) -> Result<bool> {
    if !scope.is_limited() {
        return Ok(true);
    }
    Ok(show::select(connection, scope, (kind, id)).await?.count(connection).await? > 0)
}
