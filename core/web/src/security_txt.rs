//! `/.well-known/security.txt` (RFC 9116): where people report a weakness of the site.

use jiff::SignedDuration;

use crate::endpoint::RequestContext;
use festival_base::error::{Error, Result};

/// How long the text says that it holds.
const HOLDS: SignedDuration = SignedDuration::from_hours(90 * 24);
/// After so long it is written anew.
const RENEWED: SignedDuration = SignedDuration::from_hours(30 * 24);

/// The text of `security.txt`; 404 where the settings name no contact.
pub(crate) async fn text(request: RequestContext) -> Result<String> {
    let contact = &request.site.settings.security_contact;
    if contact.is_empty() {
        return Err(Error::NotFound("There is no such document.".into()));
    }
    let now = request.site.clock.now();
    request.true_until(now.saturating_add(RENEWED).map_err(Error::internal)?);
    let expires = now.saturating_add(HOLDS).map_err(Error::internal)?.strftime("%Y-%m-%dT%H:%M:%SZ");
    let canonical = format!("{}/.well-known/security.txt", request.base_url);
    Ok(format!("Contact: {contact}\nExpires: {expires}\nPreferred-Languages: en, ml\nCanonical: {canonical}\n"))
}
