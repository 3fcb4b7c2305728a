//! A further module, defined here and added to the list: everything else follows from its registration.

mod bundle;
mod pages;
mod toys;

use std::ffi::OsString;
use std::process::ExitCode;

use festival::modules;
use festival_cli::{commands, embedded};
use festival_core::admin::{OWNER, READER};
use festival_core::db::Migration;
use festival_core::seed::{self, Seed};
use festival_core::settings::Settings;
use festival_core::{Endpoint, Module, Page, Registry};
use serde_json::json;
use tempfile::TempDir;

use crate::admin::browser::{Browser, count_audited, create_account, hidden_value};
use crate::admin::imports;
use crate::support::{Database, TestApp, TestDatabase, boot, switch_off};
use bundle::FRONTEND;
use toys::{TABLES, TOYMAKER, ToysModule, list_toys};

fn modules_with_toys() -> Vec<Box<dyn Module>> {
    let mut all = modules();
    all.push(Box::new(ToysModule));
    all
}

/// A site with the modules of the program, the toys and their frontend.
async fn site_with_toys(database: Database, change: impl FnOnce(&mut Settings)) -> TestApp {
    let directory = tempfile::tempdir().unwrap();
    let copy = database.copy(directory.path()).await;
    site_with_toys_on(directory, copy, change).await
}

/// The same on an existing database.
async fn site_with_toys_on(directory: TempDir, database: TestDatabase, change: impl FnOnce(&mut Settings)) -> TestApp {
    let modules = modules_with_toys();
    TestApp::with_setup(directory, database, &modules, change, |setup| setup.frontend = FRONTEND).await
}

async fn seed_toys(app: &TestApp) -> seed::Report {
    let text = std::fs::read_to_string(crate::support::fixture("2025.toml")).unwrap()
        + "\n[[toys]]\nname = \"Lamp\"\nimage = \"pictures/poster.png\"\n[[toys]]\nname = \"Draft\"\nis_published = false\n";
    let read = Box::new(|name: &str| std::fs::read(crate::support::fixture(name)).ok());
    seed::seed(&app.app.records, &app.app.in_force, &Seed { text, read }, false).await.unwrap()
}

on_both!(
    new_module_is_complete_once_it_is_listed,
    entity_of_a_new_module_is_edited_in_the_back_office,
    role_and_setting_of_a_new_module_are_used,
    new_module_works_without_the_module_that_it_refers_to,
    disabled_new_module_is_gone_and_keeps_its_rows,
);

async fn new_module_is_complete_once_it_is_listed(database: Database) {
    let app = site_with_toys(database, |settings| {
        settings.menu.footer.push(festival_core::settings::Link { label: "Toys".into(), href: "/toys".into() });
    })
    .await;
    assert_eq!(app.app.registry.check(FRONTEND), vec![]);
    seed_toys(&app).await;
    let toys = app.get("/api/toys/").await.json();
    assert_eq!((toys.as_array().unwrap().len(), &toys[0]["name"]), (1, &json!("Lamp")));
    let image = toys[0]["image"].as_str().unwrap().strip_prefix("http://localhost/").unwrap().to_owned();
    assert_eq!(app.get(&format!("/{image}")).await.status, 200);
    assert_eq!(app.get("/api/toys/?edition=2024").await.status, 404, "visitors have never seen this edition");
    app.write("UPDATE editions SET is_public = 1 WHERE year = 2024").await;
    assert_eq!(app.get("/api/toys/?edition=2024").await.json(), json!([]));
    for page in ["/", "/toys"] {
        assert_eq!(boot(&app.get(page).await.text())["data"]["/toys/"], toys, "{page}");
    }
    assert!(app.get("/sitemap.xml").await.text().contains("<loc>http://localhost/toys</loc>"));
    assert!(app.get("/api/openapi.json").await.json()["paths"]["/toys/"].is_object());
    let facts = app.get("/api/site/").await.json();
    assert_eq!(facts["modules"]["toys"], true);
    assert!(facts["menu"]["footer"].to_string().contains("\"/toys\""));
    assert_eq!(app.request(rocket::http::Method::Post, "/api/toys/", &[]).await.status, 405);
}

/// List, form, upload, history, bin, order, export and import work without any code in core.
async fn entity_of_a_new_module_is_edited_in_the_back_office(database: Database) {
    let app = site_with_toys(database, |settings| {
        settings.uploads.mib_per_client_and_hour = 0;
        settings.uploads.keep_free_mib = 0;
    })
    .await;
    seed_toys(&app).await;
    let owner = create_account(&app, &OWNER).await;
    let browser = Browser::signed_in(&app, &owner).await;
    assert!(browser.get("/admin/").await.text().contains("href=\"/admin/toys\""));
    let shelf = browser.get("/admin/toy-shelf").await.text();
    assert!(shelf.contains("<main id=\"main\" tabindex=\"-1\" data-module=\"toys\">"), "{shelf}");
    assert!(shelf.contains("<h1>Shelf</h1>") && shelf.contains("<p class=\"toy-shelf\">A &lt;lamp&gt;</p>"), "{shelf}");
    let picture = std::fs::read(crate::support::fixture("pictures/poster.png")).unwrap();
    let kite = [("name", "Kite"), ("position", "5"), ("is_published", "yes")];
    let made = browser.post_with_files("/admin/toys/new", &kite, &[("image", "kite.png", &picture)]).await;
    assert_eq!(made.status, 303, "{}", made.text());
    let id = app.id("toys", "name = 'Kite'").await;
    let list = browser.get("/admin/toys").await.text();
    assert!(list.contains(&format!("/admin/toys/{id}\"")) && list.contains("Lamp"), "{list}");
    let toys = app.get("/api/toys/").await.json();
    let kite = toys.as_array().unwrap().iter().find(|toy| toy["name"] == "Kite").expect("the new row is on the site");
    let image = kite["image"].as_str().unwrap().strip_prefix("http://localhost").unwrap();
    assert_eq!(app.get(image).await.status, 200);

    let form = browser.get(&format!("/admin/toys/{id}")).await;
    let (version, key) = (hidden_value(&form, "version").unwrap(), hidden_value(&form, "kept_image").unwrap());
    let red = [
        ("name", "Red kite"),
        ("position", "5"),
        ("is_published", "yes"),
        ("version", &*version),
        ("kept_image", &*key),
    ];
    assert_eq!(browser.post_with_files(&format!("/admin/toys/{id}"), &red, &[]).await.status, 303);
    let history = browser.get(&format!("/admin/toys/{id}/history")).await.text();
    assert!(history.contains("<del>Kite</del> <ins>Red kite</ins>"), "{history}");
    let back = history.split("action=\"").find(|part| part.contains("/restore\"")).unwrap();
    assert_eq!(browser.post(back.split('"').next().unwrap(), &[]).await.status, 303);
    assert_eq!(app.number(&format!("SELECT count(*) FROM toys WHERE id = {id} AND name = 'Kite'")).await, 1);

    let file = browser.post("/admin/toys/file", &[("format", "csv")]).await.text();
    assert!(file.contains(&format!("{id},Kite,{key},5,yes")), "{file}");
    let worked_on = file.replace(",Kite,", ",Blue kite,") + ",Top,,,no\r\n";
    let (_, page) = imports::upload_list(&browser, "/admin/toys", "toys.csv", worked_on.as_bytes()).await;
    assert!(page.text().contains("<del>Kite</del> <ins>Blue kite</ins>"), "{}", page.text());
    assert_eq!(imports::submit_import(&browser, "/admin/toys", &page, &[]).await.status, 303);
    assert_eq!(app.number("SELECT count(*) FROM toys WHERE name IN ('Blue kite', 'Top')").await, 2);
    assert_eq!(app.number("SELECT count(*) FROM toys WHERE name = 'Top' AND is_published = 1").await, 0);

    let delete = format!("/admin/toys/{id}/delete");
    assert_eq!(browser.confirm(&browser.get(&delete).await, &delete).await.status, 303);
    let bin = browser.get("/admin/toys/bin").await.text();
    assert!(bin.contains("Blue kite") && !app.get("/api/toys/").await.text().contains("Blue kite"), "{bin}");
    let lamp = app.id("toys", "name = 'Lamp'").await;
    let place = app.number(&format!("SELECT position FROM toys WHERE id = {lamp}")).await.to_string();
    let order = [(format!("position-{lamp}"), "90"), (format!("seen-{lamp}"), &*place)];
    let order: Vec<(&str, &str)> = order.iter().map(|(name, value)| (&**name, *value)).collect();
    assert_eq!(browser.post("/admin/toys/order", &order).await.status, 303);
    for action in ["add", "edit", "restore", "export", "import", "delete", "order"] {
        assert_eq!(count_audited(&app, action).await, 1, "{action}");
    }
}

async fn role_and_setting_of_a_new_module_are_used(database: Database) {
    let app = site_with_toys(database, |_| {}).await;
    seed_toys(&app).await;
    let owner = Browser::signed_in(&app, &create_account(&app, &OWNER).await).await;
    assert_eq!(app.get("/api/site/").await.json()["toy_wish"], "A kite");
    let form = owner.get("/admin/settings/toys").await;
    let fields = [("version", &*hidden_value(&form, "version").unwrap()), ("modules.toys.wish", "A lantern")];
    assert_eq!(owner.post("/admin/settings/toys", &fields).await.status, 303);
    assert_eq!(app.get("/api/site/").await.json()["toy_wish"], "A lantern");
    // An account with the role sees its screens and the content of the site, and no settings.
    assert!(owner.get("/admin/accounts/new").await.text().contains("Toymaker: Looks after the toys."));
    let toymaker = Browser::signed_in(&app, &create_account(&app, &TOYMAKER).await).await;
    for (path, status) in [("/admin/toy-shelf", 200), ("/admin/toys", 200), ("/admin/settings/toys", 403)] {
        assert_eq!(toymaker.get(path).await.status, status, "{path}");
    }
    let reader = Browser::signed_in(&app, &create_account(&app, &READER).await).await;
    assert_eq!(reader.get("/admin/toy-shelf").await.status, 403);
    // Without the module, the account has the fewest permissions.
    let (directory, copy) = app.stop().await;
    let off = site_with_toys_on(directory, copy, |settings| switch_off(settings, "toys")).await;
    assert!(off.get("/api/site/").await.json().get("toy_wish").is_none());
    let toymaker = Browser::signed_in(&off, "toymaker@example.org").await;
    assert!(toymaker.get("/admin/").await.text().contains("Read only"));
    assert_eq!(toymaker.get("/admin/films").await.status, 200);
}

async fn new_module_works_without_the_module_that_it_refers_to(database: Database) {
    let on = site_with_toys(database, |_| {}).await;
    seed_toys(&on).await;
    let owner = create_account(&on, &OWNER).await;
    let browser = Browser::signed_in(&on, &owner).await;
    let film = on.id("films", "is_published = 1").await.to_string();
    assert!(browser.get("/admin/toys/new").await.text().contains("name=\"film\""));
    let boat = [("name", "Boat"), ("position", "5"), ("is_published", "yes"), ("film", &*film)];
    let added = browser.post_with_files("/admin/toys/new", &boat, &[]).await;
    assert_eq!(added.status, 303, "{}", added.text());
    let (directory, copy) = on.stop().await;
    let off = site_with_toys_on(directory, copy, |settings| {
        // The programme refers to films.
        switch_off(settings, "films");
        switch_off(settings, "programme");
    })
    .await;
    assert_eq!(off.app.registry.check(FRONTEND), vec![]);
    assert_eq!(off.get("/api/toys/").await.json().as_array().unwrap().len(), 2);
    let page = off.get("/toys").await.text();
    assert!(page.contains(">Lamp</h2>") && page.contains(">Boat</h2>"), "{page}");
    let browser = Browser::signed_in(&off, &owner).await;
    let boat = off.id("toys", "name = 'Boat'").await;
    let form = browser.get(&format!("/admin/toys/{boat}")).await;
    assert!(form.status == 200 && !form.text().contains("name=\"film\""), "{}", form.text());
    let version = hidden_value(&form, "version").unwrap();
    let red = [("name", "Red boat"), ("position", "5"), ("is_published", "yes"), ("version", &*version)];
    assert_eq!(browser.post_with_files(&format!("/admin/toys/{boat}"), &red, &[]).await.status, 303);
    let list = browser.post("/admin/toys/file", &[("format", "csv")]).await.text();
    assert!(list.contains("Red boat") && !list.contains("Film"), "{list}");
    // The row still refers to its film.
    let of_film = format!("SELECT count(*) FROM toys WHERE name = 'Red boat' AND film_id = {film}");
    assert_eq!(off.number(&of_film).await, 1);
}

async fn disabled_new_module_is_gone_and_keeps_its_rows(database: Database) {
    let app = site_with_toys(database, |_| {}).await;
    seed_toys(&app).await;
    let (directory, copy) = app.stop().await;
    let off = site_with_toys_on(directory, copy, |settings| switch_off(settings, "toys")).await;
    off.get("/api/toys/").await.assert_error(404, "not_found");
    assert_eq!(off.get("/toys").await.status, 404);
    assert!(off.app.admin.contents.templates.iter().all(|template| template.name != "toy-shelf"));
    assert!(boot(&off.get("/").await.text())["data"].get("/toys/").is_none());
    assert_eq!(off.get("/api/site/").await.json()["modules"]["toys"], false);
    assert_eq!(seed_toys(&off).await.switched_off, ["toys"]);
    let (directory, copy) = off.stop().await;
    let on = site_with_toys_on(directory, copy, |_| {}).await;
    assert_eq!(on.get("/api/toys/").await.json()[0]["name"], "Lamp");
}

/// The command of the module is a command of the program.
#[tokio::test(flavor = "multi_thread")]
async fn command_of_a_new_module_runs() {
    let app = site_with_toys(Database::Sqlite, |_| {}).await;
    seed_toys(&app).await;
    let (data, _copy) = app.stop().await;
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("config")).unwrap();
    let run = async |arguments: &[&str], more: &str| {
        let settings = format!("data_dir = {:?}\n{more}", data.path());
        std::fs::write(folder.path().join("config/local.toml"), settings).unwrap();
        let arguments = std::iter::once("festival").chain(arguments.iter().copied()).map(OsString::from);
        commands::run_in(folder.path(), &modules_with_toys(), arguments).await
    };
    assert_eq!(run(&["toys", "hide", "Nothing"], "").await, ExitCode::FAILURE);
    assert_eq!(run(&["toys", "hide"], "").await, ExitCode::from(2));
    assert_eq!(run(&["toys", "hide", "Lamp"], "[modules.toys]\nenabled = false\n").await, ExitCode::from(2));
    assert_eq!(run(&["toys", "hide", "Lamp"], "").await, ExitCode::SUCCESS);
    let app = site_with_toys_on(data, TestDatabase::default(), |_| {}).await;
    assert_eq!(app.get("/api/toys/").await.json(), json!([]));
}

/// Duplicate and dangling registrations are reported before the site starts.
#[test]
fn registration_errors_are_detected() {
    struct Wrong;
    impl Module for Wrong {
        fn name(&self) -> &'static str {
            "films"
        }

        fn register(&self, registry: &mut Registry) {
            registry
                .migrations([Migration { version: "0201", ..TABLES }])
                .top_level_section::<festival_films_twin::Menu>("menu")
                .entity(&festival_films_twin::TWIN)
                .endpoint(Endpoint::get("/categories", "Twice.", list_toys))
                .page(Page::new("/films/", "films"))
                .templates([("layout", ""), ("toy-shelf", "")])
                .page_depends_on("/nowhere", ["/toys/"]);
        }
    }
    let mut modules = modules_with_toys();
    modules.push(Box::new(Wrong));
    let settings = festival_core::settings::Settings::default();
    let problems = Registry::collect(&settings, &modules).check(embedded::FRONTEND);
    let codes: Vec<&str> = problems.iter().map(|problem| problem.code).collect();
    for code in ["R001", "R004", "R005", "R006", "R007", "R008", "R012"] {
        assert!(codes.contains(&code), "{code} is missing in {problems:?}");
    }
    let of_templates: Vec<&str> =
        problems.iter().filter(|problem| problem.code == "R012").map(|problem| problem.message.as_str()).collect();
    assert_eq!(
        of_templates,
        [
            "core and films both have a template of the back office called \"layout\": give one another name",
            "toys and films both have a template of the back office called \"toy-shelf\": give one another name",
        ]
    );
}

mod festival_films_twin {
    use festival_core::entity::{Entity, Field};
    use festival_core::settings::Section;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    /// Claims a section of core.
    #[derive(Default, Deserialize, Serialize, JsonSchema)]
    pub(super) struct Menu {}

    impl Section for Menu {}

    /// Claims the table of another module, and a key that is not a field.
    pub(super) const TWIN: Entity = Entity {
        table: "films",
        singular: "film",
        plural: "films",
        fields: &[Field::text("name", "Name")],
        key: &["title"],
        per_edition: false,
    };
}
