//! Checks that the tests named in `docs/specification-tests.md` and `docs/acceptance.md` exist.
//!
//! The sources are parsed, nothing is run. A Rust test is named `file.rs › name`, a TypeScript test `file.ts › title`.
//! A title with interpolated data (`${count} films at ${width}`) is named with its data, "4 films at 1440"; the data
//! must occur in the file, too. "…" stands for any data.

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

/// A file with tests: its path, its text and the names or titles of its tests.
struct Source {
    path: String,
    text: String,
    titles: Vec<String>,
}

/// The rows of all tables in a document.
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

/// Collects every file below a folder that ends in one of `endings`.
fn collect_files(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect_files(&path, endings, found);
        } else if endings.iter().any(|ending| path.to_string_lossy().ends_with(ending)) {
            found.push(path);
        }
    }
}

/// All test files; Rust files from these folders.
fn test_sources(rust: &[&str]) -> Vec<Source> {
    let mut found = Vec::new();
    rust.iter().for_each(|folder| collect_files(&repository(folder), &[".rs"], &mut found));
    collect_files(&repository("tests/e2e/specs"), &[".spec.ts"], &mut found);
    collect_files(&repository("frontend/src"), &[".test.ts", ".test.tsx"], &mut found);
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

/// Names of the Rust tests that run: functions under a test attribute that are not ignored, and those in `on_both!`.
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

/// Titles of `test('..')`, `it('..')` and `it.each(..)('..')` as written, without skipped ones.
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

/// The string literal at the start of a text.
fn literal(text: &str) -> Option<String> {
    let quote = text.chars().next().filter(|first| "'\"`".contains(*first))?;
    let mut value = String::new();
    let mut chars = text[1..].chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => value.extend(chars.next()),
            c if c == quote => return Some(value),
            c => value.push(c),
        }
    }
    None
}

/// The fixed parts of a title around its data: `${..}`, and vitest's `%s` and `$name`.
fn fixed_parts(title: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut rest = title;
    while let Some(c) = rest.chars().next() {
        let data = match rest {
            _ if rest.starts_with("${") => rest.find('}').map(|end| end + 1),
            _ if rest.starts_with("%s") || rest.starts_with("%d") => Some(2),
            _ if rest.starts_with('$') => {
                let end = rest[1..].find(|c: char| !c.is_alphanumeric());
                Some(end.map_or(rest.len(), |end| end + 1)).filter(|length| *length > 1)
            }
            _ => None,
        };
        let taken = data.unwrap_or(c.len_utf8());
        match data {
            Some(_) => parts.push(String::new()),
            None => parts.last_mut().unwrap().push(c),
        }
        rest = &rest[taken..];
    }
    parts
}

/// The data that turn `title` into `named`; none if it is another title.
fn interpolated_data(title: &str, named: &str) -> Option<Vec<String>> {
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

/// Whether a source holds the named test, and the data in its name occur in the file or in `shared`.
fn has_test(source: &Source, named: &str, shared: &str) -> bool {
    source.titles.iter().any(|title| {
        interpolated_data(title, named).is_some_and(|data| {
            data.iter().all(|value| value == "…" || source.text.contains(value) || shared.contains(value))
        })
    })
}

/// Problems with the tests that a row names, as sentences.
fn problems(row: &Row, sources: &[Source], shared: &str) -> Vec<String> {
    let mut found = Vec::new();
    if row.tests.is_empty() || row.says.is_empty() {
        found.push(format!("{}: a row needs a sentence and a test", row.id));
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
            [source] if has_test(source, named, shared) => {}
            [_] => found.push(format!("{}: {file} holds no test {named:?}", row.id)),
            _ => found.push(format!("{}: more than one file ends in {file}; name its folder too", row.id)),
        }
    }
    found
}

/// Files outside the specs from which Playwright titles take their data.
fn shared() -> String {
    let mut found = Vec::new();
    collect_files(&repository("tests/e2e/support"), &[".ts"], &mut found);
    collect_files(&repository("frontend/src/shared/api/generated"), &[".ts"], &mut found);
    found.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

#[test]
fn every_sentence_of_the_specification_names_existing_tests() {
    let document = std::fs::read_to_string(repository("docs/specification-tests.md")).unwrap();
    let rows = rows(&document);
    let mut per_section: BTreeMap<&str, usize> = BTreeMap::new();
    let mut ids = BTreeSet::new();
    for row in &rows {
        assert!(ids.insert(&row.id), "{} is there twice", row.id);
        *per_section.entry(row.id.split('.').next().unwrap()).or_default() += 1;
    }
    assert_eq!(per_section.keys().copied().collect::<Vec<_>>(), ["1", "2", "3", "4", "5", "6", "7", "8", "9", "every"]);
    let (sources, shared) = (test_sources(&["tests/it"]), shared());
    let wrong: Vec<String> = rows.iter().flat_map(|row| problems(row, &sources, &shared)).collect();
    assert!(wrong.is_empty(), "docs/specification-tests.md:\n{}", wrong.join("\n"));
}

#[test]
fn every_line_of_the_acceptance_list_names_existing_tests() {
    let document = std::fs::read_to_string(repository("docs/acceptance.md")).unwrap();
    let (sources, shared) = (test_sources(&["tests/it", "core", "modules", "cli"]), shared());
    let mut scripts = Vec::new();
    ["tests/faults", "tests/fuzz", "tests/bench"]
        .iter()
        .for_each(|folder| collect_files(&repository(folder), &[""], &mut scripts));
    let is_script = |name: &str| scripts.iter().any(|path| path.ends_with(name)) || repository(name).is_file();
    let mut states: BTreeMap<String, usize> = BTreeMap::new();
    let mut found = Vec::new();
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
            found.push(format!("{id} is held, but names no test"));
        }
        if state != "held" && missing.is_empty() {
            found.push(format!("{id}: the column \"missing\" is empty"));
        }
        if !tests.is_empty() {
            found.extend(problems(&Row { id: id.to_owned(), says: says.to_owned(), tests }, &sources, &shared));
        }
    }
    assert!(found.is_empty(), "docs/acceptance.md:\n{}", found.join("\n"));
    assert_eq!(states.values().sum::<usize>(), 111);
    for (state, count) in states {
        let row = document.lines().find(|line| line.starts_with(&format!("| {state} |"))).unwrap();
        assert!(row.ends_with(&format!("| {count} |")), "{count} lines are {state}: {row}");
    }
}

/// The check detects missing tests.
#[test]
fn missing_tests_are_detected() {
    let text = "test('one', run); test.skip('two', run); test(\n  `${count} in ${place}`, run); it.each([1])('%s of $all', run);
                const list = [[3, 'town']]; test.describe('three', run); protest('four')";
    let script = Source { path: "tests/e2e/specs/a.spec.ts".into(), text: text.into(), titles: script_tests(text) };
    let text = "on_both!(both, ways);\n#[test]\n#[ignore]\nfn ignored() {}\n#[tokio::test]\nasync fn alone() {}\nfn helper() {}";
    let rust = Source { path: "tests/it/films/api.rs".into(), text: text.into(), titles: rust_tests(text) };
    let sources = [script, rust];
    let count_problems = |tests: &str| {
        let [row] = rows(&format!("| id | says | tests |\n|---|---|---|\n| 2.1 | something | {tests} |"))
            .try_into()
            .unwrap_or_else(|rows| panic!("one row, not {rows:?}"));
        problems(&row, &sources, "").len()
    };
    for there in ["one", "3 in town", "… in …", "3 of town"] {
        assert_eq!(count_problems(&format!("`a.spec.ts › {there}`")), 0, "{there}");
    }
    for gone in ["two", "three", "four", "one more", "3 in village", "3 at town", ""] {
        assert_eq!(count_problems(&format!("`a.spec.ts › {gone}`")), 1, "{gone}");
    }
    assert_eq!(count_problems("`films/api.rs › both`<br>`api.rs › ways`<br>`api.rs › alone`"), 0);
    assert_eq!(count_problems("`api.rs › ignored`<br>`api.rs › helper`<br>`b.spec.ts › one`"), 3);
    assert_eq!(count_problems(""), 1, "a row without a test");
}

/// Without relative dates the demonstration has the dates of the specification.
#[test]
fn demonstration_has_the_specified_dates_and_prizes() {
    let text = std::fs::read_to_string(repository("config/editions/2025.toml")).unwrap();
    let edition: toml::Table = text.parse().unwrap();
    let value = |key: &str| edition["edition"][key].to_string().trim_matches('"').to_owned();
    assert_eq!((value("starts_on"), value("ends_on")), ("2025-10-24".to_owned(), "2025-10-31".to_owned()));
    assert_eq!(value("submission_deadline"), "2025-09-01");
    assert_eq!(value("countdown_at"), "2025-09-03T22:00:00");
    let prizes: Vec<i64> =
        edition["awards"].as_array().unwrap().iter().map(|award| award["amount"].as_integer().unwrap()).collect();
    assert_eq!(prizes, [100_000, 100_000, 100_000, 100_000, 25_000]);
}
