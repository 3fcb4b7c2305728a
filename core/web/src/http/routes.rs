//! Rocket's routes, built from what the modules registered.

use std::collections::BTreeMap;
use std::sync::Arc;

use rocket::http::{ContentType, Header, Method};
use rocket::route::{Handler, Outcome, Route};
use rocket::{Build, Data, Request, Response, Rocket};

use super::archive::{Target, with_archived};
use super::headers::{self, Headers};
use super::replay::Record;
use super::request::query_value;
use super::request_id::InFlightRequests;
use super::response::{error_json, uncached};
use super::supervised::supervised;
use super::{cards, catcher, cors::Cors, files, health, origin};
use crate::metrics::RouteClass;
use crate::page;
use crate::pattern::Pattern;
use crate::site::{ARCHIVE, Document, Endpoint, Page, Post, Site};
use festival_base::error::Error;

/// Mounts the API, pages, media, static files, error catcher and fairings of `site`.
pub fn mount(rocket: Rocket<Build>, site: &Arc<Site>) -> Rocket<Build> {
    let settings = &site.settings;
    let prefix = settings.api_prefix();
    let contents = &site.contents;
    let serve = |content| Serve { site: site.clone(), content };
    let endpoints = contents
        .endpoints
        .iter()
        .flat_map(|endpoint| served_at(&endpoint.path, prefix, serve(Content::Endpoint(endpoint.clone()))));
    let posts = contents.posts.iter().map(|post| {
        let path = format!("{prefix}{}", post.path.for_rocket());
        Route::new(Method::Post, &path, ServePost { site: site.clone(), post: post.clone() })
    });
    let mut api = supervised(endpoints.collect(), RouteClass::Api, site);
    api.extend(supervised(posts.collect(), RouteClass::Form, site));
    let mut media: Vec<Route> = vec![files::media_route(site)];
    let mut pages: Vec<Route> = Vec::new();
    if settings.frontend.enabled {
        let of_pages = contents.pages.iter().map(|page| (&page.path, Content::Page(page.clone())));
        let documents = contents.documents.iter().map(|document| (&document.path, Content::Document(document.clone())));
        pages.extend(of_pages.chain(documents).flat_map(|(path, content)| served_at(path, "", serve(content))));
        let path = "/cards/<hash>/<path..>";
        media.push(Route::new(Method::Get, path, serve(Content::Card)));
        media.push(Route::ranked(10, Method::Get, &format!("{ARCHIVE}/<archived>{path}"), serve(Content::Card)));
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

/// Serves a content of the site, or of the archive of one of its past editions.
#[derive(Clone)]
struct Serve {
    site: Arc<Site>,
    content: Content,
}

#[derive(Clone)]
enum Content {
    Endpoint(Arc<Endpoint>),
    Page(Arc<Page>),
    Document(Arc<Document>),
    /// The social cards of all pages.
    Card,
}

#[rocket::async_trait]
impl Handler for Serve {
    async fn handle<'r>(&self, request: &'r Request<'_>, _: Data<'r>) -> Outcome<'r> {
        if matches!(&self.content, Content::Page(page) if page.frames) {
            headers::allow_frames(request);
        }
        let (site, response) = match Target::of(&self.site, request).await {
            Ok(target) => (target.site.clone(), self.content.respond(request, target).await),
            Err(error) => (self.site.clone(), Err(error)),
        };
        Outcome::Success(match response {
            Ok(response) => response,
            Err(error) if matches!(self.content, Content::Endpoint(_)) => error_json(request, &error),
            Err(error) => catcher::error_page(&site, request, &error).await,
        })
    }
}

impl Content {
    async fn respond(&self, request: &Request<'_>, target: Target) -> Result<Response<'static>, Error> {
        let Target { site, base_url, path } = &target;
        let (answer, cache) = match self {
            Self::Endpoint(endpoint) => {
                let path = path.strip_prefix(site.settings.api_prefix()).unwrap_or(path);
                let params = endpoint.path.matches(path).unwrap_or_default();
                let mut query = BTreeMap::new();
                for (name, ..) in &endpoint.query {
                    if let Some(value) = query_value(request, name) {
                        query.insert(*name, checked(value)?);
                    }
                }
                let cache = format!("public, max-age={}", site.settings.api.max_age_seconds);
                (site.answer(endpoint, params, query, base_url).await?, cache)
            }
            Self::Page(page) => {
                let value = |name: &str| query_value(request, name);
                (page::answer(site, page, path, value, base_url).await?, "no-cache".to_owned())
            }
            Self::Document(document) => {
                (site.document(document, path, base_url).await?, "public, max-age=600".to_owned())
            }
            Self::Card => return cards::respond(request, target).await,
        };
        Ok(answer.respond(request, Header::new("Cache-Control", cache)))
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
