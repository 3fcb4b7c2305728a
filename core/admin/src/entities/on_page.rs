//! Links from a page of the site to the forms of the records that it shows: the target of "Edit this page".

use std::collections::BTreeMap;

use sqlx::AnyConnection;

use super::paths::{home, row_path};
use crate::back_office::AdminRequest;
use crate::search::Hit;
use crate::serving::frame::capitalized;
use crate::serving::reply::Reply;
use festival_base::error::Result;
use festival_records::editing;
use festival_records::edition;
use festival_records::entity::{Datum, Entity, Kind, table};
use festival_web::pattern::Params;

/// Handles `GET /admin/edit?page=/films/2?film=31`: goes to the one record that the page shows, or lists what it shows.
pub(crate) async fn show(request: AdminRequest) -> Result<Reply> {
    let page = request.query.get("page").to_owned();
    let (path, query) = page.split_once('?').unwrap_or((&page, ""));
    let query: BTreeMap<String, String> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    let (mut records, mut lists) = (Vec::new(), Vec::new());
    let mut connection = request.read().await?;
    for entity in request.site.records.enabled() {
        let Some(public_url) = request.site.contents.public_url_of(entity) else { continue };
        let Some(shown) = public_url.shown_at(&request.site.contents, path, &query) else { continue };
        match find(&mut connection, entity, &shown).await? {
            Some(hit) => records.push(hit),
            None => lists.push(Hit { title: capitalized(entity.plural), beside: String::new(), href: home(entity) }),
        }
    }
    if let ([record], []) = (records.as_slice(), lists.as_slice()) {
        return Ok(Reply::redirect(record.href.clone()).into());
    }
    let is_here = path.starts_with('/') && !path.starts_with("//");
    Ok(Reply::page("on-page", "Edit this page")
        .with("page", is_here.then_some(&page))
        .with("records", records)
        .with("lists", lists)
        .into())
}

/// Finds the one row with these values; `None` if the page shows several.
async fn find(connection: &mut AnyConnection, entity: &'static Entity, shown: &Params) -> Result<Option<Hit>> {
    let id = match shown.get("id") {
        Some(id) => id.parse().ok(),
        None => {
            let edition = edition::find_current(connection).await?.map(|edition| edition.id);
            let (mut select, mut is_narrow) = (table::select(entity, edition), false);
            for (name, value) in shown {
                let field = entity.field(name).filter(|field| matches!(field.kind, Kind::Slug | Kind::Text { .. }));
                let Some(field) = field else { continue };
                select = table::having(select, field, Datum::Text(value.clone()));
                is_narrow = true;
            }
            // A page that shows all rows has no field to tell one by.
            let found = if is_narrow { select.newest(connection, 2).await? } else { Vec::new() };
            if let [(id, _)] = found.as_slice() { Some(*id) } else { None }
        }
    };
    let Some(id) = id else { return Ok(None) };
    let found = editing::find(connection, entity, id).await?;
    Ok(found.map(|current| Hit {
        title: editing::title_of(entity, &current.record),
        beside: entity.singular.to_owned(),
        href: row_path(entity, id),
    }))
}
