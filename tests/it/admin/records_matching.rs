//! Which stored rows, or earlier lines, the lines of a list are about: `festival records import`.

use super::browser::site_with_owner;
use super::records_command::run;
use crate::support::{Database, TestApp};

on_both!(
    repeated_list_matches_rows_by_key,
    long_lists_become_questions_for_spelling_variants_only,
    ids_of_other_lists_are_not_used,
    rows_of_a_list_that_may_be_one_are_named,
);

async fn repeated_list_matches_rows_by_key(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    let before = app.number("SELECT count(*) FROM halls").await;
    let import = |list: &str, options: &[&str]| {
        std::fs::write(folder.path().join("halls.csv"), list).unwrap();
        run(&app, folder.path(), &[&["records", "import", "halls", "halls.csv"], options].concat())
    };
    let first = import("Hall,Seats\nKairali Screen,300\nSree Padmanabha,200\nHall 21,50\n", &[]);
    assert!(first.out.ends_with("3 halls: 3 new, 0 changed, 0 unchanged, 0 left out\n"), "{}", first.transcript());
    // One is unchanged, one has another number of seats, one is misspelt, and one has another number in its name.
    let second = "Hall,Seats\nKairali Screen,300\nSree Padmanabha,250\nHal 21,60\nHall 22,70\n";
    let undecided = import(second, &["--on-conflict", "fail"]);
    assert_eq!(undecided.code, 1, "{}", undecided.transcript());
    let question = "line 4: Is \"Hal 21\" the hall \"Hall 21\"? (open; proposed: the same as \"Hall 21\")";
    assert!(undecided.out.contains(question), "{}", undecided.transcript());
    assert_eq!(undecided.out.matches("Is \"").count(), 1, "{}", undecided.transcript());
    let decided = import(second, &["--on-conflict", "update"]);
    assert!(decided.out.ends_with("4 halls: 1 new, 2 changed, 1 unchanged, 0 left out\n"), "{}", decided.transcript());
    let halls = "SELECT name || ' ' || capacity FROM halls WHERE capacity IN (60, 70, 250, 300) ORDER BY capacity";
    assert_eq!(app.texts(halls).await, ["Hal 21 60", "Hall 22 70", "Sree Padmanabha 250", "Kairali Screen 300"]);
    assert_eq!(app.number("SELECT count(*) FROM halls").await, before + 4);

    // A list that names a row twice is wrong; in a list with ids, so is a line without one.
    let twice = import("Hall,Seats\nNila,1\nNila,2\n", &[]);
    assert!(twice.out.contains("line 3, Hall: \"Nila\". Another hall has this name already"), "{}", twice.transcript());
    let new = import("Id,Hall,Seats\n,Kairali Screen,310\n", &[]);
    assert!(new.out.contains("Another hall has this name already"), "{}", new.transcript());
}

/// Comparing every line of a long list with every stored row, letter by letter, would take minutes.
async fn long_lists_become_questions_for_spelling_variants_only(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    let import = |rows: &[String], options: &[&str]| {
        std::fs::write(folder.path().join("halls.csv"), format!("Hall,Seats\n{}", rows.concat())).unwrap();
        run(&app, folder.path(), &[&["records", "import", "halls", "halls.csv"], options].concat())
    };
    let halls = |name: &str| -> Vec<String> { (1..=501).map(|number| format!("{name} {number},50\n")).collect() };
    let first = import(&halls("Screen"), &[]);
    assert!(first.out.ends_with("501 halls: 501 new, 0 changed, 0 unchanged, 0 left out\n"), "{}", first.transcript());

    let near = ["SCREEN 3,60\n".to_owned(), "Screeen 7,60\n".to_owned()];
    assert_eq!(import(&near, &["--on-conflict", "fail"]).out.matches("Is \"").count(), 2);
    let long = [&near[..], &halls("Talkies")[2..]].concat();
    let undecided = import(&long, &["--on-conflict", "fail"]);
    let question = "Is \"SCREEN 3\" the hall \"Screen 3\"?";
    assert!(undecided.out.contains(question), "{}", undecided.transcript());
    assert_eq!(undecided.out.matches("Is \"").count(), 1);
}

async fn ids_of_other_lists_are_not_used(database: Database) {
    let (app, _) = site_with_owner(database).await;
    let folder = tempfile::tempdir().unwrap();
    let import = |slug: &'static str, text: &str, options: &[&str]| {
        std::fs::write(folder.path().join("list.csv"), text).unwrap();
        run(&app, folder.path(), &[&["records", "import", slug, "list.csv", "--edition", "2025"], options].concat())
    };
    import("halls", "Name,Seats\nKadavu Theatre,300\nLantern Hall,120\n", &[]);
    let first = app.id("halls", "name = 'Kadavu Theatre'").await;
    // A list with its own numbers, which belong to other halls here.
    let numbered = format!("ID,Hall,Seats\n{first},Screen A,80\n{},Screen B,90\n", first + 1);
    let undecided = import("halls", &numbered, &["--on-conflict", "fail"]);
    let question = "line 2: \"Screen A\" has the id of \"Kadavu Theatre\". Is it that hall?";
    assert!(undecided.code == 1 && undecided.out.contains(question), "{}", undecided.transcript());
    let skipped = import("halls", &numbered, &["--on-conflict", "update"]);
    assert!(skipped.out.contains("2 halls: 0 new, 0 changed, 0 unchanged, 2 left out"), "{}", skipped.transcript());
    // Numbers that belong to no hall here.
    let done = import("halls", "ID,Hall,Seats\n900001,Screen C,80\n900002,Screen D,90\n", &[]);
    assert!(done.code == 0 && done.out.contains("2 halls: 2 new, 0 changed"), "{}", done.transcript());
    let note = "the column of ids holds no ids of halls of this edition, and was not used";
    assert!(done.err.contains(note), "{}", done.transcript());
    // A list from here with a corrected name and a changed number of seats.
    let ours = format!("Id,Name,Seats\n{first},Kadavu Theater,300\n{},Lantern Hall,125\n", first + 1);
    let done = import("halls", &ours, &[]);
    assert!(done.code == 0 && done.out.contains("2 halls: 0 new, 2 changed"), "{}", done.transcript());
    // A column mapped to the id is used without doubt.
    let chosen = import("halls", &format!("Nr,Name\n{first},Riverside\n"), &["--map", "id=Nr", "--map", "name=Name"]);
    assert!(chosen.code == 0 && chosen.out.contains("1 hall: 0 new, 1 changed"), "{}", chosen.transcript());
}

async fn rows_of_a_list_that_may_be_one_are_named(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    let import = |list: &str, text: &str| {
        std::fs::write(folder.path().join("list.csv"), text).unwrap();
        run(&app, folder.path(), &["records", "import", list, "list.csv"])
    };
    let halls = import("halls", "Name,Capacity\nJetty Hall,100\nJETTY HALL,200\n");
    assert_eq!(halls.code, 0, "{}", halls.transcript());
    assert!(halls.transcript().contains("line 3: \"JETTY HALL\" may be the hall of line 2"), "{}", halls.transcript());
    for mode in [&[][..], &["--dry-run"]] {
        let list = "Title,Text,Date and time of publication\nTides,One,2025-10-01 09:00\nTides,Two,2025-10-02 09:00\n";
        std::fs::write(folder.path().join("list.csv"), list).unwrap();
        let blogs = run(&app, folder.path(), &[&["records", "import", "blogs", "list.csv"], mode].concat());
        assert_eq!(blogs.code, 1, "{}", blogs.transcript());
        assert!(blogs.transcript().contains("line 3: \"Tides\" is also in line 2"), "{}", blogs.transcript());
        assert!(blogs.transcript().contains("Another blog has this title already"), "{}", blogs.transcript());
    }
}
