//! Editing of rows: create, change, delete, restore, history, scheduled publication and lists.

use festival_core::db::{Order, Select};
use festival_core::editing::{self, Action, Editor};
use festival_core::entity::{Datum, Entity, Values, table};
use festival_core::{Error, FieldError};
use sqlx::AnyConnection;

use crate::support::{Database, TestApp};

on_both!(
    row_is_unique_and_keeps_its_history,
    outdated_save_is_rejected,
    deleted_row_is_restored_with_its_id,
    referenced_row_cannot_be_deleted,
    first_edit_keeps_the_original_of_a_row_without_history,
    scheduled_row_is_published_on_time,
    lists_are_searched_filtered_sorted_and_paged,
    searches_find_all_texts_and_both_scripts,
    long_lists_are_searched_in_both_scripts,
    search_follows_edits_deletion_and_restoration,
);

fn entity(app: &TestApp, table: &str) -> &'static Entity {
    app.app.registry.enabled().flat_map(|c| &c.entities).find(|entity| entity.table == table).unwrap()
}

fn editor(name: &str) -> Editor {
    Editor::new(None, name)
}

fn values(pairs: &[(&str, &str)]) -> Values {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

async fn edition(app: &TestApp) -> Option<i64> {
    Some(app.id("editions", "is_current = 1").await)
}

async fn create(app: &TestApp, table: &str, pairs: &[(&str, &str)]) -> Result<i64, Error> {
    let entity = entity(app, table);
    let edition = if entity.per_edition { edition(app).await } else { None };
    let mut write = app.app.db.write().await.unwrap();
    let id = editing::create(&app.app.records, &mut write, entity, edition, &values(pairs), &editor("Anu")).await?;
    write.commit().await.unwrap();
    Ok(id)
}

async fn version(app: &TestApp, table: &str, id: i64) -> String {
    let mut connection = app.app.db.read().await.unwrap();
    editing::get(&mut connection, entity(app, table), id).await.unwrap().version()
}

async fn change(app: &TestApp, table: &str, id: i64, version: &str, pairs: &[(&str, &str)]) -> Result<bool, Error> {
    let mut write = app.app.db.write().await.unwrap();
    let (values, by) = (values(pairs), editor("Biju"));
    let changed =
        editing::update(&app.app.records, &mut write, entity(app, table), (id, version), &values, &by).await?;
    write.commit().await.unwrap();
    Ok(changed.is_some())
}

async fn delete(app: &TestApp, table: &str, id: i64) -> Result<(), Error> {
    let mut write = app.app.db.write().await.unwrap();
    editing::delete(&app.app.records, &mut write, entity(app, table), id, &editor("Chitra")).await?;
    write.commit().await.unwrap();
    Ok(())
}

async fn history(app: &TestApp, table: &str, id: i64) -> Vec<editing::Revision> {
    let mut connection = app.app.db.read().await.unwrap();
    editing::history(&mut connection, entity(app, table), id, (0, 100)).await.unwrap()
}

fn fields(error: Error) -> Vec<FieldError> {
    match error {
        Error::Invalid(fields) => fields,
        other => panic!("{other:?}"),
    }
}

const GUEST: [(&str, &str); 2] = [("name", "മീര"), ("role", "Actor")];

async fn row_is_unique_and_keeps_its_history(database: Database) {
    let app = TestApp::new(database).await;
    let id = create(&app, "guests", &GUEST).await.unwrap();
    assert!(app.get("/api/guests/").await.text().contains("മീര"));
    let again = fields(create(&app, "guests", &GUEST).await.unwrap_err());
    assert_eq!(again, [FieldError::new("name", "Another guest has this name already")]);
    assert!(fields(create(&app, "guests", &[]).await.unwrap_err())[0].message.contains("Please fill in name"));

    let seen = version(&app, "guests", id).await;
    assert!(change(&app, "guests", id, &seen, &[("name", "മീര"), ("role", "Director")]).await.unwrap());
    let seen = version(&app, "guests", id).await;
    assert!(!change(&app, "guests", id, &seen, &[("name", "മീര"), ("role", " Director ")]).await.unwrap());
    let steps = history(&app, "guests", id).await;
    let actions: Vec<_> = steps.iter().map(|step| (step.action.name(), step.editor.name.as_str())).collect();
    assert_eq!(actions, [("changed", "Biju"), ("created", "Anu")]);
    let role = entity(&app, "guests").position("role").unwrap();
    assert_eq!(steps[1].record[role], Datum::Text("Actor".into()));
}

async fn outdated_save_is_rejected(database: Database) {
    let app = TestApp::new(database).await;
    let id = create(&app, "guests", &GUEST).await.unwrap();
    let seen = version(&app, "guests", id).await;
    assert!(change(&app, "guests", id, &seen, &[("name", "First")]).await.unwrap());
    let conflict = change(&app, "guests", id, &seen, &[("name", "Second")]).await.unwrap_err();
    assert!(
        matches!(&conflict, Error::Conflict(message) if message.starts_with("Somebody else changed this guest")),
        "{conflict:?}"
    );
    assert_eq!(app.number("SELECT count(*) FROM guests WHERE name = 'First'").await, 1);
    assert_eq!(history(&app, "guests", id).await.len(), 2);
}

async fn deleted_row_is_restored_with_its_id(database: Database) {
    let app = TestApp::new(database).await;
    let id = create(&app, "guests", &GUEST).await.unwrap();
    delete(&app, "guests", id).await.unwrap();
    assert!(matches!(delete(&app, "guests", id).await, Err(Error::NotFound(_))));
    assert!(!app.get("/api/guests/").await.text().contains("മീര"));

    let guests = entity(&app, "guests");
    let mut write = app.app.db.write().await.unwrap();
    let gone = editing::deleted(&mut write, guests, "", (0, 10)).await.unwrap();
    assert_eq!(gone.len(), 1);
    assert_eq!((gone[0].row_id, gone[0].title.as_str(), gone[0].action), (id, "മീര", Action::Deleted));
    assert_eq!(editing::restore(&app.app.records, &mut write, guests, &gone[0], &editor("Devi")).await.unwrap(), id);
    assert!(editing::deleted(&mut write, guests, "", (0, 10)).await.unwrap().is_empty());
    write.commit().await.unwrap();
    assert!(app.get("/api/guests/").await.text().contains("മീര"));

    // Another row has its key meanwhile: the restore is rejected with a message.
    delete(&app, "guests", id).await.unwrap();
    create(&app, "guests", &GUEST).await.unwrap();
    let mut write = app.app.db.write().await.unwrap();
    let gone = editing::deleted(&mut write, guests, "", (0, 10)).await.unwrap();
    let refused = editing::restore(&app.app.records, &mut write, guests, &gone[0], &editor("Devi")).await.unwrap_err();
    assert_eq!(fields(refused)[0].message, "Another guest has this name already");
}

async fn referenced_row_cannot_be_deleted(database: Database) {
    let app = TestApp::new(database).await;
    let category = app.id("categories", "slug = 'draft'").await;
    let refused = delete(&app, "categories", category).await.unwrap_err();
    assert_eq!(refused.to_string(), "This category still has 1 film. Move or delete them first.");
    let edition = edition(&app).await.unwrap();
    assert!(matches!(delete(&app, "editions", edition).await, Err(Error::Conflict(_))));
    let empty = app.id("categories", "slug = 'empty'").await;
    delete(&app, "categories", empty).await.unwrap();

    // Submissions are not entities: their foreign key prevents the deletion.
    let edition_2031 = [
        ("year", "2031"),
        ("ordinal", "26"),
        ("name", "The 26th"),
        ("starts_on", "2031-10-24"),
        ("ends_on", "2031-10-30"),
    ];
    let year = create(&app, "editions", &edition_2031).await.unwrap();
    app.write(&format!(
        "INSERT INTO contact_messages (edition_id, reference, name, email, contact, message, status, is_quarantined, \
         is_late, is_possible_duplicate, over_long, fingerprint, subject_hash, created_at, updated_at) \
         VALUES ({year}, 'C-1', 'Asha', 'a@x.org', '', 'Hello', 'new', 0, 0, 0, '', '', '', '', '')"
    ))
    .await;
    let refused = delete(&app, "editions", year).await.unwrap_err();
    assert!(matches!(refused, Error::Conflict(_)), "{refused:?}");
    assert_eq!(refused.to_string(), "Other records still refer to this edition. It cannot be deleted.");
    assert_eq!(app.number(&format!("SELECT count(*) FROM editions WHERE id = {year}")).await, 1);
}

async fn first_edit_keeps_the_original_of_a_row_without_history(database: Database) {
    let app = TestApp::new(database).await;
    let films = entity(&app, "films");
    let id = app.id("films", "name = 'Bare'").await;
    let seen = version(&app, "films", id).await;
    // Forms give references by their key.
    let mut connection = app.app.db.read().await.unwrap();
    let mut record = table::fetch(&mut connection, films, id).await.unwrap().unwrap();
    table::unresolve(&mut connection, films, &mut record).await.unwrap();
    drop(connection);
    let mut values = films.print(&record, &app.app.time_zone);
    assert_eq!((values["category"].as_str(), values["is_published"].as_str()), ("malayalam", "yes"));
    values.insert("name".into(), "Clothed".into());
    let mut write = app.app.db.write().await.unwrap();
    assert!(
        editing::update(&app.app.records, &mut write, films, (id, &seen), &values, &editor("Biju"))
            .await
            .unwrap()
            .is_some()
    );
    write.commit().await.unwrap();

    let steps = history(&app, "films", id).await;
    assert_eq!(steps.iter().map(|step| step.action).collect::<Vec<_>>(), [Action::Changed, Action::Baseline]);
    let mut write = app.app.db.write().await.unwrap();
    editing::restore(&app.app.records, &mut write, films, &steps[1], &editor("Biju")).await.unwrap();
    write.commit().await.unwrap();
    assert_eq!(app.id("films", "name = 'Bare'").await, id);
    assert_eq!(version(&app, "films", id).await, seen, "the row is unchanged");
}

async fn scheduled_row_is_published_on_time(database: Database) {
    let app = TestApp::new(database).await;
    let id = create(&app, "guests", &[("name", "Later"), ("is_published", "no")]).await.unwrap();
    let guests = entity(&app, "guests");
    let mut write = app.app.db.write().await.unwrap();
    editing::schedule(&mut write, guests, id, Some("2025-10-26T07:00:00.000Z"), &editor("Anu")).await.unwrap();
    write.commit().await.unwrap();
    assert_eq!(editing::publish_due(&app.app.records).await.unwrap(), 0);
    assert!(!app.get("/api/guests/").await.text().contains("Later"));
    app.clock.set("2025-10-26T07:00:01Z".parse().unwrap());
    assert_eq!(editing::publish_due(&app.app.records).await.unwrap(), 1);
    assert!(app.get("/api/guests/").await.text().contains("Later"));
    assert_eq!(history(&app, "guests", id).await[0].action, Action::Published);
    assert_eq!(editing::publish_due(&app.app.records).await.unwrap(), 0);
}

async fn lists_are_searched_filtered_sorted_and_paged(database: Database) {
    let app = TestApp::new(database).await;
    let films = entity(&app, "films");
    for (name, director, year) in [("100% Rain", "Anu", "2024"), ("Rain_2", "Biju", ""), ("rain", "Chitra", "2020")] {
        let film = [("name", name), ("director_name", director), ("year", year), ("category", "empty")];
        create(&app, "films", &film).await.unwrap();
    }
    let edition = edition(&app).await;
    let (year, category) = (films.field("year").unwrap(), films.field("category").unwrap());
    let empty = app.id("categories", "slug = 'empty'").await;
    let of_category = table::having(table::select(films, edition), category, Datum::Integer(empty));
    let order = table::order(films, None);
    let mut connection = app.app.db.read().await.unwrap();
    for (query, expected) in [
        ("RAIN", &["100% Rain", "Rain_2", "rain"][..]),
        ("rain anu", &["100% Rain"]),
        ("0%", &["100% Rain"]),
        ("n_2", &["Rain_2"]),
        ("'; DROP TABLE films; --", &[]),
    ] {
        for compares_all in [true, false] {
            let found = table::search(&mut connection, films, of_category.clone(), query, compares_all).await.unwrap();
            let mut found_names = names(&mut connection, (&found, &order), (0, 50), films).await;
            found_names.sort_unstable();
            assert_eq!(found_names, expected, "{query}");
        }
    }
    let no_year = table::having(of_category.clone(), year, Datum::Null);
    assert_eq!(names(&mut connection, (&no_year, &order), (0, 50), films).await, ["Rain_2"]);
    let by_year = |is_descending| table::order(films, Some((year, is_descending)));
    let up = names(&mut connection, (&of_category, &by_year(false)), (0, 50), films).await;
    assert_eq!(up, ["rain", "100% Rain", "Rain_2"], "empty ones last");
    let down = names(&mut connection, (&of_category, &by_year(true)), (0, 50), films).await;
    assert_eq!(down, ["100% Rain", "rain", "Rain_2"]);
    assert_eq!(names(&mut connection, (&of_category, &by_year(false)), (1, 1), films).await, ["100% Rain"]);
    assert!(names(&mut connection, (&of_category, &by_year(false)), (30, 50), films).await.is_empty());
    assert_eq!(of_category.count(&mut connection).await.unwrap(), 3);

    let rows = table::rows(&mut connection, films, &of_category, &order, (0, 50)).await.unwrap();
    assert_eq!(rows[0].names["category"], "Empty category");
    let categories = table::choices(&mut connection, entity(&app, "categories"), edition).await.unwrap();
    assert!(
        categories.iter().any(|choice| choice.id == empty && choice.key == "empty" && choice.name == "Empty category")
    );
}

/// The names of a page of films.
async fn names(
    connection: &mut AnyConnection,
    list: (&Select, &Order),
    page: (i64, i64),
    films: &Entity,
) -> Vec<String> {
    let (select, order) = list;
    let rows = table::rows(connection, films, select, order, page).await.unwrap();
    rows.iter().map(|row| editing::title_of(films, &row.record)).collect()
}

/// Narrows the films to those that a search finds.
async fn searched(app: &TestApp, query: &str) -> Select {
    let films = entity(app, "films");
    let select = table::select(films, edition(app).await);
    let mut connection = app.app.db.read().await.unwrap();
    let compares_all = select.is_searched_whole(&mut connection).await.unwrap();
    table::search(&mut connection, films, select, query, compares_all).await.unwrap()
}

/// The names of the films that a search finds.
async fn search_films(app: &TestApp, query: &str) -> Vec<String> {
    let select = searched(app, query).await;
    let films = entity(app, "films");
    let order = table::order(films, None);
    names(&mut app.app.db.read().await.unwrap(), (&select, &order), (0, 50), films).await
}

async fn searches_find_all_texts_and_both_scripts(database: Database) {
    let app = TestApp::new(database).await;
    for (name, original, synopsis) in [
        ("Chemmeen", "ചെമ്മീൻ", "A fisherman's daughter loves a trader."),
        ("കൊടിയേറ്റം", "", "Sankarankutty drifts through life."),
        ("Les Misérables", "", ""),
        ("Elippathayam", "", "A man and his sisters."),
    ] {
        let film = [("name", name), ("original_title", original), ("synopsis", synopsis), ("category", "empty")];
        create(&app, "films", &film).await.unwrap();
    }
    for (query, name) in [
        ("ചെമ്മീൻ", "Chemmeen"),
        ("chemeen", "Chemmeen"),
        ("fisherman trader", "Chemmeen"),
        ("kodiyettam", "കൊടിയേറ്റം"),
        ("Kodiyetam sankarankutty", "കൊടിയേറ്റം"),
        ("കൊടിയേ", "കൊടിയേറ്റം"),
        ("miserables", "Les Misérables"),
        ("എലിപ്പത്തായം", "Elippathayam"),
        ("എലിപ്പത്തായം sisters", "Elippathayam"),
    ] {
        assert_eq!(search_films(&app, query).await, [name], "{query}");
    }
    for query in ["kodiyettam fisherman", "chemmarappan", "എലിപ്പത്തായം fisherman"] {
        assert!(search_films(&app, query).await.is_empty(), "{query}");
    }
}

/// Above 20,000 rows other statements are used.
async fn long_lists_are_searched_in_both_scripts(database: Database) {
    let app = TestApp::new(database).await;
    let mut id = 0;
    for (name, original) in [("Chemmeen", "ചെമ്മീൻ"), ("കൊടിയേറ്റം", ""), ("Elippathayam", "")]
    {
        let film = [("name", name), ("original_title", original), ("category", "empty")];
        id = create(&app, "films", &film).await.unwrap();
    }
    app.write(&format!(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20100) \
         INSERT INTO films (edition_id, category_id, name, created_at, updated_at) \
         SELECT f.edition_id, f.category_id, 'Filler ' || n.i, f.created_at, f.updated_at FROM n, films f WHERE f.id = {id}"
    ))
    .await;
    for (query, name) in [
        ("chemeen", "Chemmeen"),
        ("ചെമ്മീൻ", "Chemmeen"),
        ("ചെമ്മീൻ chemm", "Chemmeen"),
        ("kodiyettam", "കൊടിയേറ്റം"),
        ("എലിപ്പത്തായം", "Elippathayam"),
        ("filler 19999", "Filler 19999"),
    ] {
        assert_eq!(search_films(&app, query).await, [name], "{query}");
    }
    for query in ["kodiyettam filler", "ചെമ്മീൻ കൊടിയേറ്റം", "ചെമ്മീൻ filler", "chemmarappan"]
    {
        assert!(search_films(&app, query).await.is_empty(), "{query}");
    }
    // A word that many rows have in another script.
    app.write(
        "INSERT INTO search_keys (entity, is_latin, row_id, keys) \
         SELECT 'films', 0, id, ' citram' FROM films WHERE name LIKE 'Filler 1____'",
    )
    .await;
    let found = searched(&app, "chithram filler").await;
    assert_eq!(found.count(&mut app.app.db.read().await.unwrap()).await.unwrap(), 10_000);
}

async fn search_follows_edits_deletion_and_restoration(database: Database) {
    let app = TestApp::new(database).await;
    let film = [("name", "കൊടിയേറ്റം"), ("category", "empty")];
    let id = create(&app, "films", &film).await.unwrap();
    assert_eq!(search_films(&app, "kodiyettam").await.len(), 1);
    let films = entity(&app, "films");
    let editor = Editor::new(None, "Test");
    let records = &app.app.records;
    let set = async |name: &str| {
        let mut write = app.app.db.write().await.unwrap();
        let field = (id, films.field("name").unwrap(), Datum::Text(name.to_owned()));
        editing::set_field(records, &mut write, films, field, (Action::Changed, &editor)).await.unwrap();
        write.commit().await.unwrap();
    };
    set("ചെമ്മീൻ").await;
    assert!(search_films(&app, "kodiyettam").await.is_empty());
    assert_eq!(search_films(&app, "chemmeen").await.len(), 1);
    set("Prawn").await;
    assert!(search_films(&app, "chemmeen").await.is_empty());
    set("ചെമ്മീൻ").await;
    let mut write = app.app.db.write().await.unwrap();
    editing::delete(records, &mut write, films, id, &editor).await.unwrap();
    write.commit().await.unwrap();
    assert_eq!(app.number("SELECT count(*) FROM search_keys WHERE keys LIKE '% cemin%'").await, 0);
    let deleted = history(&app, "films", id).await.remove(0);
    let mut write = app.app.db.write().await.unwrap();
    editing::restore(records, &mut write, films, &deleted, &editor).await.unwrap();
    write.commit().await.unwrap();
    assert_eq!(search_films(&app, "chemmeen").await.len(), 1);
}
