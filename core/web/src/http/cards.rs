//! `/cards/<hash>/<page>.jpg`: social cards of pages.

use std::io::Cursor;

use rocket::http::{ContentType, Status};
use rocket::{Request, Response};

use super::archive::Target;
use super::files::{FOREVER, not_modified};
use super::request::query_value;
use crate::cache::CHUNK;
use crate::card::{SocialCardSpec, page_path};
use crate::site::RequestContext;
use festival_base::error::{Error, Result};

/// Returns the card, or a redirect to the current one if the data has changed since its address was published.
///
/// # Errors
/// [`Error::NotFound`] if there is no such page; if the card cannot be drawn.
pub(super) async fn respond(request: &Request<'_>, target: Target) -> Result<Response<'static>> {
    let missing = || Error::NotFound("There is no such picture.".into());
    let Target { site, base_url, path: request_path } = target;
    let (hash, address) = request_path.trim_start_matches("/cards/").split_once('/').ok_or_else(missing)?;
    let path = page_path(address).ok_or_else(missing)?;
    let (page, params) = site.contents.page_at(&path).ok_or_else(missing)?;
    let parameters = page.reads.iter().filter(|parameter| parameter.default.is_none());
    let query =
        parameters.filter_map(|parameter| Some((parameter.name, query_value(request, parameter.name)?))).collect();
    let context = RequestContext { site: site.clone(), params, query, base_url };
    let spec = SocialCardSpec::of(page, &context).await?;
    let current_hash = spec.hash()?;
    if hash != current_hash {
        let location = format!("{}{}", site.path(), spec.path(page, &path, &context)?);
        return Ok(Response::build()
            .status(Status::Found)
            .raw_header("Location", location)
            .raw_header("Cache-Control", "no-cache")
            .finalize());
    }
    let tag = format!("\"{current_hash}\"");
    if let Some(response) = not_modified(request, &tag, FOREVER) {
        return Ok(response);
    }
    let bytes = site.cards.get(&site.media, &site.settings.uploads, spec).await?;
    Ok(Response::build()
        .header(ContentType::JPEG)
        .raw_header("ETag", tag)
        .raw_header("Cache-Control", FOREVER)
        .sized_body(bytes.len(), Cursor::new(bytes))
        .max_chunk_size(CHUNK)
        .finalize())
}
