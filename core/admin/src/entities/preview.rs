//! Preview of a row on the real page, from the values of the form, without storing anything.

use rocket::http::Status;

use super::paths::{home, public_url};
use super::{form, plan, save};
use crate::back_office::AdminRequest;
use crate::serving::frame::capitalized;
use crate::serving::reply::Reply;
use festival_base::db::PreviewTransaction;
use festival_base::error::{Error, FieldError, Result};
use festival_records::editing::{self, IS_PUBLISHED};
use festival_records::edition;
use festival_records::entity::{Entity, Values};
use festival_web::page;
use festival_web::site::Archive;

/// Renders the public page with the values of the form. Nothing is stored or recorded.
pub(super) async fn show(mut request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    let id = request.params.get("id").map(|_| request.id()).transpose()?;
    let (values, errors) = save::submitted_values(&mut request, entity).await?;
    if !errors.is_empty() {
        return Ok(unavailable(entity, errors));
    }
    page::prepare(&request.site)?;
    let draft = PreviewTransaction::begin(&request.site.db).await?;
    let page = render(&request, &draft, entity, id, &values).await;
    draft.discard().await;
    match page {
        Ok(Some(html)) => Ok(Reply::Website(html)),
        Ok(None) => {
            let message = format!("The page of this {} is not available on the site at the moment", entity.singular);
            Ok(unavailable(entity, vec![FieldError::new("", message)]))
        }
        Err(Error::Invalid(errors)) => Ok(unavailable(entity, errors)),
        Err(error) => Err(error),
    }
}

async fn render(
    request: &AdminRequest,
    draft: &PreviewTransaction,
    entity: &'static Entity,
    id: Option<i64>,
    submitted: &Values,
) -> Result<Option<String>> {
    let Some(public_url) = public_url(request, entity) else { return Ok(None) };
    let mut values = submitted.clone();
    values.remove(plan::PUBLISH_AT);
    if values.contains_key(IS_PUBLISHED) {
        values.insert(IS_PUBLISHED.to_owned(), "yes".to_owned());
    }
    let mut connection = draft.write().await?;
    let (site, editor) = (&request.site, request.editor()?);
    let records = &site.records;
    let id = match id {
        Some(id) => {
            // Concurrent changes are reported when the form is saved.
            let version = editing::get(&mut connection, entity, id).await?.version();
            editing::update(records, &mut connection, entity, (id, &version), &values, &editor).await?;
            id
        }
        None => {
            let edition = form::chosen_edition(&mut connection, entity, request.form.get("edition")).await?;
            editing::create(records, &mut connection, entity, edition.map(|edition| edition.id), &values, &editor)
                .await?
        }
    };
    let current = editing::get(&mut connection, entity, id).await?;
    let shown = edition::find_current(&mut connection).await?.map(|shown| shown.id);
    let other = current.edition.filter(|edition| Some(*edition) != shown);
    let other = edition::all(&mut connection).await?.into_iter().find(|edition| Some(edition.id) == other);
    let printed = form::printed(request, &mut connection, entity, &current).await?;
    drop(connection);
    let Some(address) = public_url.address(&site.contents, entity, id, (&printed, &current.record)) else {
        return Ok(None);
    };
    let (path, query) = address.split_once('?').unwrap_or((&address, ""));
    let query_value =
        |name: &str| query.split_once('=').filter(|(of, _)| *of == name).map(|(_, value)| value.to_owned());
    let mut site = site.with_database(draft.db());
    if let Some(edition) = other {
        // What visitors would see once it is current, or do see in the archive.
        site = site.showing(Archive { year: edition.year, path: String::new() });
    }
    page::preview(&site, path, query_value, &request.base_url).await
}

/// Returns the page that explains why there is no preview.
fn unavailable(entity: &Entity, errors: Vec<FieldError>) -> Reply {
    Reply::page("entity-no-preview", "Preview not available")
        .crumb(capitalized(entity.plural), home(entity))
        .with("errors", errors)
        .status(Status::UnprocessableEntity)
        .into()
}
