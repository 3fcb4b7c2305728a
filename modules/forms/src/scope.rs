//! The scope of limited accounts: the editions and sections that they may see.
//!
//! A query narrowed by [`within`] returns no row outside the scope, so that lists, counts, pages, files and exports
//! agree.

use festival_core::admin::scope::EDITIONS;
use festival_core::admin::{Action, AdminRequest, Limit, Scope, nothing_here};
use festival_core::db::{Select, Test};
use festival_core::edition::EDITION;
use festival_core::entity::{Datum, table};
use festival_core::{Registry, Result};
use sqlx::AnyConnection;

use crate::description::FILM_FORMS;
use crate::submissions::{Submission, SubmissionKind, SubmissionReader, UNCLASSIFIED};

/// Key of the limit to sections: the films of each award, films without a known award, and each other kind as a whole.
pub(crate) const SECTIONS: &str = "section";

pub(crate) fn register(registry: &mut Registry) {
    let section = |key: &str, label: &str| (key.to_owned(), label.to_owned());
    let films = FILM_FORMS.iter().map(|form| section(form.key, &format!("Films: {}", form.award_name())));
    let mut sections: Vec<_> = films.collect();
    sections.push(section(UNCLASSIFIED, "Films: award not known"));
    sections.push(section("delegate", "Delegates and members"));
    sections.push(section("contact", "Messages"));
    registry.scope(Limit::fixed(SECTIONS, "Sections", sections));
}

/// Narrows `select` to the rows that are in `scope`.
pub(crate) async fn within(
    connection: &mut AnyConnection,
    scope: &Scope,
    kind: &SubmissionKind,
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

/// Returns the query for the submission with this id, which returns nothing if it is not in `scope`.
async fn select_one(
    connection: &mut AnyConnection,
    scope: &Scope,
    (kind, id): (&SubmissionKind, i64),
) -> Result<Select> {
    within(connection, scope, kind, kind.select().filter("id", Test::Is, Datum::Integer(id))).await
}

/// Whether the submission with this id is in `scope`.
pub(crate) async fn contains(
    connection: &mut AnyConnection,
    scope: &Scope,
    (kind, id): (&SubmissionKind, i64),
) -> Result<bool> {
    if !scope.is_limited() {
        return Ok(true);
    }
    Ok(select_one(connection, scope, (kind, id)).await?.count(connection).await? > 0)
}

/// Returns the submission with this id.
///
/// # Errors
/// 404 if there is none, or the account may not see it.
pub(crate) async fn find(
    request: &AdminRequest,
    connection: &mut AnyConnection,
    (kind, id): (&'static SubmissionKind, i64),
) -> Result<Submission> {
    let select = select_one(connection, &request.scope(), (kind, id)).await?;
    let submission = SubmissionReader::new(&request.site.secrets, kind, &select).next(connection).await?;
    submission.filter(|submission| may_open(request, submission)).ok_or_else(nothing_here)
}

/// Whether the account may see a submission. In quarantine it is visible to those who may edit it.
fn may_open(request: &AdminRequest, submission: &Submission) -> bool {
    request.may(submission.kind.resource, if submission.flag("is_quarantined") { Action::Edit } else { Action::View })
}
