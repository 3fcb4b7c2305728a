//! Erasure of submissions whose retention period is over.

use festival_core::admin::privacy;
use festival_core::identity;
use serde_json::json;

use super::privacy::{registration, run_command};
use super::requests::{FormRequest, assert_received, lift_limits, message, send_message, set_forms_setting};
use crate::support::{Database, TestApp};

on_both!(retention_deletes_expired_submissions);

async fn retention_deletes_expired_submissions(database: Database) {
    let site = TestApp::with(database, |settings| {
        lift_limits(settings);
        set_forms_setting(
            settings,
            "retention",
            json!({ "contact_days": 30, "refused_days": 90, "quarantined_days": 365, "payment_days": 400 }),
        );
    })
    .await;
    let keepers = &site.app.admin.contents.personal;
    assert_eq!(send_message(&site, &message()).await.status, 200);
    assert_received(&registration().post(&site, "/api/delegate-form/").await);
    assert_received(&FormRequest::delegate().post(&site, "/api/delegate-form/").await);
    let film = FormRequest::film().with("website", "spam");
    assert_eq!(film.post(&site, "/api/changed/").await.status, 201);
    site.write("UPDATE delegates SET status = 'rejected' WHERE name = 'Delegate'").await;
    site.write("UPDATE delegates SET payment = 'verified', payment_amount = '1180'").await;
    let mut gone = Vec::new();
    for days in [29, 31, 91, 366, 401] {
        site.clock.set(
            "2025-10-26T06:30:00Z".parse::<jiff::Timestamp>().unwrap() + jiff::SignedDuration::from_hours(24 * days),
        );
        if days == 401 {
            let note = "INSERT INTO submission_events (delegate_id, kind, before_text, after_text, who, at) \
                        SELECT id, 'note', '', 'Paid', 'Desk', '' FROM delegates WHERE status = 'erased'";
            site.write(note).await;
        }
        let rehearsal = privacy::expire(&site.app, keepers, true).await.unwrap();
        let rows = site.number("SELECT count(*) FROM delegates").await;
        let erased = privacy::expire(&site.app, keepers, false).await.unwrap();
        assert_eq!(
            (&rehearsal.counts, &rehearsal.stays),
            (&erased.counts, &erased.stays),
            "the dry run reports the same"
        );
        let counts: Vec<_> = erased.counts.iter().map(|(what, count)| format!("{count} {what}")).collect();
        gone.push(format!("{days}: {} of {rows}", counts.join(", ")));
    }
    assert_eq!(
        gone,
        [
            "29:  of 2",
            "31: 1 messages of 2",
            "91: 1 delegates, 2 files of 2",
            "366: 6 files, 1 film submissions of 2",
            "401: 1 payments without a person of 2",
        ]
    );
    assert_eq!(site.texts("SELECT name FROM delegates").await, ["Asha Erasable-Nair"], "0 days means for ever");
    assert_eq!(
        site.number("SELECT count(*) FROM submission_events").await,
        0,
        "notes are deleted with their submission"
    );
    assert_eq!(site.number("SELECT count(*) FROM admin_audit WHERE action = 'expire'").await, 4);
    let dry = run_expire(&site).await;
    assert!(dry.contains("Nothing was kept") || dry.contains("This would be erased"), "{dry}");
}

async fn run_expire(site: &TestApp) -> String {
    identity::verify(&site.app.db, &site.app.media).await.unwrap();
    run_command(site, &["privacy", "retention", "--dry-run"]).transcript()
}
