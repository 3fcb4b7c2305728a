//! Where a row is on the site, and where its form is sent for a preview of that page.

use super::paths::{home, row_path};
use crate::back_office::AdminRequest;
use festival_records::editing::IS_PUBLISHED;
use festival_records::entity::{Entity, Record, Values};
use festival_web::public_url::PublicUrl;

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
