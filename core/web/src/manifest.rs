//! `site.webmanifest`: what the site is called and looks like on a home screen.

use serde_json::json;

use crate::endpoint::RequestContext;
use festival_base::error::Result;

/// The text of the manifest. The icons are files of the website.
pub(crate) async fn text(request: RequestContext) -> Result<String> {
    let product = &request.site.settings.product;
    let colour = &request.site.settings.frontend.theme_color;
    let icon = |file: &str, size: &str, kind: &str, purpose: &str| json!({ "src": format!("/{file}"), "sizes": size, "type": kind, "purpose": purpose });
    let manifest = json!({
        "id": "/",
        "name": product.full_name,
        "short_name": product.name,
        "description": product.tagline,
        "lang": "en",
        "dir": "ltr",
        "start_url": "/",
        "scope": "/",
        "display": "minimal-ui",
        "theme_color": colour,
        "background_color": colour,
        "icons": [
            icon("icon-192.png", "192x192", "image/png", "any"),
            icon("icon-512.png", "512x512", "image/png", "any"),
            icon("icon-maskable-512.png", "512x512", "image/png", "maskable"),
            icon("favicon.svg", "any", "image/svg+xml", "any"),
        ],
    });
    Ok(manifest.to_string())
}
