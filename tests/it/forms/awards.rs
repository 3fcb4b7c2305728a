//! Detection of the award that a film is submitted for, and the choices of each award.

use festival_core::db::Db;
use sqlx::Row as _;

use super::requests::{FormRequest, assert_received, lift_limits};
use crate::support::{Database, TestApp};

on_both!(award_is_detected_from_address_field_query_referer_or_answer);

async fn detected_award(db: &Db, reference: &str) -> (String, String, Option<String>, String) {
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

async fn award_is_detected_from_address_field_query_referer_or_answer(database: Database) {
    let app = TestApp::with(database, lift_limits).await;
    // Path, field, Referer, feature; expected award, source and reference prefix.
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
    for (count, (path, field, referer, feature, award, source, prefix)) in table.into_iter().enumerate() {
        let mut film = FormRequest::film()
            .with("title_english", &format!("Film {count}"))
            .with("is_first_or_second_feature", feature);
        if !field.is_empty() {
            film = film.with("award_category", field);
        }
        let headers = if referer.is_empty() { vec![] } else { vec![("Referer", referer)] };
        let reference = assert_received(&film.post_with(&app, path, &headers).await);
        let number = numbers.entry(prefix).and_modify(|number| *number += 1).or_insert(1);
        assert_eq!(reference, format!("{prefix}-2025-{number:04}"), "{path} {field}");
        let (stored_award, stored_source, _, _) = detected_award(&app.app.db, &reference).await;
        assert_eq!((stored_award.as_str(), stored_source.as_str()), (award, source), "{path} {field} {referer}");
    }
}

#[tokio::test]
async fn each_award_has_its_own_choices() {
    let app = TestApp::with(Database::Sqlite, lift_limits).await;
    let feature = "is_first_or_second_feature";
    for (award, offered, others) in [
        ("asian", vec!["First", "Second", "No"], vec!["Indian_Panorama", "first feature"]),
        ("indian", vec!["First", "Second", "Indian_Panorama"], vec!["No"]),
        ("malayalam", vec!["First", "Second"], vec!["Indian_Panorama"]),
    ] {
        let path = format!("/api/{award}-form/");
        for (value, is_flagged) in offered.into_iter().map(|v| (v, 0)).chain(others.into_iter().map(|v| (v, 1))) {
            let film = FormRequest::film().with(feature, value).with("title_english", &format!("{award} {value}"));
            let reference = assert_received(&film.post(&app, &path).await);
            let stored = format!(
                "SELECT count(*) FROM film_submissions WHERE reference = '{reference}' AND {feature} = '{value}' \
                 AND flagged LIKE '%{feature}%'"
            );
            assert_eq!(app.number(&stored).await, is_flagged, "{award} {value}");
        }
    }
}

#[tokio::test]
async fn malayalam_no_is_stored_as_second_feature_with_its_label() {
    let app = TestApp::with(Database::Sqlite, lift_limits).await;
    for (count, (value, label, stored_label)) in [
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
            FormRequest::film().with("title_english", &format!("F{count}")).with("is_first_or_second_feature", value);
        if !label.is_empty() {
            film = film.with("declared_feature_label", label);
        }
        let reference = assert_received(&film.post(&app, "/api/malayalam-form/").await);
        let (_, _, declared, feature) = detected_award(&app.app.db, &reference).await;
        assert_eq!(declared.as_deref(), stored_label, "{value} {label}");
        assert_eq!(feature, if value == "First" { "First" } else { "Second" });
    }
}
