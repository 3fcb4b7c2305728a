//! Which award a film is for, and the choices that go with it.

use festival_core::db::Db;
use sqlx::Row as _;

use super::sent::{Sent, patient, received};
use crate::support::{Database, TestApp};

on_both!(the_award_is_found_as_decided);

async fn found(db: &Db, reference: &str) -> (String, String, Option<String>, String) {
    let row = sqlx::query(
        "SELECT award_category, category_source, declared_feature_label, is_first_or_second_feature \
         FROM film_submissions WHERE reference = $1",
    )
    .bind(reference.to_owned())
    .fetch_one(&mut *db.read().await.unwrap())
    .await
    .unwrap();
    (row.get(0), row.get(1), row.get(2), row.get(3))
}

async fn the_award_is_found_as_decided(database: Database) {
    let app = TestApp::with(database, patient).await;
    // Path, award in the field, Referer, feature, what is found, how, the letters.
    let table = [
        ("/api/changed/", "asian", "", "First", "asian", "field", "AS"),
        ("/api/changed", "Malayalam", "", "First", "malayalam", "field", "ML"),
        ("/api/changed/?category=indian", "", "", "First", "indian", "query", "IN"),
        ("/api/changed/?category=indian", "asian", "", "First", "asian", "field", "AS"),
        ("/api/changed/?category=indian", "nonsense", "", "First", "indian", "query", "IN"),
        ("/api/changed/", "", "https://x.example/form-malayalam", "First", "malayalam", "referer", "ML"),
        ("/api/changed/", "", "https://x.example/form-asian/?a=b#c", "First", "asian", "referer", "AS"),
        ("/api/changed/", "", "https://x.example/other", "First", "unclassified", "none", "FS"),
        ("/api/changed/", "", "", "No", "asian", "answer", "AS"),
        ("/api/changed/", "", "", "Indian_Panorama", "indian", "answer", "IN"),
        ("/api/changed/", "", "", "Second", "unclassified", "none", "FS"),
        ("/api/asian-form/", "", "", "No", "asian", "address", "AS"),
        ("/api/indian-form", "malayalam", "", "First", "indian", "address", "IN"),
        ("/api/malayalam-form/", "", "https://x.example/form-asian", "Second", "malayalam", "address", "ML"),
    ];
    let mut numbers = std::collections::BTreeMap::new();
    for (count, (path, field, referer, feature, award, source, letters)) in table.into_iter().enumerate() {
        let mut film =
            Sent::film().with("title_english", &format!("Film {count}")).with("is_first_or_second_feature", feature);
        if !field.is_empty() {
            film = film.with("award_category", field);
        }
        let headers = if referer.is_empty() { vec![] } else { vec![("Referer", referer)] };
        let reference = received(&film.to_with(&app, path, &headers).await);
        let number = numbers.entry(letters).and_modify(|number| *number += 1).or_insert(1);
        assert_eq!(reference, format!("{letters}-2025-{number:04}"), "{path} {field}");
        let (kept_award, kept_source, _, _) = found(&app.app.db, &reference).await;
        assert_eq!((kept_award.as_str(), kept_source.as_str()), (award, source), "{path} {field} {referer}");
    }
}

#[tokio::test]
async fn each_award_has_its_own_choices() {
    let app = TestApp::with(Database::Sqlite, patient).await;
    let feature = "is_first_or_second_feature";
    for (award, offered, others) in [
        ("asian", vec!["First", "Second", "No"], vec!["Indian_Panorama", "first feature"]),
        ("indian", vec!["First", "Second", "Indian_Panorama"], vec!["No"]),
        ("malayalam", vec!["First", "Second"], vec!["Indian_Panorama"]),
    ] {
        let path = format!("/api/{award}-form/");
        for (value, is_flagged) in offered.into_iter().map(|v| (v, 0)).chain(others.into_iter().map(|v| (v, 1))) {
            let film = Sent::film().with(feature, value).with("title_english", &format!("{award} {value}"));
            let reference = received(&film.to(&app, &path).await);
            let kept = format!(
                "SELECT count(*) FROM film_submissions WHERE reference = '{reference}' AND {feature} = '{value}' \
                 AND flagged = '{feature}'"
            );
            assert_eq!(app.number(&kept).await, is_flagged, "{award} {value}");
        }
    }
}

#[tokio::test]
async fn a_malayalam_no_is_second_and_stays_a_no() {
    let app = TestApp::with(Database::Sqlite, patient).await;
    for (count, (value, label, kept)) in [
        ("Second", "No", Some("No")),
        ("Second", "Second Film", Some("Second Film")),
        ("First", "First Film", Some("First Film")),
        ("Second", "", None),
        ("Second", "nonsense", None),
        ("First", "No", None), // The label of another value.
        ("No", "", Some("No")),
    ]
    .into_iter()
    .enumerate()
    {
        let mut film =
            Sent::film().with("title_english", &format!("F{count}")).with("is_first_or_second_feature", value);
        if !label.is_empty() {
            film = film.with("declared_feature_label", label);
        }
        let reference = received(&film.to(&app, "/api/malayalam-form/").await);
        let (_, _, declared, feature) = found(&app.app.db, &reference).await;
        assert_eq!(declared.as_deref(), kept, "{value} {label}");
        assert_eq!(feature, if value == "First" { "First" } else { "Second" });
    }
}
