//! Dependencies between crates: core crates use only those below them, modules use only core, and only the command line
//! uses everything.

use std::collections::BTreeSet;

use festival::modules;
use regex::Regex;
use serde_json::Value;

use crate::support::{S3Server, repository};

/// A dependency between two crates of the workspace.
type Edge = (String, String);

/// The crates of core from top to bottom, each with those that it may use. These all come later in the list, so there
/// is no cycle.
const CORE: &[(&str, &[&str])] = &[
    (
        "festival-core",
        &["festival-admin", "festival-web", "festival-records", "festival-mail", "festival-files", "festival-base"],
    ),
    ("festival-admin", &["festival-web", "festival-records", "festival-mail", "festival-files", "festival-base"]),
    ("festival-web", &["festival-records", "festival-files", "festival-pixels", "festival-base"]),
    ("festival-records", &["festival-files", "festival-base"]),
    ("festival-mail", &["festival-base"]),
    ("festival-files", &["festival-base", "festival-pixels"]),
    ("festival-pixels", &[]),
    ("festival-base", &[]),
];

/// Whether one core crate may use the other.
fn is_downwards(from: &str, to: &str) -> bool {
    CORE.iter().any(|(name, uses)| *name == from && uses.contains(&to))
}

/// Forbidden dependencies, as sentences.
fn forbidden(modules: &BTreeSet<String>, edges: &[Edge]) -> Vec<String> {
    edges
        .iter()
        .filter_map(|(from, to)| {
            let rule = match (from.as_str(), to.as_str()) {
                (from, to) if CORE.iter().any(|(name, _)| *name == from) => {
                    if is_downwards(from, to) {
                        return None;
                    }
                    "core crates use only those that the list permits"
                }
                (from, "festival-cli" | "festival") if !["festival", "festival-tests"].contains(&from) => {
                    "only the program and the tests use the command line"
                }
                // Core re-exports what its lower crates offer.
                (_, "festival-core") => return None,
                (_, to) if CORE.iter().any(|(name, _)| *name == to) => "only core uses its lower crates",
                (module, _) if modules.contains(module) => "a module uses only core",
                // So that a change in a module does not compile it again.
                ("festival-cli", _) => "the command line gets its modules from the program",
                _ => return None,
            };
            Some(format!("{from} depends on {to}: {rule}"))
        })
        .collect()
}

/// The output of `cargo metadata`, as JSON. The `cargo_metadata` crate would enable a feature of serde_json, so that
/// the program is compiled a second time for tests.
pub(crate) fn metadata(more: &[&str]) -> Value {
    metadata_of("Cargo.toml", more)
}

fn metadata_of(manifest: &str, more: &[&str]) -> Value {
    let output = std::process::Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--offline", "--manifest-path"])
        .arg(repository(manifest))
        .args(more)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The crates in `modules/` and every dependency between workspace crates.
fn workspace() -> (BTreeSet<String>, Vec<Edge>) {
    let metadata = metadata(&["--no-deps"]);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let mut modules = BTreeSet::new();
    let mut edges = Vec::new();
    for package in metadata["packages"].as_array().unwrap() {
        let name = text(&package["name"]);
        if text(&package["manifest_path"]).contains("/modules/") {
            modules.insert(name.clone());
        }
        for dependency in package["dependencies"].as_array().unwrap().iter().filter(|d| d["path"].is_string()) {
            assert_ne!(dependency["kind"], "build", "{name} has a build dependency on a workspace crate");
            edges.push((name.clone(), text(&dependency["name"])));
        }
    }
    (modules, edges)
}

#[test]
fn crates_have_no_forbidden_dependencies() {
    let (modules, edges) = workspace();
    assert!(modules.len() >= 5 && edges.len() >= 10, "{modules:?} {edges:?}");
    assert_eq!(forbidden(&modules, &edges), Vec::<String>::new());
}

/// Every crate in `core/` is in the list, and every permitted dependency is used.
#[test]
fn core_crates_depend_only_on_lower_crates() {
    let (_, edges) = workspace();
    for (place, (name, uses)) in CORE.iter().enumerate() {
        for used in *uses {
            assert!(CORE[place + 1..].iter().any(|(below, _)| below == used), "{used} does not stand below {name}");
            assert!(edges.contains(&((*name).to_owned(), (*used).to_owned())), "{name} may use {used} and does not");
        }
        let folder = repository("core").join(name.trim_start_matches("festival-"));
        assert!(*name == "festival-core" || folder.join("Cargo.toml").is_file(), "{name} is not in its folder");
    }
    let folders = std::fs::read_dir(repository("core")).unwrap().map(|entry| entry.unwrap().path());
    assert_eq!(folders.filter(|folder| folder.join("Cargo.toml").is_file()).count() + 1, CORE.len());
}

/// The check detects violations.
#[test]
fn forbidden_dependencies_are_detected() {
    let (modules, edges) = workspace();
    for (from, to) in [
        ("festival-films", "festival-content"),
        ("festival-core", "festival-films"),
        ("festival-core", "festival-cli"),
        ("festival-web", "festival-admin"),
        ("festival-web", "festival-core"),
        ("festival-admin", "festival-core"),
        ("festival-admin", "festival-forms"),
        ("festival-records", "festival-web"),
        ("festival-mail", "festival-records"),
        ("festival-base", "festival-core"),
        ("festival-base", "festival-films"),
        ("festival-films", "festival-base"),
        ("festival-films", "festival-web"),
        ("festival-forms", "festival-admin"),
        ("festival-cli", "festival-base"),
        ("festival-forms", "festival-cli"),
        ("festival-cli", "festival-forms"),
        ("festival-cli", "festival"),
    ] {
        let mut edges = edges.clone();
        edges.push((from.to_owned(), to.to_owned()));
        assert_eq!(forbidden(&modules, &edges).len(), 1, "{from} -> {to}");
    }
}

#[test]
fn every_module_crate_is_listed_under_its_own_name() {
    let (crates, _) = workspace();
    let listed: BTreeSet<String> = modules().iter().map(|module| format!("festival-{}", module.name())).collect();
    assert_eq!(listed, crates);
    for name in listed {
        let folder = repository("modules").join(name.trim_start_matches("festival-"));
        assert!(folder.join("README.md").is_file(), "{} has no README.md", folder.display());
    }
}

/// Words of features. Features belong to the modules; core and the scripts of the back office must not know them.
const FEATURE_WORDS: [&str; 17] = [
    "award",
    "blog",
    "delegate",
    "desk",
    "fee",
    "film",
    "ifsc",
    "jury",
    "magazine",
    "membership",
    "payment",
    "quarantine",
    "screener",
    "screening",
    "submission",
    "twenty",
    "upi",
];

/// Exceptions: file, word, and the reason.
const FEATURE_WORDS_ALLOWED: [(&str, &str, &str); 22] = [
    ("core/base/src/settings/menu.rs", "award", "the menus of a site that has none of its own"),
    ("core/base/src/settings/menu.rs", "blog", "the same"),
    ("core/base/src/settings/menu.rs", "delegate", "the same"),
    ("core/base/src/settings/menu.rs", "film", "the same"),
    ("core/base/src/settings/menu.rs", "magazine", "the same"),
    ("core/base/src/settings/menu.rs", "twenty", "the same"),
    ("core/mail/src/template/mod.rs", "film", "what a festival is called"),
    (
        "core/records/src/edition.rs",
        "submission",
        "an edition's last day for submissions, in the description of the edition",
    ),
    ("core/admin/src/screens/editions.rs", "submission", "the same"),
    ("core/web/src/site/facts.rs", "submission", "the same"),
    ("core/admin/src/privacy/holder.rs", "submission", "what a person sent, whatever the form"),
    ("core/admin/src/privacy/history.rs", "submission", "the same"),
    ("core/web/src/submissions.rs", "submission", "the same, for modules that do not know the form"),
    ("core/web/src/lib.rs", "submission", "the same"),
    ("core/web/src/site/contents.rs", "submission", "the same"),
    ("core/src/lib.rs", "submission", "the same"),
    ("core/src/registry.rs", "submission", "the same"),
    ("frontend/src/admin/templates/partials/icons.hbs", "film", "an icon of the menu"),
    ("core/admin/src/screens/audit_log.rs", "submission", "what stored rows of the log are about"),
    ("core/admin/src/screens/audit_log.rs", "quarantine", "what stored rows of the log are about"),
    ("core/mail/src/actions.rs", "payment", "the kind of stored mails"),
    ("core/web/src/http/headers.rs", "payment", "a permission of browsers"),
];

/// The words of features in the code of a file: in names and in texts for people, not in comments and tests.
fn feature_words(code: &str) -> BTreeSet<&'static str> {
    let code = code.split("#[cfg(test)]").next().unwrap_or_default();
    let is_comment = |line: &&str| ["//", "/*", "*", "#"].iter().any(|sign| line.trim_start().starts_with(sign));
    let lines = code.lines().filter(|line| !is_comment(line));
    let words = lines.flat_map(|line| line.split(|letter: char| !letter.is_ascii_alphabetic())).flat_map(|word| {
        // "paymentCode", "PaymentCode"
        let starts = word.char_indices().filter(|(_, letter)| letter.is_ascii_uppercase()).map(|(index, _)| index);
        let starts: Vec<usize> = starts.chain([word.len()]).collect();
        let is_name = starts.len() > 1 && word.contains(|letter: char| letter.is_ascii_lowercase());
        let parts = starts.windows(2).map(|pair| &word[pair[0]..pair[1]]).collect::<Vec<_>>();
        if is_name { [&[&word[..starts[0]]], &parts[..]].concat() } else { vec![word] }
    });
    words
        .map(str::to_lowercase)
        .filter_map(|word| {
            let one = word.strip_suffix('s').unwrap_or(&word).to_owned();
            FEATURE_WORDS.into_iter().find(|known| *known == word || *known == one)
        })
        .collect()
}

/// Core and the back office's scripts and templates know modules only through registration.
#[test]
fn core_names_no_module_and_no_feature() {
    for (code, found) in [
        ("let payment_code = 1;", Some("payment")),
        ("fn showFees() {}", Some("fee")),
        ("pub struct DelegateForm;", Some("delegate")),
        ("<h2>Screenings</h2>", Some("screening")),
        ("const UPI_ID: &str = \"\";", Some("upi")),
        ("// the fees of the forms", None),
        ("#[cfg(test)]\nmod tests { fn fee() {} }", None),
        ("feed.upipe()", None),
    ] {
        assert_eq!(feature_words(code).into_iter().next(), found, "{code}");
    }
    let crates: Vec<String> = modules().iter().map(|module| format!("festival_{}", module.name())).collect();
    let mut folders = vec![repository("core"), repository("frontend/src/admin")];
    let (mut read, mut found) = (0, Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(repository("")).unwrap().display().to_string();
            if path.is_dir() && !name.ends_with("/tests") {
                folders.push(path);
                continue;
            }
            let is_code =
                path.extension().is_some_and(|ending| ["rs", "ts", "css", "hbs"].iter().any(|it| ending == *it));
            if !is_code || name.ends_with(".test.ts") || name.ends_with("tests.rs") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(crates.iter().all(|word| !text.contains(word)), "{name} names a module");
            found.extend(feature_words(&text).into_iter().map(|word| (name.clone(), word)));
            read += 1;
        }
    }
    assert!(read > 300, "{read} files");
    found.sort();
    let mut allowed: Vec<(String, &str)> =
        FEATURE_WORDS_ALLOWED.iter().map(|(file, word, _)| ((*file).to_owned(), *word)).collect();
    allowed.sort();
    assert_eq!(found, allowed, "words of features, and where they may stand");
}

/// Licences that require no more than shipping their text with the program, or, per file, the source.
const LICENCES: [&str; 12] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MPL-2.0",
    "Unicode-3.0",
    "Zlib",
];
/// Crates that must not be built in: HTTP/2 is left to the proxy (Rocket's default features are off), TLS to rustls.
const BANNED: [&str; 4] = ["h2", "openssl", "openssl-sys", "native-tls"];

/// Whether each part of the expression offers one of [`LICENCES`].
fn is_allowed(expression: &str) -> bool {
    let known = |name: &str| LICENCES.contains(&name.trim_matches(['(', ')', ' ']));
    expression.split(" AND ").all(|part| part.split(" OR ").flat_map(|name| name.split('/')).any(known))
}

#[test]
fn dependencies_have_allowed_licences_and_none_is_banned() {
    assert!(is_allowed("(MIT OR GPL-3.0) AND Unicode-3.0") && !is_allowed("MIT AND GPL-3.0") && !is_allowed(""));
    // Crates of other platforms are not downloaded.
    let platform = ["--filter-platform", "x86_64-unknown-linux-gnu"];
    let metadata = metadata(&platform);
    // The tests' S3 server is never built into the program, so nothing is banned there.
    S3Server::build();
    let of_server = metadata_of("tests/s3-server/Cargo.toml", &platform);
    for (metadata, banned) in [(metadata, &BANNED[..]), (of_server, &[])] {
        let packages = metadata["packages"].as_array().unwrap();
        assert!(packages.len() > 100);
        for package in packages.iter().filter(|package| package["source"].is_string()) {
            let (name, licence) = (package["name"].as_str().unwrap(), package["license"].as_str().unwrap_or_default());
            assert!(is_allowed(licence), "{name}: {licence:?}");
            assert!(!banned.contains(&name), "{name} is built in");
        }
    }
}

/// Values are bound, never interpolated. SQL assembled at run time consists of names from the program and numbered
/// placeholders ([decision 1](../../docs/decisions/0001-entities-are-descriptions.md)).
#[test]
fn sql_is_assembled_only_in_reviewed_files() {
    let mut found = Vec::new();
    for folder in ["core", "modules", "cli"] {
        files_with("AssertSqlSafe(", &repository(folder), &mut found);
    }
    found.sort();
    let known = [
        "core/base/src/db/condition.rs",
        "core/base/src/db/pool.rs", // Tests.
        "core/base/src/db/rows.rs",
        "core/base/src/secrets.rs",
        "core/records/src/editing/revision.rs",
        "core/records/src/entity/table/insert.rs",
        "core/records/src/entity/table/query.rs",
        "core/records/src/entity/table/references.rs",
        "core/records/src/entity/table/rows.rs",
        "core/records/src/entity/table/search_keys.rs",
        "core/records/src/seed/remains.rs",
        "core/src/backup/manifest.rs",
        "core/src/moving.rs", // Names of the schema itself.
        "modules/forms/src/offered.rs",
        "modules/forms/src/payment_receipts.rs",
        "modules/forms/src/privacy.rs",
        "modules/forms/src/review/bulk.rs",
        "modules/forms/src/review/events.rs",
        "modules/forms/src/statements/erasing.rs",
        "modules/forms/src/statements/stored.rs",
        "modules/forms/src/submissions/reader.rs",
        "modules/forms/src/submit/store.rs",
        "modules/selection/src/privacy.rs",
        "modules/selection/src/status/changes.rs",
        "modules/selection/src/status/links.rs",
        "modules/selection/src/status/lost.rs",
    ];
    assert_eq!(found, known, "review new places for user input before you add them to this list");
}

/// Postgres refuses a prepared `SELECT *` once a newer program has added a column, so instances of the earlier one
/// would fail.
#[test]
fn sql_names_its_columns() {
    let all_columns = Regex::new(r"(?i)\b(select|returning)\s+(\w+\.)?\*|,\s*\w+\.\*").unwrap();
    let mut sources = Vec::new();
    for folder in ["core", "modules"] {
        files_with("*", &repository(folder), &mut sources);
    }
    sources.retain(|source| all_columns.is_match(&std::fs::read_to_string(repository(source)).unwrap()));
    assert_eq!(sources, ["core/base/src/db/pool.rs"], "there it reads settings of SQLite, for a test");
}

/// Types of the frontend are derived from Rust types, its data are written as JSON, and its functions are files of its own.
#[test]
fn rust_sources_contain_no_typescript_functions_or_interfaces() {
    let mut sources = Vec::new();
    for text in ["export function", "export interface"] {
        for folder in ["core", "modules", "cli"] {
            files_with(text, &repository(folder), &mut sources);
        }
    }
    assert_eq!(sources, Vec::<String>::new());
}

/// The Rust files below `folder` that contain `text`, as paths from the repository.
fn files_with(text: &str, folder: &std::path::Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files_with(text, &path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs")
            && std::fs::read_to_string(&path).unwrap().contains(text)
        {
            found.push(path.strip_prefix(repository("")).unwrap().display().to_string());
        }
    }
}
