//! The addresses of an entity's screens, of its rows on the site, and of the previews of its form.

use crate::back_office::AdminRequest;
use festival_records::editing::IS_PUBLISHED;
use festival_records::entity::{Entity, Record, Values};
use festival_web::public_url::PublicUrl;

/// Returns the path of an entity's list: `/admin/upcoming-events`.
pub(super) fn home(entity: &Entity) -> String {
    format!("/admin/{}", entity.slug())
}

/// Returns the path of a row.
pub(super) fn row_path(entity: &Entity, id: i64) -> String {
    format!("{}/{id}", home(entity))
}

/// Returns the path of the list of deleted rows.
pub(super) fn bin(entity: &Entity) -> String {
    format!("{}/bin", home(entity))
}

/// Returns the path of the list of imports.
pub(super) fn imports(entity: &Entity) -> String {
    format!("{}/imports", home(entity))
}

/// Returns the public URL pattern of `entity`, if the site has pages.
pub(super) fn public_url(request: &AdminRequest, entity: &Entity) -> Option<PublicUrl> {
    request.site.contents.public_url_of(entity).filter(|_| request.site.settings.frontend.enabled)
}

/// Returns the link to a row on the site; `None` for a draft.
pub(super) fn public_link(request: &AdminRequest, entity: &Entity, id: i64, row: (&Values, &Record)) -> Option<String> {
    if row.0.get(IS_PUBLISHED).is_some_and(|shown| shown != "yes") {
        return None;
    }
    let public_url = public_url(request, entity)?;
    let address = public_url.address(&request.site.contents, entity, id, row)?;
    Some(public_url.fragment().map_or_else(|| address.clone(), |fragment| format!("{address}#{fragment}")))
}

/// Returns where the form of `entity` is sent for its preview, if the site has pages.
pub(super) fn preview_address(request: &AdminRequest, entity: &Entity, id: Option<i64>) -> Option<String> {
    let public_url = public_url(request, entity)?;
    let path = id.map_or_else(|| home(entity), |id| row_path(entity, id));
    // The browser scrolls to the part of the page with the rows.
    let fragment = public_url.fragment().map_or(String::new(), |fragment| format!("#{fragment}"));
    Some(format!("{path}/preview{fragment}"))
}
