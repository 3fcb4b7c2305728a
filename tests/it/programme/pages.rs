//! The page of the programme, rendered on the server with the search of its address.

use super::released;
use crate::support::{Database, boot};

on_both!(search_and_day_are_rendered_on_the_server);

async fn search_and_day_are_rendered_on_the_server(database: Database) {
    let app = released(database).await;
    let screenings = async |query: &str| {
        let html = app.get(&format!("/programme{query}")).await.text();
        let count = html.matches("id=\"screening-").count();
        (count, boot(&html)["query"].clone(), html)
    };
    let (first_day, ..) = screenings("").await;
    let (other_day, ..) = screenings("?day=2025-10-27").await;
    assert_eq!((first_day, other_day), (2, 2), "24 October with the night, and 27 October");
    let (found, query, html) = screenings("?q=%20TALK%20").await;
    assert_eq!((found, &query["q"]), (1, &"TALK".into()));
    assert!(html.contains("1 screening") && html.contains("A talk"));
    // A search text that contains the name of another parameter stays a text.
    let (none, query, _) = screenings("?q=TALK%20time%3Dmorning").await;
    assert_eq!((none, &query["time"]), (0, &serde_json::Value::Null));
    assert_eq!(screenings("?q=TALK&time=morning").await.1["time"], "morning");
    let late = app.id("screenings", "code = 'T1'").await;
    let (day, _, html) = screenings(&format!("?screening={late}")).await;
    assert!(day == 2 && html.contains("aria-current=\"true\""), "the day of the screening, and which one it is");
    assert_eq!(screenings("?screening=99999").await.0, first_day);
    // Implausibly long input is ignored.
    let (all, query, _) = screenings(&format!("?q={}", "a".repeat(301))).await;
    assert_eq!((all, &query["q"]), (first_day, &serde_json::Value::Null));
}
