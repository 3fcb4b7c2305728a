//! `site.webmanifest`: name, colours and icons of the site when it is installed on a home screen.

use serde_json::json;

use crate::site::RequestContext;
use festival_base::error::Result;

/// Returns the manifest as JSON. Its icons are files of the built frontend.
pub(crate) async fn text(request: RequestContext) -> Result<String> {
    let product = &request.site.settings.product;
    let colour = &request.site.settings.frontend.theme_color;
    let icon = |file: &str, sizes: &str, content_type: &str, purpose: &str| json!({ "src": format!("/{file}"), "sizes": sizes, "type": content_type, "purpose": purpose });
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
