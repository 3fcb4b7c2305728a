//! A corrected list is imported again: nothing is duplicated or merged wrongly, and everything uncertain is shown.

use std::fmt::Write as _;

use serde_json::Value;

use crate::support::{CommandOutput, Database, TestApp, festival};

on_both!(
    corrected_list_is_imported_again_without_duplicates,
    own_ids_identify_films_of_exported_lists,
    references_and_imdb_ids_identify_films,
    import_is_undone_on_the_command_line,
    undo_keeps_films_with_dependent_records,
    headings_and_totals_become_questions,
    new_film_with_an_existing_title_is_noted,
);

fn run(app: &TestApp, folder: &std::path::Path, arguments: &[&str]) -> CommandOutput {
    run_with(app, folder, arguments, &[])
}

fn run_with(app: &TestApp, folder: &std::path::Path, arguments: &[&str], settings: &[(&str, &str)]) -> CommandOutput {
    let databases = format!("{{festival={{url=\"{}\"}}}}", app.database.url(app.directory.path()));
    let mut environment =
        vec![("FESTIVAL_DATA_DIR", app.directory.path().to_str().unwrap()), ("ROCKET_DATABASES", &databases)];
    environment.extend(settings);
    festival(folder, arguments, &environment)
}

/// A film of a list: title, director, section, year.
#[derive(Clone)]
struct Film(String, String, String, i64);

const SECTIONS: [&str; 5] =
    ["Asian Cinema", "Indian Panorama", "Short Documentary", "World Festival", "Students' Choice"];
const MISSPELT: [&str; 5] =
    ["Asian Cinemas", "Indian Panaroma", "Short Documentry", "World Festivals", "Student's Choices"];

/// 200 films in five sections.
fn films() -> Vec<Film> {
    const FIRST: [&str; 20] = [
        "Amber", "Broken", "Crimson", "Distant", "Endless", "Fallen", "Golden", "Hidden", "Ivory", "Jasmine",
        "Kindled", "Lonely", "Midnight", "Nameless", "Orchard", "Painted", "Quiet", "Restless", "Silver", "Thirsty",
    ];
    const SECOND: [&str; 10] =
        ["Bridge", "Candle", "Desert", "Ferry", "Garden", "Harbour", "Letter", "Monsoon", "Theatre", "Window"];
    const PEOPLE: [&str; 10] =
        ["Rao", "Nair", "Pell", "Sast", "Finch", "Varre", "Sorne", "Okoye", "Lindqvist", "Moreau"];
    (0..200)
        .map(|number| {
            let title = format!("{} {}", FIRST[number % 20], SECOND[number / 20]);
            let director = format!("{}a {}", FIRST[(number * 7 + number / 20) % 20], PEOPLE[number / 20]);
            Film(title, director, SECTIONS[number % 5].to_owned(), 2015 + (number % 10) as i64)
        })
        .collect()
}

fn csv(films: &[Film]) -> String {
    let mut text = "Title,Director,Section,Year\n".to_owned();
    for Film(title, director, section, year) in films {
        writeln!(text, "\"{title}\",{director},{section},{year}").unwrap();
    }
    text
}

async fn undo_keeps_films_with_dependent_records(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    let list =
        "Title,Director,Section,Year\nRiver,Uma Rao,Asian,2025\nHill,Dev Nair,Asian,2024\nLamp,Ido Pell,Asian,2020\n";
    std::fs::write(folder.path().join("list.csv"), list).unwrap();
    let import = || run(&app, folder.path(), &["films", "import", "list.csv"]);
    let certify = async |name: &str| {
        let columns = "edition_id, film_id, status, created_at, updated_at";
        let values = format!("SELECT edition_id, id, 'valid', '2025', '2025' FROM films WHERE name = '{name}'");
        app.write(&format!("INSERT INTO certificates ({columns}) {values}")).await;
    };
    let films = "SELECT name FROM films WHERE name IN ('River', 'Hill', 'Lamp') ORDER BY name";
    let keys = "SELECT count(DISTINCT row_id) FROM search_keys WHERE entity = 'films'";
    let searched = app.number(keys).await;

    assert_eq!(import().code, 0);
    certify("Hill").await;
    let undone = run(&app, folder.path(), &["imports", "undo", "1", "--yes"]);
    assert!(undone.code == 1 && undone.out.contains("0 to restore, 2 to delete, 2 left"), "{}", undone.transcript());
    assert!(undone.out.contains("leave    Hill: This film still has 1 certificate."), "{}", undone.transcript());
    assert_eq!(app.texts(films).await, ["Hill"]);
    assert_eq!(app.number(keys).await, searched + 1, "the search does not find what is deleted");

    // The same holds while the module of the certificates is switched off.
    assert_eq!(import().code, 0);
    certify("River").await;
    let off = [("FESTIVAL_MODULES__PROGRAMME__ENABLED", "false")];
    let undone = run_with(&app, folder.path(), &["imports", "undo", "2", "--yes"], &off);
    assert!(undone.code == 1 && undone.out.contains("0 to restore, 1 to delete, 1 left"), "{}", undone.transcript());
    assert_eq!(app.texts(films).await, ["Hill", "River"]);

    // Nothing is left to delete.
    assert_eq!(import().code, 0);
    app.write("UPDATE films SET country = 'Bhutan' WHERE name = 'Lamp'").await;
    let undone = run(&app, folder.path(), &["imports", "undo", "3", "--yes"]);
    assert!(undone.code == 1 && undone.out.contains("0 to restore, 0 to delete, 1 left"), "{}", undone.transcript());
}

/// Rows between films that are not films: without an answer nothing is written; the proposal is to leave them out.
async fn headings_and_totals_become_questions(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    let list = "Title,Director,Country,Year,Duration\n\
                INDIAN CINEMA,,,,\n\
                Oar Song,Devi Nair,India,2025,1:32:00\n\
                Salt Letter,Uma Rao,India,2024,1:40:00\n\
                Paper Boat,Mini Jose,India,2025,0:14:30\n\
                Total,,,,3:26:30\n";
    std::fs::write(folder.path().join("list.csv"), list).unwrap();
    let before = app.number("SELECT count(*) FROM films").await;
    let import = ["films", "import", "list.csv", "--category", "Main"];
    let asked = run(&app, folder.path(), &import);
    assert_eq!(asked.code, 1, "{}", asked.transcript());
    for title in ["INDIAN CINEMA", "Total"] {
        assert!(asked.out.contains(&format!("\"{title}\" has only a title")), "{}", asked.transcript());
    }
    assert_eq!(app.number("SELECT count(*) FROM films").await, before);
    let proposed = run(&app, folder.path(), &[&import[..], &["--on-conflict", "update"]].concat());
    assert!(proposed.out.contains("3 new, 0 changed, 0 unchanged, 2 left out"), "{}", proposed.transcript());
    assert_eq!(app.number("SELECT count(*) FROM films").await, before + 3);
    // In a list of titles and running times only the sum tells it from a film.
    let lengths = "Title,Duration\nPuffin,92\nGannet,100\nTern,14\nTotal,206\n";
    std::fs::write(folder.path().join("list.csv"), lengths).unwrap();
    let asked = run(&app, folder.path(), &import);
    let question = "\"Total\" has the running time of all other lines together. Is it a film?";
    assert!(asked.code == 1 && asked.out.contains(question), "{}", asked.transcript());
    let films = run(&app, folder.path(), &[&import[..], &["--on-conflict", "update"]].concat());
    assert!(films.out.contains("3 new, 0 changed, 0 unchanged, 1 left out"), "{}", films.transcript());
    // A list of mostly titles is a film list.
    std::fs::write(folder.path().join("list.csv"), "Title,Director\nHeron,\nEgret,\nIbis,Uma Rao\n").unwrap();
    let titles = run(&app, folder.path(), &import);
    assert!(titles.out.contains("3 new"), "{}", titles.transcript());
}

async fn corrected_list_is_imported_again_without_duplicates(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    let write = |films: &[Film]| std::fs::write(folder.path().join("list.csv"), csv(films)).unwrap();
    let films_before = app.number("SELECT count(*) FROM films").await;
    let mut list = films();
    write(&list);
    let first = run(&app, folder.path(), &["films", "import", "list.csv"]);
    assert_eq!(first.code, 0, "{}", first.transcript());
    assert_eq!(app.number("SELECT count(*) FROM films").await, films_before + 200);
    let sections = app.number("SELECT count(*) FROM categories").await;
    let ids = "SELECT CAST(f.id AS TEXT) FROM films f ORDER BY f.id";
    let ids_before = app.texts(ids).await;

    // Ten corrected titles, ten moved films, five sections in another spelling, five films with an existing title.
    let mut planted: Vec<usize> = Vec::new();
    for number in 0..10 {
        let film = &mut list[number * 20 + 3];
        film.0 = match number % 2 {
            0 => format!("The {}s", film.0.replacen("Distant", "Distent", 1)),
            _ => format!("{} of Salt", film.0),
        };
        planted.push(number * 20 + 3);
    }
    for number in 0..10 {
        let film = &mut list[number * 20 + 6];
        film.2 = SECTIONS[(number + 3) % 5].to_owned();
        if film.2 == SECTIONS[1] {
            film.2 = SECTIONS[0].to_owned();
        }
        planted.push(number * 20 + 6);
    }
    for number in 0..5 {
        list[110 + number].2 = MISSPELT[number].to_owned();
        planted.push(110 + number);
    }
    for number in 0..5 {
        let Film(title, _, section, year) = list[number * 2 + 40].clone();
        // Two from the same year, others from another one.
        list.push(Film(title, format!("Unrelated Namesake{number}"), section, year + (number as i64 % 3) * 4 - 4));
        planted.push(199 + number + 1);
    }
    write(&list);

    // Without an answer nothing is written, and every planted line is shown.
    let asked = run(&app, folder.path(), &["films", "import", "list.csv", "--report", "json"]);
    assert_eq!(asked.code, 1, "{}", asked.transcript());
    assert!(asked.err.contains("nothing was imported") && asked.err.contains("--on-conflict update"), "{}", asked.err);
    let report: Value = serde_json::from_str(&asked.out).unwrap();
    let asked_about: Vec<u64> = report["changes"]["questions"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|question| question["lines"].as_array().unwrap())
        .map(|line| line.as_u64().unwrap())
        .collect();
    let notes = report["report"]["notes"].to_string();
    let mut missing = Vec::new();
    for row in &planted {
        let line = *row as u64 + 2;
        let is_namesake = *row >= 200 && notes.contains(&format!("line {line}: "));
        if !asked_about.contains(&line) && !is_namesake {
            missing.push((line, list[*row].0.clone()));
        }
    }
    assert_eq!(missing, [], "{}", asked.transcript());
    assert!(asked_about.iter().all(|line| planted.contains(&(*line as usize - 2))), "only these: {asked_about:?}");
    assert_eq!(app.texts(ids).await, ids_before);

    // The proposals are right: thirty lines, of which five are new films.
    let updated = run(&app, folder.path(), &["films", "import", "list.csv", "--on-conflict", "update"]);
    assert_eq!(updated.code, 0, "{}", updated.transcript());
    assert!(updated.out.contains("205 films: 5 new, 20 changed, 180 unchanged, 0 left out"), "{}", updated.out);
    assert_eq!(app.number("SELECT count(*) FROM films").await, films_before + 205);
    assert_eq!(app.number("SELECT count(*) FROM categories").await, sections);
    assert_eq!(app.texts(ids).await[..ids_before.len()], ids_before);
    // Every film exists once, as in the corrected list, with the section in its stored spelling.
    for Film(title, director, section, year) in &list {
        let section = MISSPELT.iter().position(|name| name == section).map_or(section.as_str(), |at| SECTIONS[at]);
        let condition = format!(
            "f.name = '{title}' AND f.director_name = '{director}' AND f.year = {year} AND c.name = '{}'",
            section.replace('\'', "''")
        );
        let sql = format!("SELECT count(*) FROM films f JOIN categories c ON c.id = f.category_id WHERE {condition}");
        assert_eq!(app.number(&sql).await, 1, "{title}, {director}, {section}");
    }
    let again = run(&app, folder.path(), &["films", "import", "list.csv", "--on-conflict", "skip"]);
    assert!(again.out.contains("0 new, 0 changed, 200 unchanged, 5 left out"), "{}", again.transcript());
    assert_eq!(again.code, 1, "five lines were left out");
    let asks = run(&app, folder.path(), &["films", "import", "list.csv", "--on-conflict", "ask"]);
    assert!(asks.code == 2 && asks.err.contains("needs a terminal"), "{}", asks.transcript());
}

async fn own_ids_identify_films_of_exported_lists(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    let write = |text: &str| std::fs::write(folder.path().join("list.csv"), text).unwrap();
    write("Title,Director,Section,Year\nRiver,Uma Rao,Asian,2025\nHill,Dev Nair,Asian,2024\n");
    assert_eq!(run(&app, folder.path(), &["films", "import", "list.csv"]).code, 0);
    let (river, hill) = (app.id("films", "name = 'River'").await, app.id("films", "name = 'Hill'").await);
    // Title, year and section differ: the id decides.
    write(&format!("Id,Title,Director,Section,Year\n{river},Stream,Uma Rao,Indian,2019\n{hill},Hill,D. Nair,,2024\n"));
    let imported = run(&app, folder.path(), &["films", "import", "list.csv"]);
    assert!(imported.code == 0 && imported.out.contains("0 new, 2 changed"), "{}", imported.transcript());
    let films = "SELECT f.name || ', ' || c.name FROM films f JOIN categories c ON c.id = f.category_id \
                 WHERE c.name IN ('Asian', 'Indian') ORDER BY f.name";
    assert_eq!(app.texts(films).await, ["Hill, Asian", "Stream, Indian"]);
    // The ids of another program identify no film here.
    write(&format!(
        "Id,Title,Director,Section,Year\n{river},Lamp,Ido Pell,Asian,2020\n{hill},Boat,Runa Sast,Asian,2020\n"
    ));
    let foreign = run(&app, folder.path(), &["films", "import", "list.csv"]);
    assert!(foreign.code == 0 && foreign.out.contains("2 new, 0 changed"), "{}", foreign.transcript());
    assert!(foreign.err.contains("holds no ids of films here"), "{}", foreign.transcript());
}

async fn references_and_imdb_ids_identify_films(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    let import = |text: &str| {
        std::fs::write(folder.path().join("list.csv"), text).unwrap();
        run(&app, folder.path(), &["films", "import", "list.csv"])
    };
    let first = import(
        "Tracking Number,IMDb link,Title,Director,Section,Year\n\
         FS-12,https://www.imdb.com/title/tt0048473/,River,Uma Rao,Asian,2025\n\
         FS-13,,Hill,Dev Nair,Asian,2024\n\
         ,tt10000042,Lamp,Ido Pell,Asian,2020\n",
    );
    assert!(first.code == 0 && first.out.contains("3 new"), "{}", first.transcript());
    // Titles, sections and years were corrected: the reference decides, or else the IMDb id.
    let corrected = import(
        "Reference,IMDb ID,Title,Director,Section,Year\n\
         fs-12,,Stream,Uma Rao,Indian,2019\n\
         FS-13,,Hillside,Dev Nair,Indian,2024\n\
         ,tt10000042,The Oil Lamp,Ido Pell,Indian,2021\n",
    );
    assert!(corrected.code == 0 && corrected.out.contains("0 new, 3 changed"), "{}", corrected.transcript());
    let films = "SELECT f.name || ', ' || c.name || ', ' || coalesce(f.reference, '') || ', ' || coalesce(f.imdb_id, '') \
                 FROM films f JOIN categories c ON c.id = f.category_id WHERE c.name = 'Indian' ORDER BY f.name";
    let stored =
        ["Hillside, Indian, FS-13, ", "Stream, Indian, fs-12, tt0048473", "The Oil Lamp, Indian, , tt10000042"];
    assert_eq!(app.texts(films).await, stored);
    // Another film with a number in use here becomes a question; if most lines are like that, the numbers are foreign.
    let header = "Reference,Title,Director,Section,Year\n";
    let mistyped = import(&format!("{header}FS-12,Stream,Uma Rao,Indian,2019\nFS-13,Boat,Runa Sast,Indian,2020\n"));
    assert!(mistyped.code == 1 && mistyped.out.contains("Is it that film?"), "{}", mistyped.transcript());
    let foreign = import(&format!("{header}FS-12,Moss,Ena Finch,Indian,2020\nFS-13,Boat,Runa Sast,Indian,2020\n"));
    assert!(foreign.code == 0 && foreign.out.contains("2 new, 0 changed"), "{}", foreign.transcript());
    assert!(foreign.err.contains("holds no references of films here"), "{}", foreign.transcript());
}

async fn import_is_undone_on_the_command_line(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    let write = |text: &str| std::fs::write(folder.path().join("list.csv"), text).unwrap();
    let state = async || {
        let films = "SELECT f.id || ' ' || f.name || ' ' || c.name || ' ' || coalesce(f.country, '') \
                     FROM films f JOIN categories c ON c.id = f.category_id ORDER BY f.id";
        (app.texts(films).await, app.texts("SELECT name FROM categories ORDER BY id").await)
    };
    write(
        "Title,Director,Section,Year\nRiver,Uma Rao,Asian,2025\nHill,Dev Nair,Asian,2024\nLamp,Ido Pell,Asian,2020\n",
    );
    assert_eq!(run(&app, folder.path(), &["films", "import", "list.csv"]).code, 0);
    let before = state().await;
    // Two changed films, one of them moved to a new section, and two new films.
    write(
        "Title,Director,Section,Year,Country\nRiver,Uma Rao,Indian,2025,India\nHill,Dev Nair,Asian,2024,Nepal\n\
         Boat,Runa Sast,Indian,2021,\nQuay,Orla Finch,Shorts,2022,\n",
    );
    let imported = run(&app, folder.path(), &["films", "import", "list.csv", "--on-conflict", "update"]);
    assert!(imported.code == 0 && imported.err.contains("festival imports undo 2"), "{}", imported.transcript());
    let after = state().await;
    assert_eq!((after.0.len(), after.1.len()), (before.0.len() + 2, before.1.len() + 2));
    let list = run(&app, folder.path(), &["imports", "list"]);
    assert!(list.out.lines().next().unwrap().contains("films: 2 new, 2 changed  list.csv"), "{}", list.transcript());

    // Nothing is undone without confirmation.
    let unasked = run(&app, folder.path(), &["imports", "undo", "2"]);
    assert!(unasked.code == 2 && unasked.out.contains("2 to restore, 4 to delete, 0 left"), "{}", unasked.transcript());
    assert_eq!(state().await, after);
    let undone = run(&app, folder.path(), &["imports", "undo", "2", "--yes"]);
    assert_eq!(undone.code, 0, "{}", undone.transcript());
    assert_eq!(state().await, before);
    let actions = "SELECT action FROM revisions WHERE title = 'River' ORDER BY id";
    assert_eq!(app.texts(actions).await, ["created", "changed", "restored"]);
    let again = run(&app, folder.path(), &["imports", "undo", "2", "--yes"]);
    assert!(again.code == 2 && again.err.contains("was undone by"), "{}", again.transcript());
    assert_eq!(run(&app, folder.path(), &["imports", "undo", "99", "--yes"]).code, 2);

    // Rows changed since are kept as they are, and so is a section that has a film by now.
    let again = run(&app, folder.path(), &["films", "import", "list.csv", "--on-conflict", "update"]);
    assert_eq!(again.code, 0, "{}", again.transcript());
    let hill = app.id("films", "name = 'Hill'").await;
    app.write(&format!("UPDATE films SET country = 'Bhutan' WHERE id = {hill}")).await;
    let shorts = app.id("categories", "name = 'Shorts'").await;
    app.write(&format!("UPDATE films SET category_id = {shorts} WHERE name = 'Lamp'")).await;
    let partly = run(&app, folder.path(), &["imports", "undo", "3", "--yes"]);
    assert_eq!(partly.code, 1, "{}", partly.transcript());
    assert!(partly.out.contains("1 to restore, 3 to delete, 2 left"), "{}", partly.transcript());
    assert!(partly.out.contains("leave    Hill: it was changed since"), "{}", partly.transcript());
    assert!(partly.out.contains("leave    Shorts: This category still has 1 film."), "{}", partly.transcript());
    assert_eq!(app.number(&format!("SELECT count(*) FROM films WHERE id = {hill} AND country = 'Bhutan'")).await, 1);
}

async fn new_film_with_an_existing_title_is_noted(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    let import = |films: &str| {
        let list = format!("Title,Director,Section,Year\nRiver,Uma Rao,Asian,2025\n{films}");
        std::fs::write(folder.path().join("list.csv"), list).unwrap();
        run(&app, folder.path(), &["films", "import", "list.csv"])
    };
    assert_eq!(import("").code, 0);
    let river = app.id("films", "name = 'River'").await;
    // The existing film with this title belongs to the first line; the last line resembles no film.
    let imported = import("RIVER,Dev Nair,Asian,1990\nQuay,Orla Finch,Asian,1954\n");
    assert!(imported.code == 0 && imported.out.contains("2 new, 0 changed, 1 unchanged"), "{}", imported.transcript());
    let note = format!("line 3: \"RIVER\" is new; film {river}, \"River\" (Uma Rao, 2025, Asian) has the same title");
    assert!(imported.err.contains(&note), "{}", imported.transcript());
    assert!(!imported.err.contains("line 4"), "{}", imported.transcript());
}
