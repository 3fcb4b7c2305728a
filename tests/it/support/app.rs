//! The whole site inside the test process, requested through its public addresses.

use std::net::IpAddr;
use std::sync::Arc;

use festival::modules;
use festival_cli::{Setup, server};
use festival_core::clock::Clock;
use festival_core::settings::{self, ModuleSettings, Sections, Settings};
use festival_core::{Module, Program, Registry};
use rocket::http::{Header, Method};
use rocket::local::asynchronous::{Client, LocalRequest};
use sqlx::AssertSqlSafe;
use tempfile::TempDir;

use super::{Database, Response, S3Server, database::TestDatabase, fixture};

/// The settings of every test site unless a test changes them.
pub(crate) fn fixture_settings() -> Settings {
    let over = std::fs::read_to_string(fixture("settings.toml")).unwrap();
    settings::defaults_with(&over, &sections()).unwrap()
}

/// The sections of settings that belong to modules.
pub(crate) fn sections() -> Sections {
    Registry::collect(&Settings::default(), &modules()).sections()
}

/// Sets values in a section that belongs to a module, as in a settings file: `set_section(settings, "payment", "upi.id
/// = 'a@b'")`.
pub(crate) fn set_section(settings: &mut Settings, name: &str, values: &str) {
    let values: toml::Table = toml::from_str(values).unwrap();
    let values = values.into_iter().map(|(key, value)| (key, serde_json::to_value(value).unwrap()));
    settings.sections.insert(name.to_owned(), values.collect());
}

/// With this variable set, all sites inside the test process have their files in a bucket, whose objects are in the
/// media folder.
const IN_A_BUCKET: &str = "FESTIVAL_TEST_IN_A_BUCKET";

/// The time in every test unless a test sets another: during the festival, before one of its events.
pub(crate) const NOW: &str = "2025-10-26T06:30:00Z";

/// A site with the fixtures' rows and its own data directory and database.
pub(crate) struct TestApp {
    client: Option<Client>,
    pub(crate) app: Arc<Program>,
    pub(crate) clock: Clock,
    pub(crate) directory: TempDir,
    pub(crate) database: TestDatabase,
}

impl TestApp {
    /// A site with all modules and default settings.
    pub(crate) async fn new(database: Database) -> Self {
        Self::with(database, |_| {}).await
    }

    /// A site with all modules and changed settings.
    pub(crate) async fn with(database: Database, change: impl FnOnce(&mut Settings)) -> Self {
        Self::with_modules(database, &modules(), change).await
    }

    /// A site without one module and those that need it.
    pub(crate) async fn without(database: Database, module: &str) -> Self {
        Self::with(database, |settings| with_dependents(module).iter().for_each(|it| switch_off(settings, it))).await
    }

    /// A site with these modules and changed settings.
    pub(crate) async fn with_modules(
        database: Database,
        modules: &[Box<dyn Module>],
        change: impl FnOnce(&mut Settings),
    ) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let copy = database.copy(directory.path()).await;
        Self::on_database(directory, copy, modules, change).await
    }

    /// A site on an existing database.
    pub(crate) async fn on_database(
        directory: TempDir,
        database: TestDatabase,
        modules: &[Box<dyn Module>],
        change: impl FnOnce(&mut Settings),
    ) -> Self {
        Self::with_setup(directory, database, modules, change, |_| {}).await
    }

    /// A site on an existing database, whose setup `prepare` changes before it is opened.
    pub(crate) async fn with_setup(
        directory: TempDir,
        database: TestDatabase,
        modules: &[Box<dyn Module>],
        change: impl FnOnce(&mut Settings),
        prepare: impl FnOnce(&mut Setup),
    ) -> Self {
        let mut settings = fixture_settings();
        settings.data_dir = directory.path().to_owned();
        if std::env::var_os(IN_A_BUCKET).is_some() {
            let media = directory.path().join("media");
            std::fs::create_dir_all(&media).unwrap();
            S3Server::shared().bucket_in(&media).configure(&mut settings);
        }
        change(&mut settings);
        let figment = server::figment(&settings)
            .merge(("databases.festival.url", database.url(directory.path())))
            .merge(("databases.festival.max_connections", 16));
        let mut setup = Setup::new(settings, figment, modules);
        let clock = Clock::fixed(NOW.parse().unwrap());
        setup.clock = clock.clone();
        prepare(&mut setup);
        let figment = setup.figment.clone();
        let app = setup.open().await.unwrap();
        let rocket = server::build(&app, figment).await.unwrap();
        let client = Client::untracked(rocket).await.expect("the site starts");
        Self { client: Some(client), app, clock, directory, database }
    }

    /// Stops the site and returns its data directory and database.
    pub(crate) async fn stop(mut self) -> (TempDir, TestDatabase) {
        if let Some(client) = self.client.take() {
            client.terminate().await;
        }
        self.app.db.close().await;
        let directory = std::mem::replace(&mut self.directory, tempfile::tempdir().unwrap());
        (directory, std::mem::take(&mut self.database))
    }

    /// Serves the same site on a free port until the test ends, and returns the address: "127.0.0.1:40123".
    pub(crate) async fn serve(&self) -> String {
        let figment = server::figment(&self.app.settings)
            .merge(("databases.festival.url", self.database.url(self.directory.path())))
            .merge(("address", "127.0.0.1"))
            .merge(("port", 0));
        let rocket = server::build(&self.app, figment).await.unwrap();
        let (send_port, port) = tokio::sync::oneshot::channel();
        let rocket = rocket.attach(rocket::fairing::AdHoc::on_liftoff("say where", |rocket| {
            send_port.send(rocket.config().port).unwrap();
            Box::pin(async {})
        }));
        tokio::spawn(rocket.launch());
        format!("127.0.0.1:{}", port.await.unwrap())
    }

    /// Sends a GET request.
    pub(crate) async fn get(&self, path: &str) -> Response {
        self.request(Method::Get, path, &[]).await
    }

    /// Sends a GET request with headers.
    pub(crate) async fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Response {
        self.request(Method::Get, path, headers).await
    }

    /// Sends a request without a body. The Host header is `localhost` unless it is given.
    pub(crate) async fn request(&self, method: Method, path: &str, headers: &[(&str, &str)]) -> Response {
        let client = self.client.as_ref().expect("the site is running");
        let mut request = client.req(method, path.to_owned());
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            request.add_header(Header::new("Host", "localhost"));
        }
        for (name, value) in headers {
            request = with_header(request, name, value);
        }
        Response::read(request.dispatch().await).await
    }

    /// Sends a request without a body from another client address.
    pub(crate) async fn request_from(
        &self,
        peer: &str,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
    ) -> Response {
        let client = self.client.as_ref().expect("the site is running");
        let mut request = client.req(method, path.to_owned()).remote((peer.parse::<IpAddr>().unwrap(), 40_000).into());
        for (name, value) in headers {
            request = with_header(request, name, value);
        }
        Response::read(request.dispatch().await).await
    }

    /// Sends a POST request with a body.
    pub(crate) async fn post(&self, path: &str, headers: &[(&str, &str)], body: impl AsRef<[u8]>) -> Response {
        let client = self.client.as_ref().expect("the site is running");
        let mut request = client.post(path.to_owned()).body(body);
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            request.add_header(Header::new("Host", "localhost"));
        }
        for (name, value) in headers {
            request = with_header(request, name, value);
        }
        Response::read(request.dispatch().await).await
    }

    /// Methods and paths of all mounted routes.
    pub(crate) fn routes(&self) -> Vec<(Method, String)> {
        let client = self.client.as_ref().expect("the site is running");
        client.rocket().routes().map(|route| (route.method, route.uri.to_string())).collect()
    }

    /// Executes SQL in a write transaction, as the site itself does.
    pub(crate) async fn write(&self, sql: &str) {
        let mut write = self.app.db.write().await.unwrap();
        sqlx::query(AssertSqlSafe(sql.to_owned())).execute(&mut *write).await.expect(sql);
        write.commit().await.unwrap();
    }

    /// The text values of a query's only column.
    pub(crate) async fn texts(&self, sql: &str) -> Vec<String> {
        let mut connection = self.app.db.read().await.unwrap();
        sqlx::query_scalar(AssertSqlSafe(sql.to_owned())).fetch_all(&mut *connection).await.expect(sql)
    }

    /// The number that a query returns.
    pub(crate) async fn number(&self, sql: &str) -> i64 {
        let mut connection = self.app.db.read().await.unwrap();
        sqlx::query_scalar(AssertSqlSafe(sql.to_owned())).fetch_one(&mut *connection).await.expect(sql)
    }

    /// The id of the first row that fulfils `condition`.
    pub(crate) async fn id(&self, table: &str, condition: &str) -> i64 {
        self.number(&format!("SELECT id FROM {table} WHERE {condition} ORDER BY id LIMIT 1")).await
    }

    /// The paths of all enabled pages, with parameters from the fixtures.
    pub(crate) async fn pages(&self) -> Vec<String> {
        let category = self.id("categories", "slug = 'malayalam'").await;
        let blog = self.id("blogs", "is_published = 1").await;
        let fill = |path: String| {
            path.replace("/films/{id}", &format!("/films/{category}")).replace("/blog/{id}", &format!("/blog/{blog}"))
        };
        self.app.contents.pages.iter().map(|page| fill(page.path.for_openapi())).collect()
    }

    /// The paths of all enabled endpoints, with parameters from the fixtures.
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

/// Adds a header to the request. Rocket's client does not read cookies from headers, so they are added one by one.
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

/// A module and those that refer to its rows: they cannot be enabled without it.
pub(crate) fn with_dependents(module: &str) -> Vec<&str> {
    match module {
        "films" => vec![module, "programme"],
        "forms" => vec![module, "selection"],
        _ => vec![module],
    }
}

/// Disables a module.
pub(crate) fn switch_off(settings: &mut Settings, module: &str) {
    settings.modules.insert(module.to_owned(), ModuleSettings { enabled: false, ..ModuleSettings::default() });
}
