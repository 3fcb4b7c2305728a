//! The virus scanner: what it finds is refused, and what it did not scan is marked or refused, for forms and for the back office.

use festival_core::admin::Role;
use festival_core::settings::{Settings, WhenDown};

use super::sent::{Sent, files_kept, patient, picture, received, refused};
use crate::admin::browser::{Browser, hidden, person};
use crate::support::{Behaviour, Clamd, Database, EICAR, TestApp, festival};

async fn site(address: &str, when_down: WhenDown) -> TestApp {
    TestApp::with(Database::Sqlite, |settings: &mut Settings| {
        patient(settings);
        settings.uploads.scanner.address = address.to_owned();
        settings.uploads.scanner.when_down = when_down;
        settings.uploads.scanner.timeout_seconds = 1;
    })
    .await
}

/// A picture with the virus behind its end.
fn infected() -> Vec<u8> {
    [picture(), EICAR.to_vec()].concat()
}

#[tokio::test]
async fn malware_is_refused_at_its_field() {
    let scanner = Clamd::start(Behaviour::Scans);
    let site = site(&scanner.address, WhenDown::Keep).await;
    received(&Sent::film().to(&site, "/api/changed/").await);
    assert_eq!(scanner.scanned(), 6, "every file is looked at");
    assert_eq!(site.number("SELECT count(*) FROM submission_files WHERE flags = ''").await, 6);
    for field in ["film_poster", "screenshot", "documentation"] {
        for bytes in [EICAR.to_vec(), infected()] {
            let film = Sent::film().with("title_english", "Infected").with_file(field, "p.png", bytes);
            let (named, words) = refused(&film.to(&site, "/api/changed/").await);
            assert_eq!(named, field);
            assert!(words.starts_with("This file holds malware (Win.Test.EICAR_HDB-1)"), "{words}");
        }
    }
    let delegate = Sent::delegate().with_file("signature", "s.png", infected());
    assert_eq!(refused(&delegate.to(&site, "/api/delegate-form/").await).0, "signature");
    let mut single = Sent::film().with_file("film_poster", "p.png", infected());
    single.texts.clear();
    single.files.retain(|(field, ..)| field == "film_poster");
    assert_eq!(refused(&single.to(&site, "/api/forms/film/files/").await).0, "film_poster");
    assert_eq!(files_kept(&site), 6);

    let browser = Browser::signed_in(&site, &person(&site, Role::Owner).await).await;
    let film = [("category", "malayalam"), ("name", "Infected")];
    let answer = browser.post_with_files("/admin/films/new", &film, &[("poster", "p.png", &infected())]).await;
    assert_eq!(answer.status, 422);
    assert!(answer.text().contains("holds malware"), "{}", answer.text());
    assert_eq!(site.number("SELECT count(*) FROM films WHERE name = 'Infected'").await, 0);
}

#[tokio::test]
async fn what_was_not_scanned_is_kept_and_marked_or_refused() {
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let behaviours = [Behaviour::IsSilent, Behaviour::Cuts, Behaviour::IsTooSmall].map(Clamd::start);
    let addresses = behaviours.iter().map(|scanner| scanner.address.clone());
    for address in addresses.chain([nobody, "unix:/nowhere/clamd.ctl".to_owned()]) {
        let keeps = site(&address, WhenDown::Keep).await;
        received(&Sent::delegate().to(&keeps, "/api/delegate-form/").await);
        let marked = "SELECT count(*) FROM submission_files WHERE flags = 'not_scanned'";
        assert_eq!(keeps.number(marked).await, 2, "{address}");
        let browser = Browser::signed_in(&keeps, &person(&keeps, Role::Owner).await).await;
        let id = keeps.id("delegates", "name = 'Delegate'").await;
        let page = browser.get(&format!("/admin/delegates/{id}")).await.text();
        assert!(page.contains("it was not scanned."), "{page}");

        let refuses = site(&address, WhenDown::Refuse).await;
        let answer = Sent::delegate().to(&refuses, "/api/delegate-form/").await;
        answer.assert_error(503, "unavailable");
        assert_eq!(answer.header("Retry-After"), "5");
        assert_eq!((files_kept(&refuses), refuses.number("SELECT count(*) FROM delegates").await), (0, 0));
        let browser = Browser::signed_in(&refuses, &person(&refuses, Role::Owner).await).await;
        let film = [("category", "malayalam"), ("name", "Later")];
        let answer = browser.post_with_files("/admin/films/new", &film, &[("poster", "p.png", &picture())]).await;
        assert_eq!((answer.status, hidden(&answer, "kept_poster")), (503, None));
    }
}

#[test]
fn the_check_before_going_public_asks_the_scanner() {
    let directory = tempfile::tempdir().unwrap();
    let check = |address: &str| {
        festival(directory.path(), &["check", "--deploy"], &[("FESTIVAL_UPLOADS__SCANNER__ADDRESS", address)]).out
    };
    assert!(!check("").contains("P017"));
    assert!(!check(&Clamd::start(Behaviour::Scans).address).contains("P017"));
    let away = check("unix:/nowhere/clamd.ctl");
    assert!(away.contains("P017: the virus scanner at unix:/nowhere/clamd.ctl does not answer"), "{away}");
    let wrong = festival(directory.path(), &["check"], &[("FESTIVAL_UPLOADS__SCANNER__ADDRESS", "clamd")]).whole();
    assert!(wrong.contains("uploads.scanner.address") && wrong.contains("unix:/run/clamav/clamd.ctl"), "{wrong}");
}
