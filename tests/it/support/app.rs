//! The whole site inside the test's own process, asked through its public addresses.

use std::net::IpAddr;
use std::sync::Arc;

use festival_cli::{Setup, embedded, modules, server};
use festival_core::clock::Clock;
use festival_core::settings::{self, ModuleSettings, Settings};
use festival_core::{App, Module};
use rocket::http::{Header, Method};
use rocket::local::asynchronous::{Client, LocalRequest};
use sqlx::AssertSqlSafe;
use tempfile::TempDir;

use super::{Answer, Database, database::Copy, fixture};

/// The settings of every site that says nothing else.
pub(crate) fn fixture_settings() -> Settings {
    let over = std::fs::read_to_string(fixture("settings.toml")).unwrap();
    settings::defaults_with(embedded::SETTINGS, &over).unwrap()
}

/// When it is in every test that does not say otherwise: in the middle of the festival, before one of its events.
pub(crate) const NOW: &str = "2025-10-26T06:30:00Z";

/// A site with the fixtures' rows, a folder and a database of its own.
pub(crate) struct TestApp {
    client: Option<Client>,
    /// The site.
    pub(crate) app: Arc<App>,
    /// Its clock.
    pub(crate) clock: Clock,
    /// Its data directory.
    pub(crate) directory: TempDir,
    /// Its database.
    pub(crate) database: Copy,
}

impl TestApp {
    /// All modules, default settings.
    pub(crate) async fn new(database: Database) -> Self {
        Self::with(database, |_| {}).await
    }

    /// All modules, settings changed.
    pub(crate) async fn with(database: Database, change: impl FnOnce(&mut Settings)) -> Self {
        Self::of(database, &modules::modules(), change).await
    }

    /// One module switched off.
    pub(crate) async fn without(database: Database, module: &str) -> Self {
        Self::with(database, |settings| switch_off(settings, module)).await
    }

    /// These modules, settings changed.
    pub(crate) async fn of(
        database: Database,
        modules: &[Box<dyn Module>],
        change: impl FnOnce(&mut Settings),
    ) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let copy = database.copy(directory.path()).await;
        Self::on(directory, copy, modules, change).await
    }

    /// A site on a database that is there already.
    pub(crate) async fn on(
        directory: TempDir,
        database: Copy,
        modules: &[Box<dyn Module>],
        change: impl FnOnce(&mut Settings),
    ) -> Self {
        Self::with_connections(directory, database, modules, change, 16).await
    }

    /// The same with so many connections to the database.
    pub(crate) async fn with_connections(
        directory: TempDir,
        database: Copy,
        modules: &[Box<dyn Module>],
        change: impl FnOnce(&mut Settings),
        connections: u32,
    ) -> Self {
        let mut settings = fixture_settings();
        settings.data_dir = directory.path().to_owned();
        change(&mut settings);
        let figment = server::figment(&settings)
            .merge(("databases.festival.url", database.url(directory.path())))
            .merge(("databases.festival.max_connections", connections));
        let mut setup = Setup::new(settings, figment.clone(), modules);
        let clock = Clock::fixed(NOW.parse().unwrap());
        setup.clock = clock.clone();
        let app = setup.open().await.unwrap();
        let rocket = server::build(&app, figment).await.unwrap();
        let client = Client::untracked(rocket).await.expect("the site starts");
        Self { client: Some(client), app, clock, directory, database }
    }

    /// Stops the site; its folder and its database stay.
    pub(crate) async fn stop(mut self) -> (TempDir, Copy) {
        if let Some(client) = self.client.take() {
            client.terminate().await;
        }
        self.app.db.close().await;
        let directory = std::mem::replace(&mut self.directory, tempfile::tempdir().unwrap());
        (directory, std::mem::take(&mut self.database))
    }

    /// Serves the same site on a port of its own, and answers the address: "127.0.0.1:40123". It stops with the test.
    pub(crate) async fn serve(&self) -> String {
        let figment = server::figment(&self.app.settings)
            .merge(("databases.festival.url", self.database.url(self.directory.path())))
            .merge(("address", "127.0.0.1"))
            .merge(("port", 0));
        let rocket = server::build(&self.app, figment).await.unwrap();
        let (tell, told) = tokio::sync::oneshot::channel();
        let rocket = rocket.attach(rocket::fairing::AdHoc::on_liftoff("say where", |rocket| {
            tell.send(rocket.config().port).unwrap();
            Box::pin(async {})
        }));
        tokio::spawn(rocket.launch());
        format!("127.0.0.1:{}", told.await.unwrap())
    }

    /// GET.
    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.ask(Method::Get, path, &[]).await
    }

    /// GET with headers.
    pub(crate) async fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.ask(Method::Get, path, headers).await
    }

    /// Any request. Without a Host header of its own it goes to `localhost`.
    pub(crate) async fn ask(&self, method: Method, path: &str, headers: &[(&str, &str)]) -> Answer {
        let client = self.client.as_ref().expect("the site is running");
        let mut request = client.req(method, path.to_owned());
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            request.add_header(Header::new("Host", "localhost"));
        }
        for (name, value) in headers {
            request = with_header(request, name, value);
        }
        Answer::read(request.dispatch().await).await
    }

    /// A request without a body from another machine.
    pub(crate) async fn ask_from(&self, peer: &str, method: Method, path: &str, headers: &[(&str, &str)]) -> Answer {
        let client = self.client.as_ref().expect("the site is running");
        let mut request = client.req(method, path.to_owned()).remote((peer.parse::<IpAddr>().unwrap(), 40_000).into());
        for (name, value) in headers {
            request = with_header(request, name, value);
        }
        Answer::read(request.dispatch().await).await
    }

    /// POST with a body.
    pub(crate) async fn post(&self, path: &str, headers: &[(&str, &str)], body: impl AsRef<[u8]>) -> Answer {
        let client = self.client.as_ref().expect("the site is running");
        let mut request = client.post(path.to_owned()).body(body);
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            request.add_header(Header::new("Host", "localhost"));
        }
        for (name, value) in headers {
            request = with_header(request, name, value);
        }
        Answer::read(request.dispatch().await).await
    }

    /// Every route that is mounted.
    pub(crate) fn routes(&self) -> Vec<(Method, String)> {
        let client = self.client.as_ref().expect("the site is running");
        client.rocket().routes().map(|route| (route.method, route.uri.to_string())).collect()
    }

    /// Writes to the database as the site itself does.
    pub(crate) async fn write(&self, sql: &str) {
        let mut write = self.app.db.write().await.unwrap();
        sqlx::query(AssertSqlSafe(sql.to_owned())).execute(&mut *write).await.expect(sql);
        write.commit().await.unwrap();
    }

    /// One column of texts out of the database.
    pub(crate) async fn texts(&self, sql: &str) -> Vec<String> {
        let mut connection = self.app.db.read().await.unwrap();
        sqlx::query_scalar(AssertSqlSafe(sql.to_owned())).fetch_all(&mut *connection).await.expect(sql)
    }

    /// One number out of the database.
    pub(crate) async fn number(&self, sql: &str) -> i64 {
        let mut connection = self.app.db.read().await.unwrap();
        sqlx::query_scalar(AssertSqlSafe(sql.to_owned())).fetch_one(&mut *connection).await.expect(sql)
    }

    /// The id of the first row where `condition` holds.
    pub(crate) async fn id(&self, table: &str, condition: &str) -> i64 {
        self.number(&format!("SELECT id FROM {table} WHERE {condition} ORDER BY id LIMIT 1")).await
    }

    /// The addresses of all pages that are switched on, holes filled with the fixtures' rows.
    pub(crate) async fn pages(&self) -> Vec<String> {
        let category = self.id("categories", "slug = 'malayalam'").await;
        let blog = self.id("blogs", "is_published = 1").await;
        let fill = |path: String| {
            path.replace("/films/{id}", &format!("/films/{category}")).replace("/blog/{id}", &format!("/blog/{blog}"))
        };
        self.app.contents.pages.iter().map(|page| fill(page.path.for_openapi())).collect()
    }

    /// The addresses of all endpoints that are switched on, holes filled with the fixtures' rows.
    pub(crate) async fn endpoints(&self) -> Vec<String> {
        let category = self.id("categories", "slug = 'malayalam'").await;
        let film = self.id("films", &format!("category_id = {category} AND is_published = 1")).await;
        let blog = self.id("blogs", "is_published = 1").await;
        let fill = |path: String| {
            path.replace("/categories/{id}", &format!("/categories/{category}"))
                .replace("{film}", &film.to_string())
                .replace("{part}", "1")
                .replace("/blog/{id}", &format!("/blog/{blog}"))
                .replace("/pages/{slug}", "/pages/about-us")
                .replace("{slug}", "isff-2025")
        };
        self.app.contents.endpoints.iter().map(|endpoint| fill(endpoint.path.for_openapi())).collect()
    }
}

/// The request with one more header. Rocket's client reads cookies from no header.
fn with_header<'c>(mut request: LocalRequest<'c>, name: &str, value: &str) -> LocalRequest<'c> {
    if name.eq_ignore_ascii_case("cookie") {
        for (name, value) in value.split("; ").filter_map(|cookie| cookie.split_once('=')) {
            request = request.cookie((name.to_owned(), value.to_owned()));
        }
        return request;
    }
    request.add_header(Header::new(name.to_owned(), value.to_owned()));
    request
}

/// Switches a module off.
pub(crate) fn switch_off(settings: &mut Settings, module: &str) {
    settings.modules.insert(module.to_owned(), ModuleSettings { enabled: false, ..ModuleSettings::default() });
}
