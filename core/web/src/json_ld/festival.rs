//! Structured data of the home page: the site, the organisers, and the current edition with its dates and place.

use serde_json::{Value, json};

use super::{About, festival_id, organisation_id};
use crate::site::RequestContext;
use festival_base::error::Result;
use festival_base::settings::Settings;

/// Describes the site, its organisers and the current edition.
///
/// # Errors
/// If the database cannot be read.
pub(crate) async fn about(request: RequestContext) -> Result<About> {
    let product = &request.site.in_force().await?.product;
    let site = json!({
        "@type": "WebSite",
        "@id": format!("{}/#site", request.base_url),
        "url": format!("{}/", request.base_url),
        "name": product.full_name,
        "alternateName": [product.name, product.native_name],
        "inLanguage": "en",
        "publisher": { "@id": organisation_id(&request) },
    });
    let things = std::iter::once(site).chain(organisers_and_festival(&request).await?).collect();
    Ok(About { things, ..About::default() })
}

/// Describes the organisers and the current edition, for every page with things that refer to them.
///
/// # Errors
/// If the database cannot be read.
pub async fn organisers_and_festival(request: &RequestContext) -> Result<Vec<Value>> {
    let edition = request.site.edition(&mut *request.read().await?).await?;
    let settings = &*request.site.in_force().await?;
    let product = &settings.product;
    let home = format!("{}/", request.base_url);
    let logo = request.media_url(edition.as_ref().and_then(|edition| edition.logo.clone()));
    let mut things = vec![organisation(request, settings, &home, logo.as_deref())];
    if let Some(edition) = edition {
        things.push(json!({
            "@type": "Festival",
            "@id": festival_id(request),
            "url": home,
            "name": edition.name,
            "description": product.tagline,
            "image": logo,
            "startDate": edition.starts_on,
            "endDate": edition.ends_on,
            "eventStatus": "https://schema.org/EventScheduled",
            "eventAttendanceMode": "https://schema.org/OfflineEventAttendanceMode",
            "location": place(settings, None),
            "organizer": { "@id": organisation_id(request) },
        }));
    }
    Ok(things)
}

fn organisation(request: &RequestContext, settings: &Settings, home: &str, logo: Option<&str>) -> Value {
    // A link to a network's front page is not a profile of the festival.
    let is_profile = |href: &&str| href.starts_with("http") && href.trim_end_matches('/').matches('/').count() > 2;
    let profiles = settings.social.iter().map(|link| link.href.as_str()).filter(is_profile);
    json!({
        "@type": "Organization",
        "@id": organisation_id(request),
        "url": home,
        "name": settings.product.full_name,
        "logo": logo,
        "email": settings.contact.email,
        "telephone": settings.contact.phone,
        "address": settings.contact.address,
        "sameAs": profiles.collect::<Vec<_>>(),
    })
}

/// Returns a `Place` in the festival's city: the city itself, or the one at this address, "Kadavu Theatre, Jetty Road".
pub fn place(settings: &Settings, address: Option<&str>) -> Value {
    let product = &settings.product;
    let mut parts = address.unwrap_or(&product.city).split(',').map(str::trim).filter(|part| !part.is_empty());
    let name = parts.next();
    let street: Vec<&str> = parts.filter(|part| *part != product.city).collect();
    json!({
        "@type": "Place",
        "name": name,
        "address": {
            "@type": "PostalAddress",
            "streetAddress": street.join(", "),
            "addressLocality": product.city,
            "addressRegion": product.region,
            "addressCountry": product.country,
        },
    })
}
