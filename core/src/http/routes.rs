//! Rocket's routes, made from what the modules registered.

use std::collections::BTreeMap;
use std::sync::Arc;

use rocket::http::{Header, Method, Status};
use rocket::route::{Handler, Outcome, Route};
use rocket::{Build, Data, Request, Response, Rocket};

use super::answer::Answer;
use super::headers::{self, Headers, UnderWay, request_id};
use super::{cards, catcher, cors::Cors, files, health, only_https::only_https};
use crate::admin;
use crate::app::App;
use crate::document::{self, Document};
use crate::endpoint::Endpoint;
use crate::error::Error;
use crate::page::{self, Page};
use crate::post::Post;

/// Mounts API, pages, media, static files, error answers and headers of `app`.
pub fn mount(rocket: Rocket<Build>, app: &Arc<App>) -> Rocket<Build> {
    let settings = &app.settings;
    let prefix = settings.api_prefix();
    let mut api: Vec<Route> = app
        .registry
        .endpoints()
        .map(|endpoint| {
            let handler = ServeEndpoint { app: app.clone(), endpoint: endpoint.clone() };
            Route::new(Method::Get, &endpoint.path.for_rocket(), handler)
        })
        .collect();
    if !prefix.is_empty() {
        api.push(Route::new(Method::Get, "/admin", ToAdmin)); // At the root it would lead to itself.
    }
    api.extend(app.registry.posts().map(|post| {
        Route::new(Method::Post, &post.path.for_rocket(), ServePost { app: app.clone(), post: post.clone() })
    }));
    let mut site: Vec<Route> = vec![files::media_route(app)];
    if settings.frontend.enabled {
        site.extend(app.registry.pages().map(|page| {
            let handler = ServePage { app: app.clone(), page: page.clone() };
            Route::new(Method::Get, &page.path.for_rocket(), handler)
        }));
        site.extend(app.registry.documents().map(|document| {
            let handler = ServeDocument { app: app.clone(), document: document.clone() };
            Route::new(Method::Get, &document.path.for_rocket(), handler)
        }));
        site.push(cards::route(app));
        site.extend(files::frontend_routes(app));
    }
    if !settings.frontend.enabled && settings.admin.enabled {
        site.push(files::assets_route(app)); // The back office has styles too.
    }
    let under_way = UnderWay::default();
    let rocket = rocket
        .mount(if prefix.is_empty() { "/" } else { prefix }, only_https(api, app))
        .mount("/", only_https(site, app))
        .mount("/", only_https(admin::routes(app), app))
        .mount("/", health::routes(app)) // Who asks for these follows no redirects.
        .register("/", vec![catcher::catcher(app)])
        .manage(under_way.clone())
        .attach(Headers::new(settings, under_way))
        .attach(Cors::new(&settings.api.cors_origins, prefix)); // After the headers: it opens what they close.
    if settings.admin.enabled { rocket.attach(admin::AdminHeaders) } else { rocket }
}

#[derive(Clone)]
struct ServeEndpoint {
    app: Arc<App>,
    endpoint: Arc<Endpoint>,
}

#[rocket::async_trait]
impl Handler for ServeEndpoint {
    async fn handle<'r>(&self, request: &'r Request<'_>, _: Data<'r>) -> Outcome<'r> {
        let max_age = self.app.settings.api.max_age_seconds;
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
    async fn answer(&self, request: &Request<'_>) -> Result<Arc<Answer>, Error> {
        let base_url = self.app.hosts.base_url(request)?;
        let path = api_path(request, self.app.settings.api_prefix());
        let params = self.endpoint.path.matches(&path).unwrap_or_default();
        let mut query = BTreeMap::new();
        for (name, _) in &self.endpoint.query {
            if let Some(value) = sent(request, name) {
                query.insert(*name, bounded(value)?);
            }
        }
        self.app.ask(&self.endpoint, params, query, &base_url).await
    }
}

#[derive(Clone)]
struct ServePost {
    app: Arc<App>,
    post: Arc<Post>,
}

#[rocket::async_trait]
impl Handler for ServePost {
    async fn handle<'r>(&self, request: &'r Request<'_>, data: Data<'r>) -> Outcome<'r> {
        Outcome::Success(match self.post.receive(&self.app, request, data).await {
            Ok(reply) => Response::build()
                .status(reply.status)
                .header(rocket::http::ContentType::JSON)
                .raw_header("Cache-Control", "no-store")
                .sized_body(reply.body.len(), std::io::Cursor::new(reply.body))
                .finalize(),
            Err(error) => error_json(request, &error),
        })
    }
}

/// The first value that the query gives `name`, decoded.
pub(super) fn sent(request: &Request<'_>, name: &str) -> Option<String> {
    let query = request.uri().query()?;
    query.segments().find(|(key, _)| *key == name).map(|(_, value)| value.to_owned())
}

/// A value of the query; long ones would fill the memory of answers.
fn bounded(value: String) -> Result<String, Error> {
    if value.chars().count() > 100 {
        return Err(Error::BadRequest("A value in the address is too long.".into()));
    }
    Ok(value)
}

/// The decoded path below the API's mount.
fn api_path(request: &Request<'_>, prefix: &str) -> String {
    let path = decoded_path(request);
    path.strip_prefix(prefix).map(str::to_owned).unwrap_or(path)
}

/// The decoded path; each segment decoded by itself, so that an encoded slash stays inside its segment's text.
pub(crate) fn decoded_path(request: &Request<'_>) -> String {
    let mut path = String::new();
    for segment in request.uri().path().segments() {
        path.push('/');
        path.push_str(&segment.replace('/', "%2F"));
    }
    if path.is_empty() { "/".to_owned() } else { path }
}

/// The error as the API says it; the cause of an internal one goes to the log.
pub(super) fn error_json(request: &Request<'_>, error: &Error) -> Response<'static> {
    log_cause(request, error);
    let body = serde_json::to_vec(&error.body(request_id(request))).unwrap_or_default();
    let mut response = Response::build();
    response.status(error.status()).header(rocket::http::ContentType::JSON).raw_header("Cache-Control", "no-store");
    if let Some(seconds) = error.retry_after() {
        response.raw_header("Retry-After", seconds.to_string());
    }
    response.sized_body(body.len(), std::io::Cursor::new(body)).finalize()
}

/// Logs why, once, with the request's id.
pub(crate) fn log_cause(request: &Request<'_>, error: &Error) {
    if matches!(error, Error::Internal(_)) {
        tracing::error!(id = request_id(request), path = %request.uri().path(), cause = error.for_terminal(), "request failed");
    }
}

#[derive(Clone)]
struct ServePage {
    app: Arc<App>,
    page: Arc<Page>,
}

#[rocket::async_trait]
impl Handler for ServePage {
    async fn handle<'r>(&self, request: &'r Request<'_>, _: Data<'r>) -> Outcome<'r> {
        let path = decoded_path(request);
        if self.page.frames {
            headers::allow_frames(request);
        }
        let answer = match self.app.hosts.base_url(request) {
            Ok(base_url) => page::answer(&self.app, &self.page, &path, |name| sent(request, name), &base_url).await,
            Err(error) => Err(error),
        };
        Outcome::Success(match answer {
            Ok(answer) => answer.respond(request, Header::new("Cache-Control", "no-cache")),
            Err(error) => catcher::error_page(&self.app, request, &error).await,
        })
    }
}

/// `{backend}/admin/` works where the backend is the API's mount.
#[derive(Clone)]
struct ToAdmin;

#[rocket::async_trait]
impl Handler for ToAdmin {
    async fn handle<'r>(&self, _: &'r Request<'_>, _: Data<'r>) -> Outcome<'r> {
        Outcome::Success(Response::build().status(Status::SeeOther).raw_header("Location", "/admin/").finalize())
    }
}

#[derive(Clone)]
struct ServeDocument {
    app: Arc<App>,
    document: Arc<Document>,
}

#[rocket::async_trait]
impl Handler for ServeDocument {
    async fn handle<'r>(&self, request: &'r Request<'_>, _: Data<'r>) -> Outcome<'r> {
        let path = decoded_path(request);
        let answer = match self.app.hosts.base_url(request) {
            Ok(base_url) => document::answer(&self.app, &self.document, &path, &base_url).await,
            Err(error) => Err(error),
        };
        Outcome::Success(match answer {
            Ok(answer) => answer.respond(request, Header::new("Cache-Control", "public, max-age=600")),
            Err(error) => catcher::error_page(&self.app, request, &error).await,
        })
    }
}
