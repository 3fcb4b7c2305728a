//! The pages with forms.

use crate::support::{Database, TestApp, title};

on_both!(every_form_has_its_page);

async fn every_form_has_its_page(database: Database) {
    let app = TestApp::new(database).await;
    let mut titles = std::collections::BTreeSet::new();
    for path in ["/form", "/form-asian", "/form-indian", "/form-malayalam", "/submit-entry", "/contact-us", "/success"]
    {
        let page = app.get(path).await;
        assert_eq!(page.status, 200, "{path}");
        assert!(titles.insert(title(&page.text())), "{path} has the title of another page");
    }
    assert!(app.get("/success").await.text().contains("Form Submitted Successfully"));
}
