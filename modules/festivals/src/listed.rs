//! Which pages of one year's awards and of sister festivals have something to show: menus and sitemap leave out the
//! others, so that a festival that has none of these shows none.

use festival_core::sitemap::Address;
use festival_core::{RequestContext, Result};

/// Returns a statement that finds the latest change of the published rows that these conditions select, and of the text
/// of the page; none without any.
macro_rules! latest_change {
    ($slug:literal, $($rows:literal),+) => {
        concat!(
            "SELECT max(updated_at) FROM (SELECT updated_at FROM pages WHERE is_published = 1 AND slug = '",
            $slug, "'" $(, " UNION ALL SELECT updated_at FROM ", $rows, " AND edition_id = $1 AND is_published = 1")+, ") AS shown"
        )
    };
}

/// The statements of the pages.
pub(crate) const TWENTY: &str = latest_change!("twenty", "awards WHERE true", "namesakes WHERE true");
pub(crate) const ISFF: &str =
    latest_change!("isff-2025", "sessions WHERE festival = 'isff-2025'", "packages WHERE festival = 'isff-2025'");
pub(crate) const IFFF: &str = latest_change!("ifff-9th", "sessions WHERE festival = 'ifff-9th'");
pub(crate) const NDSF: &str =
    latest_change!("ndsf-2025", "sessions WHERE festival = 'ndsf-2025'", "winners WHERE true");

/// Returns the address of a page, if its statement finds anything.
pub(crate) async fn address(
    request: RequestContext,
    path: String,
    latest_change: &'static str,
) -> Result<Vec<Address>> {
    let edition = request.edition_id().await?;
    let changed_at: Option<String> =
        sqlx::query_scalar(latest_change).bind(edition).fetch_one(&mut *request.read().await?).await?;
    Ok(changed_at.map(|changed_at| Address { path, changed_at: Some(changed_at) }).into_iter().collect())
}
