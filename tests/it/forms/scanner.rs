//! The virus scanner: malware is rejected, unscanned files are flagged or rejected, for forms and the back office.

use festival_core::admin::OWNER;
use festival_core::settings::{Settings, WhenDown};

use super::requests::{FormRequest, assert_received, assert_refused, count_stored_files, lift_limits, picture};
use crate::admin::browser::{Browser, create_account, hidden_value};
use crate::support::{Behaviour, Clamd, Database, EICAR, TestApp, festival};

async fn site(address: &str, when_down: WhenDown) -> TestApp {
    TestApp::with(Database::Sqlite, |settings: &mut Settings| {
        lift_limits(settings);
        settings.uploads.scanner.address = address.to_owned();
        settings.uploads.scanner.when_down = when_down;
        settings.uploads.scanner.timeout_seconds = 1;
    })
    .await
}

/// A picture with the test virus after its end.
fn infected() -> Vec<u8> {
    [picture(), EICAR.to_vec()].concat()
}

#[tokio::test]
async fn malware_is_rejected_at_its_field() {
    let scanner = Clamd::start(Behaviour::Scans);
    let site = site(&scanner.address, WhenDown::Keep).await;
    assert_received(&FormRequest::film().post(&site, "/api/changed/").await);
    assert_eq!(scanner.scanned(), 6, "every file is scanned");
    assert_eq!(site.number("SELECT count(*) FROM submission_files WHERE flags = ''").await, 6);
    for field in ["film_poster", "screenshot", "documentation"] {
        for bytes in [EICAR.to_vec(), infected()] {
            let film = FormRequest::film().with("title_english", "Infected").with_file(field, "p.png", bytes);
            let (reported, message) = assert_refused(&film.post(&site, "/api/changed/").await);
            assert_eq!(reported, field);
            assert!(message.starts_with("This file holds malware (Win.Test.EICAR_HDB-1)"), "{message}");
        }
    }
    let delegate = FormRequest::delegate().with_file("signature", "s.png", infected());
    assert_eq!(assert_refused(&delegate.post(&site, "/api/delegate-form/").await).0, "signature");
    let mut single = FormRequest::film().with_file("film_poster", "p.png", infected());
    single.texts.clear();
    single.files.retain(|(field, ..)| field == "film_poster");
    assert_eq!(assert_refused(&single.post(&site, "/api/forms/film/files/").await).0, "film_poster");
    assert_eq!(count_stored_files(&site), 6);

    let browser = Browser::signed_in(&site, &create_account(&site, &OWNER).await).await;
    let film = [("category", "malayalam"), ("name", "Infected")];
    let response = browser.post_with_files("/admin/films/new", &film, &[("poster", "p.png", &infected())]).await;
    assert_eq!(response.status, 422);
    assert!(response.text().contains("holds malware"), "{}", response.text());
    assert_eq!(site.number("SELECT count(*) FROM films WHERE name = 'Infected'").await, 0);
}

#[tokio::test]
async fn unscanned_files_are_flagged_or_rejected_by_setting() {
    let unused = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let behaviours = [Behaviour::IsSilent, Behaviour::Cuts, Behaviour::IsTooSmall].map(Clamd::start);
    let addresses = behaviours.iter().map(|scanner| scanner.address.clone());
    for address in addresses.chain([unused, "unix:/nowhere/clamd.ctl".to_owned()]) {
        let keeping = site(&address, WhenDown::Keep).await;
        assert_received(&FormRequest::delegate().post(&keeping, "/api/delegate-form/").await);
        let marked = "SELECT count(*) FROM submission_files WHERE flags = 'not_scanned'";
        assert_eq!(keeping.number(marked).await, 2, "{address}");
        let browser = Browser::signed_in(&keeping, &create_account(&keeping, &OWNER).await).await;
        let id = keeping.id("delegates", "name = 'Delegate'").await;
        let page = browser.get(&format!("/admin/delegates/{id}")).await.text();
        assert!(page.contains("it was not scanned."), "{page}");

        let rejecting = site(&address, WhenDown::Refuse).await;
        let response = FormRequest::delegate().post(&rejecting, "/api/delegate-form/").await;
        response.assert_error(503, "unavailable");
        assert_eq!(response.header("Retry-After"), "5");
        assert_eq!((count_stored_files(&rejecting), rejecting.number("SELECT count(*) FROM delegates").await), (0, 0));
        let browser = Browser::signed_in(&rejecting, &create_account(&rejecting, &OWNER).await).await;
        let film = [("category", "malayalam"), ("name", "Later")];
        let response = browser.post_with_files("/admin/films/new", &film, &[("poster", "p.png", &picture())]).await;
        assert_eq!((response.status, hidden_value(&response, "kept_poster")), (503, None));
    }
}

#[test]
fn deploy_check_contacts_the_scanner() {
    let directory = tempfile::tempdir().unwrap();
    let check = |address: &str| {
        festival(directory.path(), &["check", "--deploy"], &[("FESTIVAL_UPLOADS__SCANNER__ADDRESS", address)]).out
    };
    assert!(!check("").contains("P017"));
    assert!(!check(&Clamd::start(Behaviour::Scans).address).contains("P017"));
    let away = check("unix:/nowhere/clamd.ctl");
    assert!(away.contains("P017: the virus scanner at unix:/nowhere/clamd.ctl does not answer"), "{away}");
    let wrong = festival(directory.path(), &["check"], &[("FESTIVAL_UPLOADS__SCANNER__ADDRESS", "clamd")]).transcript();
    assert!(wrong.contains("uploads.scanner.address") && wrong.contains("unix:/run/clamav/clamd.ctl"), "{wrong}");
}
