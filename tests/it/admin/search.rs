//! The search over everything: what each role finds, and what it does not.

use festival_core::admin::{EDITOR, OWNER, READER, Role};
use festival_core::seed::{self, Seed};
use festival_forms::{DESK, REVIEWER};

use super::browser::{Browser, count_audited, create_account};
use crate::forms::requests::{FormRequest, assert_received, lift_limits, message, send_message};
use crate::support::{Database, TestApp, fixture};
use serde_json::Value;

on_both!(
    search_covers_every_kind_of_record,
    search_finds_nothing_that_the_role_may_not_see,
    telephone_numbers_are_found_however_they_are_written,
    submissions_are_found_in_both_scripts,
    submissions_are_found_by_all_their_texts,
    keys_of_names_are_erased_with_the_names,
    films_are_found_by_every_usual_spelling,
    similar_names_are_found_if_none_is_spelt_like_the_search,
);

const SEARCH: &str = "/admin/search";

async fn site(database: Database) -> TestApp {
    let site = TestApp::with(database, lift_limits).await;
    let delegate = FormRequest::delegate().with("name", "Meenakshi Varier").with("mobile", "+91 98470-12 345");
    assert_received(&delegate.post(&site, "/api/delegate-form/").await);
    site
}

async fn signed_in<'a>(site: &'a TestApp, role: &Role) -> Browser<'a> {
    Browser::signed_in(site, &create_account(site, role).await).await
}

async fn search(browser: &Browser<'_>, query: &str) -> String {
    let page = browser.get(&format!("{SEARCH}?q={query}")).await;
    assert_eq!(page.status, 200, "{}", page.text());
    let text = page.text();
    // The menu is on every page.
    text[text.find("id=\"main\"").unwrap()..].to_owned()
}

async fn search_covers_every_kind_of_record(database: Database) {
    let site = site(database).await;
    let owner = signed_in(&site, &OWNER).await;
    let person = site.id("delegates", "name = 'Meenakshi Varier'").await;
    let film = site.id("films", "name = 'Bare'").await;
    for (query, href) in [
        ("meenakshi", format!("/admin/delegates/{person}")),
        ("bare", format!("/admin/films/{film}")),
        ("audit", "/admin/audit".to_owned()),
        ("test+owner", "/admin/accounts/1".to_owned()),
        ("entry+fee+dollars", "/admin/settings/fees".to_owned()),
    ] {
        let page = search(&owner, query).await;
        assert!(page.contains(&format!("href=\"{href}\"")), "{query}: {page}");
    }
    let audited = count_audited(&site, "list").await;
    assert_eq!(audited, 1, "only the search that showed a person is in the audit log");
    assert_eq!(site.number("SELECT count(*) FROM admin_audit WHERE after_json LIKE '%eenakshi%'").await, 0);
    assert!(search(&owner, "xyzzy").await.contains("Nothing that you may see"));
    assert!(!search(&owner, "").await.contains("Nothing that you may see"));
}

async fn search_finds_nothing_that_the_role_may_not_see(database: Database) {
    let site = site(database).await;
    let reader = signed_in(&site, &READER).await;
    let editor = signed_in(&site, &EDITOR).await;
    let desk = signed_in(&site, &DESK).await;
    for (browser, query, href) in [
        (&reader, "meenakshi", "/admin/delegates/"),
        (&editor, "meenakshi", "/admin/delegates/"),
        (&editor, "example.org", "/admin/accounts/"),
        (&desk, "upi", "/admin/settings/payment"),
        (&reader, "audit", "/admin/audit"),
    ] {
        let page = search(browser, query).await;
        assert!(!page.contains(href), "{query}: {page}");
    }
    assert!(search(&desk, "meenakshi").await.contains("Meenakshi Varier"));
    assert_eq!(Browser::new(&site).get(SEARCH).await.status, 303);
}

async fn telephone_numbers_are_found_however_they_are_written(database: Database) {
    let site = site(database).await;
    let desk = signed_in(&site, &DESK).await;
    for query in ["9847012345", "098470+12345", "%2B919847012345", "98470.12345", "(98470)+12345"] {
        let page = search(&desk, query).await;
        assert!(page.contains("Meenakshi Varier"), "{query}: {page}");
    }
    for query in ["9847012346", "984701", "98470-12346"] {
        let page = search(&desk, query).await;
        assert_eq!(page.contains("Meenakshi Varier"), query == "984701", "{query}: {page}");
    }
}

/// A text encoded for a query string.
fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// A film and a delegate with names in both scripts.
async fn site_in_two_scripts(database: Database) -> TestApp {
    let site = TestApp::with(database, lift_limits).await;
    let film = FormRequest::film().with("award_category", "malayalam").with("title_english", "Prawn");
    let film = film.with("title_original", "ചെമ്മീൻ").with("director_name", "Adoor").with("name_of_submitter", "സുമ");
    let film = film.with("director_email", "adoor@example.org");
    assert_received(&film.post(&site, "/api/changed/").await);
    let delegate = FormRequest::delegate().with("name", "മീനാക്ഷി വാരിയർ").with("mobile", "+91 98470-12 345");
    assert_received(&delegate.post(&site, "/api/delegate-form/").await);
    site
}

async fn submissions_are_found_in_both_scripts(database: Database) {
    let site = site_in_two_scripts(database).await;
    let film = format!("/admin/film-submissions/{}", site.id("film_submissions", "title_english = 'Prawn'").await);
    let delegate = format!("/admin/delegates/{}", site.id("delegates", "status = 'new'").await);
    let desk = signed_in(&site, &DESK).await;
    for (query, found) in [
        ("chemmeen", &film),
        ("ചെമ്മീൻ", &film),
        ("chemeen adoor", &film),
        ("അടൂർ", &film),
        ("അടൂർ prawn", &film),
        ("suma", &film),
        ("meenakshi variyar", &delegate),
        ("Variyar 98470", &delegate),
        ("9847012345", &delegate),
    ] {
        let query = encoded(query);
        let list = found.rsplit_once('/').unwrap().0;
        for text in [desk.get(&format!("{list}?q={query}")).await.text(), search(&desk, &query).await] {
            assert!(text.contains(&format!("href=\"{found}")), "{query}: {text}");
        }
    }
    for query in ["chemmeen meenakshi", "kodiyettam", "ചെമ്മീൻ kodiyettam"] {
        let list = desk.get(&format!("/admin/film-submissions?q={}", encoded(query))).await.text();
        assert!(!list.contains(&film), "{query}: {list}");
    }
    let reviewer = signed_in(&site, &REVIEWER).await;
    assert!(search(&reviewer, "chemmeen").await.contains(&film));
    assert!(!search(&reviewer, "suma").await.contains(&film), "who sent it is not shown to reviewers");
}

async fn submissions_are_found_by_all_their_texts(database: Database) {
    let site = TestApp::with(database, lift_limits).await;
    let film = FormRequest::film().with("award_category", "asian").with("producer_mobile", "+91 94470-55 512");
    let film = film.with("cast_and_crew", "Mohanlal, Urvashi").with("producer_name", "Lathika 100%");
    assert_received(&film.post(&site, "/api/changed/").await);
    let (desk, reviewer) = (signed_in(&site, &DESK).await, signed_in(&site, &REVIEWER).await);
    let list = async |browser: &Browser<'_>, query: &str| {
        let text = browser.get(&format!("/admin/film-submissions?q={}", encoded(query))).await.text();
        let status = browser.get(&format!("/admin/film-submissions?status=new&q={}", encoded(query))).await.text();
        let is_found = text.contains("href=\"/admin/film-submissions/1?");
        assert_eq!(is_found, status.contains("href=\"/admin/film-submissions/1?"), "{query}: {status}");
        // The tab "All" shows the number of results.
        assert_eq!(text.contains("<b>1</b>"), is_found, "{query}: {text}");
        is_found
    };
    for query in ["urvashi", "lathika", "100%", "malayalam urvashi"] {
        assert!(list(&desk, query).await && list(&reviewer, query).await, "{query}");
    }
    assert!(search(&reviewer, "urvashi").await.contains("/admin/film-submissions/1"));
    assert_eq!(send_message(&site, &message()).await.status, 200);
    assert!(search(&desk, "begin?").await.contains("/admin/contact-messages/1"));
    assert!(!search(&reviewer, "begin?").await.contains("/admin/contact-messages/"));
    for query in ["9447055512", "094470 55512", "submitter@example.org"] {
        assert!(list(&desk, query).await, "{query}");
        assert!(!list(&reviewer, query).await, "{query} is not shown to reviewers");
    }
    // The right digits with others in between are another number.
    for query in ["9447055521", "100_", "urvashi kodiyettam"] {
        assert!(!list(&desk, query).await, "{query}");
    }
}

async fn keys_of_names_are_erased_with_the_names(database: Database) {
    let site = site_in_two_scripts(database).await;
    let owner = signed_in(&site, &OWNER).await;
    let keys = async || site.texts("SELECT search_keys || sender_search_keys FROM film_submissions").await.concat();
    let stored = keys().await;
    assert!([" cemin", " atur", " sum"].iter().all(|key| stored.contains(key)), "{stored}");
    for email in ["adoor@example.org", "delegate@example.org"] {
        assert_eq!(owner.post("/admin/privacy/erase", &[("email", email)]).await.status, 303);
    }
    let stored = keys().await;
    assert!(stored.contains(" cemin") && !stored.contains("atur"), "the film stays, its director is erased: {stored}");
    assert_eq!(site.number("SELECT count(*) FROM delegates").await, 0);
    site.write("UPDATE film_submissions SET payment = 'verified', payment_amount = '5000'").await;
    assert_eq!(owner.post("/admin/privacy/erase", &[("email", "submitter@example.org")]).await.status, 303);
    assert_eq!(site.number("SELECT count(*) FROM film_submissions").await, 1, "the payment stays");
    assert_eq!(keys().await, "");
}

/// The films and queries that the programme's search is tested with, too.
#[derive(serde::Deserialize)]
struct Queries {
    films: Vec<QueriedFilm>,
    /// A query, and the title of the film that is meant.
    queries: Vec<(String, String)>,
}

#[derive(serde::Deserialize)]
struct QueriedFilm {
    title: String,
    original_title: String,
    director: String,
}

async fn films_are_found_by_every_usual_spelling(database: Database) {
    let site = TestApp::new(database).await;
    let Queries { films, queries } = serde_json::from_str(include_str!("../../fixtures/search-queries.json")).unwrap();
    let row = |film: &QueriedFilm| {
        let [title, original, director] =
            [&film.title, &film.original_title, &film.director].map(|text| Value::String(text.clone()).to_string());
        format!(
            "[[films]]\ncategory = \"malayalam\"\nname = {title}\noriginal_title = {original}\ndirector_name = {director}\n"
        )
    };
    let rows: String = films.iter().map(row).collect();
    let text = std::fs::read_to_string(fixture("2025.toml")).unwrap() + &rows;
    let read = Box::new(|name: &str| std::fs::read(fixture(name)).ok());
    let report = seed::seed(&site.app.records, &site.app.in_force, &Seed { text, read }, false).await;
    report.unwrap_or_else(|error| panic!("{}", error.for_terminal()));
    let editor = signed_in(&site, &EDITOR).await;
    let mut missed = Vec::new();
    for (query, title) in &queries {
        let page = search(&editor, &encoded(query)).await;
        let films = page.split("<section>").find(|group| group.contains("<h2>Films")).unwrap_or_default();
        if !films.replace("&#x27;", "'").contains(&format!(">{title}</a>")) {
            missed.push((query, title));
        }
    }
    assert!(queries.len() >= 200, "{}", queries.len());
    assert!(missed.len() * 50 <= queries.len(), "{missed:?}");
}

async fn similar_names_are_found_if_none_is_spelt_like_the_search(database: Database) {
    let site = site_in_two_scripts(database).await;
    let film = FormRequest::film().with("title_english", "Anchor").with("name_of_submitter", "Sarojini Amma");
    assert_received(&film.with("director_name", "Devaki").post(&site, "/api/changed/").await);
    let anchor = format!("/admin/film-submissions/{}", site.id("film_submissions", "title_english = 'Anchor'").await);
    let delegate = format!("/admin/delegates/{}", site.id("delegates", "status = 'new'").await);
    let (desk, reviewer) = (signed_in(&site, &DESK).await, signed_in(&site, &REVIEWER).await);
    const NOTE: &str = "Nothing is spelt like this. These are similar:";
    for (query, found) in [
        ("Meenakchi Varier", &delegate),
        ("meenaakshivariyar", &delegate),
        ("മീനക്കാഷി", &delegate),
        ("deveki", &anchor),
        ("sarojani", &anchor),
    ] {
        let query = encoded(query);
        let list = found.rsplit_once('/').unwrap().0;
        let listed = desk.get(&format!("{list}?q={query}")).await.text();
        assert!(listed.contains(NOTE), "{query}: {listed}");
        for text in [listed, search(&desk, &query).await] {
            assert!(text.contains(&format!("href=\"{found}")), "{query}: {text}");
        }
    }
    // What is spelt like the search comes without what is similar; numbers and addresses are right or wrong.
    let listed = desk.get("/admin/delegates?q=meenakshi").await.text();
    assert!(listed.contains(&delegate) && !listed.contains(NOTE), "{listed}");
    for query in ["98470-12346", "delegat@example.org", "Meenakchi 2", "Sulochana"] {
        let page = search(&desk, &encoded(query)).await;
        assert!(!page.contains(&delegate) && !page.contains(&anchor), "{query}: {page}");
    }
    assert!(search(&reviewer, "deveki").await.contains(&anchor));
    assert!(!search(&reviewer, "sarojani").await.contains(&anchor), "who sent it is not shown to reviewers");
}
