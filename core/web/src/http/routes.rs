//! Rocket's routes, built from what the modules registered.

use std::collections::BTreeMap;
use std::sync::Arc;

use rocket::http::{ContentType, Header, Method};
use rocket::route::{Handler, Outcome, Route};
use rocket::{Build, Data, Request, Rocket};

use super::archive::{Target, with_archived};
use super::headers::{self, Headers};
use super::replay::Record;
use super::request::query_value;
use super::request_id::InFlightRequests;
use super::response::{error_json, uncached};
use super::supervised::supervised;
use super::{cards, catcher, cors::Cors, files, health, origin};
use crate::cache::CachedResponse;
use crate::metrics::RouteClass;
use crate::page;
use crate::pattern::Pattern;
use crate::site::{Document, Endpoint, Page, Post, Site};
use festival_base::error::Error;

/// Mounts the API, pages, media, static files, error catcher and fairings of `site`.
pub fn mount(rocket: Rocket<Build>, site: &Arc<Site>) -> Rocket<Build> {
    let settings = &site.settings;
    let prefix = settings.api_prefix();
    let contents = &site.contents;
    let endpoints = contents.endpoints.iter().flat_map(|endpoint| {
        let handler = ServeEndpoint { site: site.clone(), endpoint: endpoint.clone() };
        served_at(&endpoint.path, prefix, handler)
    });
    let posts = contents.posts.iter().map(|post| {
        let path = format!("{prefix}{}", post.path.for_rocket());
        Route::new(Method::Post, &path, ServePost { site: site.clone(), post: post.clone() })
    });
    let mut api = supervised(endpoints.collect(), RouteClass::Api, site);
    api.extend(supervised(posts.collect(), RouteClass::Form, site));
    let mut media: Vec<Route> = vec![files::media_route(site)];
    let mut pages: Vec<Route> = Vec::new();
    if settings.frontend.enabled {
        pages.extend(contents.pages.iter().flat_map(|page| {
            let handler = ServePage { site: site.clone(), page: page.clone() };
            served_at(&page.path, "", handler)
        }));
        pages.extend(contents.documents.iter().flat_map(|document| {
            let handler = ServeDocument { site: site.clone(), document: document.clone() };
            served_at(&document.path, "", handler)
        }));
        media.extend(cards::routes(site));
        media.extend(files::frontend_routes(site));
    }
    let in_flight = InFlightRequests::default();
    rocket
        .mount("/", api)
        .mount("/", supervised(pages, RouteClass::Page, site))
        .mount("/", supervised(media, RouteClass::Media, site))
        .mount("/", health::routes(site)) // Health checks follow no redirects.
        .register("/", vec![catcher::catcher(site)])
        .manage(in_flight.clone())
        .attach(Headers::new(settings, in_flight, site.metrics.clone()))
        .attach(Cors::new(&settings.api.cors_origins, prefix, &contents.posts)) // After the headers, some of which it relaxes.
        .attach(Record { site: site.clone() }) // Last.
}

/// Returns the routes of `pattern`: on the site, and in the archive of its past editions.
fn served_at(pattern: &Pattern, prefix: &str, handler: impl Handler + Clone) -> [Route; 2] {
    let [path, archived] = with_archived(pattern, prefix);
    // Rocket ranks the paths of the site by itself. All of the archive's paths rank the same, so those with the fewest
    // parameters are ranked first.
    let rank = isize::try_from(pattern.parameter_names().count()).unwrap_or(isize::MAX);
    [Route::new(Method::Get, &path, handler.clone()), Route::ranked(rank, Method::Get, &archived, handler)]
}

#[derive(Clone)]
struct ServeEndpoint {
    site: Arc<Site>,
    endpoint: Arc<Endpoint>,
}

#[rocket::async_trait]
impl Handler for ServeEndpoint {
    async fn handle<'r>(&self, request: &'r Request<'_>, _: Data<'r>) -> Outcome<'r> {
        let max_age = self.site.settings.api.max_age_seconds;
        match self.answer(request).await {
            Ok(answer) => {
                let cache = Header::new("Cache-Control", format!("public, max-age={max_age}"));
                Outcome::Success(answer.respond(request, cache))
            }
            Err(error) => Outcome::Success(error_json(request, &error)),
        }
    }
}

impl ServeEndpoint {
    async fn answer(&self, request: &Request<'_>) -> Result<Arc<CachedResponse>, Error> {
        let Target { site, base_url, path } = Target::of(&self.site, request).await?;
        let path = path.strip_prefix(site.settings.api_prefix()).unwrap_or(&path);
        let params = self.endpoint.path.matches(path).unwrap_or_default();
        let mut query = BTreeMap::new();
        for (name, ..) in &self.endpoint.query {
            if let Some(value) = query_value(request, name) {
                query.insert(*name, checked(value)?);
            }
        }
        site.answer(&self.endpoint, params, query, &base_url).await
    }
}

#[derive(Clone)]
struct ServePost {
    site: Arc<Site>,
    post: Arc<Post>,
}

#[rocket::async_trait]
impl Handler for ServePost {
    async fn handle<'r>(&self, request: &'r Request<'_>, data: Data<'r>) -> Outcome<'r> {
        let received = match origin::check_form(request, &self.site.settings) {
            Ok(()) => self.post.receiver.receive(&self.site, request, data).await,
            Err(error) => Err(error),
        };
        self.site.metrics.form(received.is_ok());
        Outcome::Success(match received {
            Ok(body) => uncached(self.post.success, ContentType::JSON, body),
            Err(error) => error_json(request, &error),
        })
    }
}

/// Checks a value of the query: long ones would fill the cache, and Postgres does not store NUL.
///
/// # Errors
/// [`Error::BadRequest`] if it is longer than 100 characters or contains NUL.
fn checked(value: String) -> Result<String, Error> {
    if value.chars().count() > 100 || value.contains('\0') {
        return Err(Error::BadRequest("A value in the address is too long or contains invalid characters.".into()));
    }
    Ok(value)
}

#[derive(Clone)]
struct ServePage {
    site: Arc<Site>,
    page: Arc<Page>,
}

#[rocket::async_trait]
impl Handler for ServePage {
    async fn handle<'r>(&self, request: &'r Request<'_>, _: Data<'r>) -> Outcome<'r> {
        if self.page.frames {
            headers::allow_frames(request);
        }
        let target = match Target::of(&self.site, request).await {
            Ok(target) => target,
            Err(error) => return Outcome::Success(catcher::error_page(&self.site, request, &error).await),
        };
        let Target { site, base_url, path } = &target;
        let answer = page::answer(site, &self.page, path, |name| query_value(request, name), base_url).await;
        Outcome::Success(match answer {
            Ok(answer) => answer.respond(request, Header::new("Cache-Control", "no-cache")),
            Err(error) => catcher::error_page(site, request, &error).await,
        })
    }
}

#[derive(Clone)]
struct ServeDocument {
    site: Arc<Site>,
    document: Arc<Document>,
}

#[rocket::async_trait]
impl Handler for ServeDocument {
    async fn handle<'r>(&self, request: &'r Request<'_>, _: Data<'r>) -> Outcome<'r> {
        let target = match Target::of(&self.site, request).await {
            Ok(target) => target,
            Err(error) => return Outcome::Success(catcher::error_page(&self.site, request, &error).await),
        };
        let answer = target.site.document(&self.document, &target.path, &target.base_url).await;
        Outcome::Success(match answer {
            Ok(answer) => answer.respond(request, Header::new("Cache-Control", "public, max-age=600")),
            Err(error) => catcher::error_page(&target.site, request, &error).await,
        })
    }
}
