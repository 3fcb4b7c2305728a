//! `robots.txt`: the paths that crawlers should skip, and the address of the sitemap.

use crate::site::ARCHIVE;
use crate::site::RequestContext;
use festival_base::error::Result;

/// Returns the text of `robots.txt`.
pub(crate) async fn text(request: RequestContext) -> Result<String> {
    let api = request.site.settings.api_prefix();
    let unlisted =
        request.site.contents.pages.iter().filter(|page| !page.in_sitemap).map(|page| page.path.for_openapi());
    let mut text = String::from("User-agent: *\n");
    // The API of the archive is below each of its years.
    let closed = [format!("{api}/"), format!("{ARCHIVE}/*{api}/"), "/admin/".to_owned()];
    for path in closed.into_iter().chain(unlisted) {
        text.push_str(&format!("Disallow: {path}\n"));
    }
    Ok(format!("{text}\nSitemap: {}/sitemap.xml\n", request.base_url))
}
