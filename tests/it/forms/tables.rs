//! The tables are those that the description needs.

use festival_core::entity::table;
use festival_forms::description::FORMS;

use crate::support::{Database, TestApp};

on_both!(description_and_tables_agree);

async fn description_and_tables_agree(database: Database) {
    let app = TestApp::new(database).await;
    let mut connection = app.app.db.read().await.unwrap();
    for form in FORMS {
        let row = table::fetch(&mut connection, form.entity, 1).await;
        assert!(row.unwrap_or_else(|e| panic!("{}: {}", form.entity.table, e.for_terminal())).is_none());
    }
}
