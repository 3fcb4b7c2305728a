//! The module switched off: its additions to the site, the back office and the checks are gone, its sections of the
//! settings file are still read and validated.

use festival_core::admin::OWNER;

use crate::admin::browser::{Browser, create_account};
use crate::support::{CommandOutput, Database, TestApp, festival};

on_both!(facts_groups_and_tasks_of_disabled_forms_are_gone);

async fn facts_groups_and_tasks_of_disabled_forms_are_gone(database: Database) {
    const TASK: &str = "Payment is not possible";
    for is_on in [true, false] {
        let site = match is_on {
            true => TestApp::new(database).await,
            false => TestApp::without(database, "forms").await,
        };
        site.write("INSERT INTO settings (path, value, updated_at) VALUES ('fees.science_public', '250', '')").await;
        let facts = site.get("/api/site/").await.json();
        let names = ["fees", "payment"];
        assert_eq!(names.map(|name| facts.get(name).is_some()), [is_on; 2], "{facts}");
        let description = site.get("/api/openapi.json").await.json();
        let schema = &description["components"]["schemas"]["Site"];
        assert_eq!(names.map(|name| schema["properties"].get(name).is_some()), [is_on; 2], "{schema}");
        let home = site.get("/").await;
        assert_eq!((home.status, home.text().contains("₹1,300")), (200, is_on));
        let owner = Browser::signed_in(&site, &create_account(&site, &OWNER).await).await;
        assert_eq!(owner.get("/admin/").await.text().contains(TASK), is_on);
        let groups = owner.get("/admin/settings").await;
        assert_eq!(groups.status, 200);
        for name in names {
            let path = format!("/admin/settings/{name}");
            assert_eq!(groups.text().contains(&format!("\"{path}\"")), is_on, "{path}");
            assert_eq!(owner.get(&path).await.status, if is_on { 200 } else { 404 }, "{path}");
        }
    }
}

/// Runs `festival` with the forms switched off, and these settings.
fn with_settings(toml: &str, arguments: &[&str]) -> CommandOutput {
    let directory = tempfile::tempdir().unwrap();
    std::fs::create_dir(directory.path().join("config")).unwrap();
    let toml = format!("{toml}[modules.forms]\nenabled = false\n[modules.selection]\nenabled = false\n");
    std::fs::write(directory.path().join("config/local.toml"), toml).unwrap();
    // A check needs a database. If the settings are wrong, there is none.
    festival(directory.path(), &["migrate"], &[]);
    festival(directory.path(), arguments, &[])
}

#[test]
fn sections_of_disabled_forms_are_read_and_validated() {
    let config = with_settings("[fees]\nfilm_submission_inr = 7000\n", &["config", "show"]).out;
    assert!(config.contains("film_submission_inr = 7000 # from config/local.toml\n"), "{config}");
    assert!(config.contains("[payment.upi]"), "{config}");
    for (toml, message) in [
        (
            "[fees]\nfilm_submision_inr = 1\n",
            "fees.film_submision_inr: unknown setting; did you mean \"film_submission_inr\"?",
        ),
        ("[fees]\nscience_public = \"free\"\n", "fees.science_public: expected i64, found string \"free\""),
        ("[fees]\nscience_public = -1\n", "fees.science_public: -1 must not be below 0"),
        ("[payment.upi]\nid = \"lamp\"\n", "payment.upi.id: \"lamp\" is not a UPI ID"),
        ("fees = 3\n", "fees: expected struct Fees, found signed int `3`"),
        ("[fee]\n", "fee: unknown setting; did you mean \"fees\"?"),
    ] {
        let refused = with_settings(toml, &["check"]);
        assert!(refused.code == 1 && refused.transcript().contains(message), "{toml}: {}", refused.transcript());
    }
}

#[test]
fn checks_of_disabled_forms_are_gone() {
    assert_eq!(with_settings("", &["check"]).code, 0);
    let advice = with_settings("[payment.bank]\nifsc = \"EXMP0000001\"\n", &["check", "--deploy"]).out;
    assert!(advice.contains("P003") && !advice.contains("P002") && !advice.contains("P011"), "{advice}");
}
