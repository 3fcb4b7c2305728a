//! `/.well-known/security.txt` (RFC 9116): where to report vulnerabilities of the site.

use jiff::SignedDuration;

use crate::site::RequestContext;
use festival_base::error::{Error, Result};

/// Time until the date in the `Expires` field: 90 days.
const VALID_FOR: SignedDuration = SignedDuration::from_hours(90 * 24);
/// Lifetime of the cached document, after which `Expires` is computed again: 30 days.
const CACHE_LIFETIME: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Returns the text of `security.txt`.
///
/// # Errors
/// [`Error::NotFound`] if `security_contact` is not set.
pub(crate) async fn text(request: RequestContext) -> Result<String> {
    let contact = &request.site.settings.security_contact;
    if contact.is_empty() {
        return Err(Error::NotFound("There is no such document.".into()));
    }
    let now = request.site.clock.now();
    request.expire_at(now.saturating_add(CACHE_LIFETIME).map_err(Error::internal)?);
    let expires = now.saturating_add(VALID_FOR).map_err(Error::internal)?.strftime("%Y-%m-%dT%H:%M:%SZ");
    let canonical = format!("{}/.well-known/security.txt", request.base_url);
    Ok(format!("Contact: {contact}\nExpires: {expires}\nPreferred-Languages: en, ml\nCanonical: {canonical}\n"))
}
