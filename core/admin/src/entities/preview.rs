//! A row as visitors would see it: on the real page, from what stands in the form, and kept by nobody.

use rocket::http::Status;

use super::{alternative_texts, capital, editor, form, home, plan, row_path, save};
use crate::reply::Reply;
use crate::request::AdminRequest;
use festival_base::db::PreviewTransaction;
use festival_base::error::{Error, FieldError, Result};
use festival_records::editing::{self, IS_PUBLISHED};
use festival_records::entity::{Entity, Record, Values};
use festival_web::page;
use festival_web::public_url::PublicUrl;

/// Where visitors see the rows of `entity`, if the site has pages.
pub(super) fn place(request: &AdminRequest, entity: &Entity) -> Option<PublicUrl> {
    request.site.contents.public_url_of(entity).filter(|_| request.site.settings.frontend.enabled)
}

/// Where the site shows a row; none for a draft.
pub(super) fn seen(request: &AdminRequest, entity: &Entity, id: i64, row: (&Values, &Record)) -> Option<String> {
    if row.0.get(IS_PUBLISHED).is_some_and(|shown| shown != "yes") {
        return None;
    }
    let place = place(request, entity)?;
    let address = place.address(&request.site.contents, entity, id, row)?;
    Some(place.fragment().map_or_else(|| address.clone(), |fragment| format!("{address}#{fragment}")))
}

/// Where the form of `entity` is sent for its preview.
pub(super) fn action(request: &AdminRequest, entity: &Entity, id: Option<i64>) -> Option<String> {
    let place = place(request, entity)?;
    let path = id.map_or_else(|| home(entity), |id| row_path(entity, id));
    // The browser goes to the part of the page in which the rows are.
    let fragment = place.fragment().map_or(String::new(), |fragment| format!("#{fragment}"));
    Some(format!("{path}/preview{fragment}"))
}

/// What is in the form, on its page. Nothing is written, so nothing is written down.
pub(super) async fn show(mut request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    let id = request.params.get("id").map(|_| request.id()).transpose()?;
    let (mut typed, wrong) = save::typed(&mut request, entity).await?;
    if !wrong.is_empty() {
        return Ok(refused(entity, wrong));
    }
    alternative_texts::read(&request, entity, &mut typed).await?;
    page::prepare(&request.site)?;
    let draft = PreviewTransaction::begin(&request.site.db).await?;
    let page = draw(&request, &draft, entity, id, &typed).await;
    draft.discard().await;
    match page {
        Ok(Some(html)) => Ok(Reply::Website(html)),
        Ok(None) => {
            let words = format!("The page that shows this {} is not on the site at the moment", entity.singular);
            Ok(refused(entity, vec![FieldError::new("", words)]))
        }
        Err(Error::Invalid(wrong)) => Ok(refused(entity, wrong)),
        Err(error) => Err(error),
    }
}

async fn draw(
    request: &AdminRequest,
    draft: &PreviewTransaction,
    entity: &'static Entity,
    id: Option<i64>,
    typed: &Values,
) -> Result<Option<String>> {
    let Some(place) = place(request, entity) else { return Ok(None) };
    let mut values = typed.clone();
    values.remove(plan::MOMENT);
    if values.contains_key(IS_PUBLISHED) {
        values.insert(IS_PUBLISHED.to_owned(), "yes".to_owned());
    }
    let mut connection = draft.write().await?;
    let (site, editor) = (&request.site, editor(request)?);
    let records = &site.records;
    let id = match id {
        Some(id) => {
            // What somebody else wrote meanwhile is said on saving.
            let mark = editing::get(&mut connection, entity, id).await?.version;
            editing::update(records, &mut connection, entity, (id, &mark), &values, &editor).await?;
            id
        }
        None => {
            let edition = form::chosen_edition(&mut connection, entity, request.form.get("edition")).await?;
            editing::create(records, &mut connection, entity, edition, &values, &editor).await?
        }
    };
    let current = editing::get(&mut connection, entity, id).await?;
    let printed = form::printed(request, &mut connection, entity, &current).await?;
    drop(connection);
    let Some(address) = place.address(&site.contents, entity, id, (&printed, &current.record)) else { return Ok(None) };
    let (path, query) = address.split_once('?').unwrap_or((&address, ""));
    let sent = |name: &str| query.split_once('=').filter(|(of, _)| *of == name).map(|(_, value)| value.to_owned());
    page::preview(&site.with_database(draft.db()), path, sent, &request.base_url).await
}

/// What is missing before there is anything to see.
fn refused(entity: &Entity, wrong: Vec<FieldError>) -> Reply {
    Reply::page("entity-no-preview", "No preview yet")
        .crumb(capital(entity.plural), home(entity))
        .with("wrong", wrong)
        .status(Status::UnprocessableEntity)
        .into()
}
