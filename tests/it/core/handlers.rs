//! Handlers that panic or never end, and the effect on other requests.

use std::future::pending;
use std::sync::Arc;

use festival_core::deadline::IncomingBody;
use festival_core::http::open_body;
use festival_core::post::Receiver;
use festival_core::site::Site;
use festival_core::{Endpoint, Module, Page, Post, Registry, RequestContext, Result};
use rocket::{Data, Request};
use schemars::JsonSchema;
use serde::Serialize;
use tokio::io::AsyncReadExt as _;
use ts_rs::TS;

use crate::support::{Database, Response, TestApp, repository};

/// The response type of the failing handlers.
#[derive(Serialize, JsonSchema, TS)]
struct Never {}

async fn panics(_: RequestContext) -> Result<Never> {
    panic!("a handler of the tests")
}

async fn never_ends(_: RequestContext) -> Result<Never> {
    pending().await
}

/// Reads the body, writes a row, and never commits.
struct StopsHalfWay;

#[rocket::async_trait]
impl Receiver<Site> for StopsHalfWay {
    async fn receive(&self, site: &Arc<Site>, _: &Request<'_>, data: Data<'_>) -> Result<Vec<u8>> {
        let mut sent = Vec::new();
        open_body(data).read_to_end(&mut sent).await?;
        // Stops the deadline until the row is written, however slow the machine is.
        let (_sender, receiver) = tokio::io::duplex(1);
        let mut silence = IncomingBody::new(receiver);
        tokio::select! {
            biased;
            _ = silence.read_u8() => {}
            () = std::future::ready(()) => {}
        }
        let mut write = site.db.write().await?;
        sqlx::query("UPDATE editions SET name = 'half written'").execute(&mut *write).await?;
        assert_eq!(sent, b"half");
        drop(silence);
        pending().await
    }
}

/// Panics before it reads the body.
struct Panics;

#[rocket::async_trait]
impl Receiver<Site> for Panics {
    async fn receive(&self, _: &Arc<Site>, _: &Request<'_>, _: Data<'_>) -> Result<Vec<u8>> {
        panic!("a receiver of the tests")
    }
}

struct FailingModule;

impl Module for FailingModule {
    fn name(&self) -> &'static str {
        "failing"
    }

    fn register(&self, registry: &mut Registry) {
        registry
            .endpoint(Endpoint::get("/panics/", "Panics.", panics))
            .endpoint(Endpoint::get("/never-ends/", "Never ends.", never_ends))
            .post(Post::new::<Never>("/panics-at-once/", "Panics.", Panics))
            .post(Post::new::<Never>("/stops-half-way/", "Never ends.", StopsHalfWay))
            .page(Page::new("/panics", "download").depends_on(["/panics/"]))
            .page(Page::new("/never-ends", "download").depends_on(["/never-ends/"]));
    }
}

fn with_failing() -> Vec<Box<dyn Module>> {
    let mut modules = festival::modules();
    modules.push(Box::new(FailingModule));
    modules
}

/// The value of a metric, given its name and labels.
async fn figure(app: &TestApp, name: &str) -> String {
    let figures = app.app.metrics_text().await.unwrap();
    let line = figures.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("no {name} in {figures}")).to_owned()
}

fn assert_is_page(response: &Response, status: u16) {
    assert_eq!(response.status, status);
    assert!(response.header("Content-Type").starts_with("text/html"), "{}", response.text());
    assert!(
        response.text().contains("To the home page") && !response.text().contains("of the tests"),
        "{}",
        response.text()
    );
}

on_both!(panic_fails_only_its_own_request, request_past_its_deadline_is_cancelled_and_rolled_back);

async fn panic_fails_only_its_own_request(database: Database) {
    let app = TestApp::with_modules(database, &with_failing(), |_| {}).await;
    for _ in 0..3 {
        let (panicked, page, posted, other) = tokio::join!(
            app.get("/api/panics/"),
            app.get("/panics"),
            app.post("/api/panics-at-once/", &[("Content-Type", "application/json")], "{}"),
            app.get("/api/categories/"),
        );
        let message = panicked.assert_error(500, "internal");
        assert!(!message.contains("of the tests"), "{message}");
        posted.assert_error(500, "internal");
        assert_is_page(&page, 500);
        assert_eq!(other.status, 200);
    }
    assert_eq!(figure(&app, "festival_panics_total").await, "9");
    assert_eq!(figure(&app, "festival_requests_total{class=\"api\",status=\"5xx\"}").await, "3");
    assert_eq!(app.get("/readyz").await.status, 200);
}

async fn request_past_its_deadline_is_cancelled_and_rolled_back(database: Database) {
    let app = TestApp::with_modules(database, &with_failing(), |settings| {
        settings.requests.get_seconds = 1;
        settings.requests.other_seconds = 1;
    })
    .await;
    let (api, page) = tokio::join!(app.get("/api/never-ends/"), app.get("/never-ends"));
    api.assert_error(503, "unavailable");
    assert_is_page(&page, 503);
    let posted = app.post("/api/stops-half-way/", &[], "half").await;
    posted.assert_error(503, "unavailable");
    for response in [&api, &page, &posted] {
        assert_eq!(response.header("Retry-After"), "5");
    }
    assert_eq!(app.number("SELECT count(*) FROM editions WHERE name = 'half written'").await, 0);
    // Neither the write lock nor the lock for rendering the page is held.
    app.write("UPDATE editions SET name = 'written'").await;
    assert_is_page(&app.get("/never-ends").await, 503);
    assert_eq!(figure(&app, "festival_deadlines_exceeded_total").await, "4");
}

/// With `panic = "abort"` one panic would end all requests.
#[test]
fn build_profiles_unwind_on_panic() {
    let manifest: toml::Table = std::fs::read_to_string(repository("Cargo.toml")).unwrap().parse().unwrap();
    let profiles = manifest["profile"].as_table().unwrap();
    assert!(profiles.contains_key("release"));
    for (name, profile) in profiles {
        let panic = profile.get("panic").and_then(toml::Value::as_str);
        assert!(panic.is_none_or(|panic| panic == "unwind"), "{name}");
    }
}
