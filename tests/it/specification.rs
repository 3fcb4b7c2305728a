//! `docs/specification-tests.md` names the tests that hold each sentence of the specification, `docs/acceptance.md` those
//! that hold what the product must withstand: each of them exists.
//!
//! The sources are read, nothing is run. A test of Rust is `file.rs › name`, one of TypeScript `file.ts › title`. A
//! title that is made of data (`${count} films at ${width}`) is named as it reads in the end, "4 films at 1440"; what
//! stands in for data has to stand in the file too. "…" stands for all that there are.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::support::repository;

/// A row of the table.
#[derive(Debug)]
struct Row {
    id: String,
    says: String,
    tests: Vec<String>,
}

/// A file with tests: its path, its text and the names or titles in it.
struct Source {
    path: String,
    text: String,
    titles: Vec<String>,
}

/// The rows of all tables of the document.
fn rows(document: &str) -> Vec<Row> {
    document
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| id "))
        .map(|line| {
            let mut cells = line.trim_matches('|').split(" | ").map(str::trim);
            let mut cell = || cells.next().unwrap_or_default().to_owned();
            let (id, says, tests) = (cell(), cell(), cell());
            let tests = tests.split("<br>").map(|test| test.trim().trim_matches('`').to_owned());
            Row { id, says, tests: tests.filter(|test| !test.is_empty()).collect() }
        })
        .collect()
}

/// Every file below a folder that ends in one of `endings`.
fn files(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, endings, found);
        } else if endings.iter().any(|ending| path.to_string_lossy().ends_with(ending)) {
            found.push(path);
        }
    }
}

/// The files with tests; those of Rust in these folders.
fn sources(rust: &[&str]) -> Vec<Source> {
    let mut found = Vec::new();
    rust.iter().for_each(|folder| files(&repository(folder), &[".rs"], &mut found));
    files(&repository("tests/e2e/specs"), &[".spec.ts"], &mut found);
    files(&repository("frontend/src"), &[".test.ts", ".test.tsx"], &mut found);
    found
        .into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            let path = path.strip_prefix(repository("")).unwrap().to_string_lossy().into_owned();
            let titles = if path.ends_with(".rs") { rust_tests(&text) } else { script_tests(&text) };
            Source { path, text, titles }
        })
        .collect()
}

/// Functions that are run: under `#[test]` or its like and not ignored, or named in `on_both!`.
fn rust_tests(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for list in text.split("on_both!(").skip(1) {
        let (list, _) = list.split_once(')').unwrap();
        found.extend(list.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()));
    }
    let mut attributes = String::new();
    for line in text.lines().map(str::trim) {
        if line.starts_with("#[") {
            attributes.push_str(line);
        } else if let Some(rest) = line.strip_prefix("async fn ").or_else(|| line.strip_prefix("fn ")) {
            if (attributes.contains("test]") || attributes.contains("test(")) && !attributes.contains("ignore") {
                found.extend(rest.split('(').next().map(str::to_owned));
            }
            attributes.clear();
        } else if !line.starts_with("//") {
            attributes.clear();
        }
    }
    found
}

/// Titles of `test('..')`, `it('..')`, `it.each(..)('..')`, as they are written; skipped ones are none.
fn script_tests(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for call in ["test(", "it(", "base(", ")("] {
        for (place, _) in text.match_indices(call) {
            let before = text[..place].chars().next_back().unwrap_or(' ');
            if call != ")(" && (before.is_alphanumeric() || before == '.') {
                continue;
            }
            found.extend(literal(text[place + call.len()..].trim_start()));
        }
    }
    found
}

/// The string that a text begins with.
fn literal(text: &str) -> Option<String> {
    let quote = text.chars().next().filter(|first| "'\"`".contains(*first))?;
    let mut value = String::new();
    let mut letters = text[1..].chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => value.extend(letters.next()),
            letter if letter == quote => return Some(value),
            letter => value.push(letter),
        }
    }
    None
}

/// The fixed parts of a title that holds data: `${..}`, and vitest's `%s` and `$name`.
fn fixed_parts(title: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut rest = title;
    while let Some(letter) = rest.chars().next() {
        let data = match rest {
            _ if rest.starts_with("${") => rest.find('}').map(|end| end + 1),
            _ if rest.starts_with("%s") || rest.starts_with("%d") => Some(2),
            _ if rest.starts_with('$') => {
                let end = rest[1..].find(|letter: char| !letter.is_alphanumeric());
                Some(end.map_or(rest.len(), |end| end + 1)).filter(|length| *length > 1)
            }
            _ => None,
        };
        let taken = data.unwrap_or(letter.len_utf8());
        match data {
            Some(_) => parts.push(String::new()),
            None => parts.last_mut().unwrap().push(letter),
        }
        rest = &rest[taken..];
    }
    parts
}

/// What stands in a title in the places of its data; None: it is another title.
fn data_of(title: &str, named: &str) -> Option<Vec<String>> {
    let parts = fixed_parts(title);
    let (first, others) = parts.split_first()?;
    let mut rest = named.strip_prefix(first.as_str())?;
    let mut data = Vec::new();
    for (place, part) in others.iter().enumerate() {
        let last = place + 1 == others.len();
        let end = if last { rest.len().checked_sub(part.len())? } else { rest.find(part.as_str())? };
        let value = rest.get(..end)?;
        rest = rest.get(end..)?.strip_prefix(part.as_str())?;
        data.push(value.to_owned());
    }
    rest.is_empty().then_some(data)
}

/// Whether a source holds a test of this name: data in it have to stand in the file or in what the files share.
fn holds(source: &Source, named: &str, shared: &str) -> bool {
    source.titles.iter().any(|title| {
        data_of(title, named).is_some_and(|data| {
            data.iter().all(|value| value == "…" || source.text.contains(value) || shared.contains(value))
        })
    })
}

/// What is wrong with the tests that a row names, in words.
fn wrong(row: &Row, sources: &[Source], shared: &str) -> Vec<String> {
    let mut found = Vec::new();
    if row.tests.is_empty() || row.says.is_empty() {
        found.push(format!("{}: a row says something and names a test", row.id));
    }
    for test in &row.tests {
        let Some((file, named)) = test.split_once(" › ") else {
            found.push(format!("{}: {test:?} is not `file › test`", row.id));
            continue;
        };
        let ending = format!("/{file}");
        let matching: Vec<&Source> = sources.iter().filter(|source| source.path.ends_with(&ending)).collect();
        match matching.as_slice() {
            [] => found.push(format!("{}: there is no file {file}", row.id)),
            [source] if holds(source, named, shared) => {}
            [_] => found.push(format!("{}: {file} holds no test {named:?}", row.id)),
            _ => found.push(format!("{}: more than one file ends in {file}; name its folder too", row.id)),
        }
    }
    found
}

/// What titles of Playwright take their data from beside their own file.
fn shared() -> String {
    let mut found = Vec::new();
    files(&repository("tests/e2e/support"), &[".ts"], &mut found);
    found.push(repository("frontend/src/shared/api/generated/forms.ts"));
    found.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

#[test]
fn every_sentence_has_its_tests_and_they_exist() {
    let document = std::fs::read_to_string(repository("docs/specification-tests.md")).unwrap();
    let rows = rows(&document);
    let mut per_section: BTreeMap<&str, usize> = BTreeMap::new();
    let mut ids = BTreeSet::new();
    for row in &rows {
        assert!(ids.insert(&row.id), "{} is there twice", row.id);
        *per_section.entry(row.id.split('.').next().unwrap()).or_default() += 1;
    }
    assert_eq!(per_section.keys().copied().collect::<Vec<_>>(), ["1", "2", "3", "4", "5", "6", "7", "8", "9", "every"]);
    let (sources, shared) = (sources(&["tests/it"]), shared());
    let wrong: Vec<String> = rows.iter().flat_map(|row| wrong(row, &sources, &shared)).collect();
    assert!(wrong.is_empty(), "docs/specification-tests.md:\n{}", wrong.join("\n"));
}

#[test]
fn every_line_of_the_acceptance_list_has_its_tests_and_they_exist() {
    let document = std::fs::read_to_string(repository("docs/acceptance.md")).unwrap();
    let (sources, shared) = (sources(&["tests/it", "core", "modules", "cli"]), shared());
    let mut scripts = Vec::new();
    ["tests/faults", "tests/fuzz", "tests/bench"]
        .iter()
        .for_each(|folder| files(&repository(folder), &[""], &mut scripts));
    let is_script = |name: &str| scripts.iter().any(|path| path.ends_with(name)) || repository(name).is_file();
    let mut states: BTreeMap<String, usize> = BTreeMap::new();
    let mut complaints = Vec::new();
    for line in document.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = line[1..].split('|').map(str::trim).collect();
        let [id, says, state, held, missing, ""] = cells[..] else { continue };
        if !id.starts_with(|first: char| first.is_uppercase()) || id == "id" {
            continue;
        }
        *states.entry(state.to_owned()).or_default() += 1;
        let named = held.split("<br>").map(|test| test.trim().split(" (").next().unwrap().trim_matches('`').to_owned());
        let (scripts, tests): (Vec<String>, Vec<String>) = named
            .filter(|test| !test.is_empty())
            .partition(|test| is_script(test.split(" › ").next().unwrap()) && !test.contains(".spec.ts"));
        if state == "held" && scripts.is_empty() && tests.is_empty() {
            complaints.push(format!("{id} is held by nothing"));
        }
        if state != "held" && missing.is_empty() {
            complaints.push(format!("{id}: what is missing?"));
        }
        if !tests.is_empty() {
            complaints.extend(wrong(&Row { id: id.to_owned(), says: says.to_owned(), tests }, &sources, &shared));
        }
    }
    assert!(complaints.is_empty(), "docs/acceptance.md:\n{}", complaints.join("\n"));
    assert_eq!(states.values().sum::<usize>(), 100);
    for (state, count) in states {
        let row = document.lines().find(|line| line.starts_with(&format!("| {state} |"))).unwrap();
        assert!(row.ends_with(&format!("| {count} |")), "{count} lines are {state}: {row}");
    }
}

/// The check itself sees what it must see.
#[test]
fn a_test_that_is_gone_is_found() {
    let text = "test('one', run); test.skip('two', run); test(\n  `${count} in ${place}`, run); it.each([1])('%s of $all', run);
                const list = [[3, 'town']]; test.describe('three', run); protest('four')";
    let script = Source { path: "tests/e2e/specs/a.spec.ts".into(), text: text.into(), titles: script_tests(text) };
    let text = "on_both!(both, ways);\n#[test]\n#[ignore]\nfn ignored() {}\n#[tokio::test]\nasync fn alone() {}\nfn helper() {}";
    let rust = Source { path: "tests/it/films/api.rs".into(), text: text.into(), titles: rust_tests(text) };
    let sources = [script, rust];
    let complaints = |tests: &str| {
        let [row] = rows(&format!("| id | says | tests |\n|---|---|---|\n| 2.1 | something | {tests} |"))
            .try_into()
            .unwrap_or_else(|rows| panic!("one row, not {rows:?}"));
        wrong(&row, &sources, "").len()
    };
    for there in ["one", "3 in town", "… in …", "3 of town"] {
        assert_eq!(complaints(&format!("`a.spec.ts › {there}`")), 0, "{there}");
    }
    for gone in ["two", "three", "four", "one more", "3 in village", "3 at town", ""] {
        assert_eq!(complaints(&format!("`a.spec.ts › {gone}`")), 1, "{gone}");
    }
    assert_eq!(complaints("`films/api.rs › both`<br>`api.rs › ways`<br>`api.rs › alone`"), 0);
    assert_eq!(complaints("`api.rs › ignored`<br>`api.rs › helper`<br>`b.spec.ts › one`"), 3);
    assert_eq!(complaints(""), 1, "a row without a test");
}

/// Where dates are not moved, the demonstration's are those of the specification.
#[test]
fn the_demonstration_keeps_to_dates_and_prizes() {
    let text = std::fs::read_to_string(repository("config/editions/2025.toml")).unwrap();
    let edition: toml::Table = text.parse().unwrap();
    let said = |key: &str| edition["edition"][key].to_string().trim_matches('"').to_owned();
    assert_eq!((said("starts_on"), said("ends_on")), ("2025-10-24".to_owned(), "2025-10-31".to_owned()));
    assert_eq!(said("submission_deadline"), "2025-09-01");
    assert_eq!(said("countdown_at"), "2025-09-03T22:00:00");
    let prizes: Vec<i64> =
        edition["awards"].as_array().unwrap().iter().map(|award| award["amount"].as_integer().unwrap()).collect();
    assert_eq!(prizes, [100_000, 100_000, 100_000, 100_000, 25_000]);
}
