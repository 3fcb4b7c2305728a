//! Unescaped output in templates and components is limited to an allow-list.

use std::collections::BTreeMap;
use std::path::Path;

use festival_cli::embedded;

use crate::support::{fixture, repository};

/// Counts the occurrences of each of `marks` in the sources below `folder`, under "path mark".
fn count_below(folder: &Path, endings: &[&str], marks: &[&str], found: &mut BTreeMap<String, usize>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            if !["node_modules", "target", "dist"].contains(&name.as_str()) {
                count_below(&path, endings, marks, found);
            }
            continue;
        }
        if name.contains(".test.") || !endings.iter().any(|ending| name.ends_with(ending)) {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let place = path.strip_prefix(repository(".")).unwrap_or(&path).display().to_string();
        for mark in marks {
            let count = text.matches(mark).count();
            if count > 0 {
                *found.entry(format!("{} {mark}", place.trim_start_matches("./"))).or_default() += count;
            }
        }
    }
}

#[test]
fn unescaped_output_is_limited_to_the_allow_list() {
    let list = std::fs::read_to_string(fixture("unescaped.txt")).unwrap();
    let allowed: BTreeMap<String, usize> = list
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let parts: Vec<&str> = line.split(" | ").collect();
            assert_eq!(parts.len(), 3, "{line}");
            (parts[0].to_owned(), parts[1].parse().unwrap())
        })
        .collect();
    let mut found = BTreeMap::new();
    let mut documents = 0;
    for name in (embedded::FRONTEND.names)().iter().filter(|name| name.ends_with(".hbs")) {
        let file = (embedded::FRONTEND.get)(name).unwrap();
        let text = std::str::from_utf8(&file.data).unwrap();
        assert!(!text.contains("{{&"), "{name}");
        let places: Vec<&str> = text.split("{{{").skip(1).map(|rest| rest.split("}}}").next().unwrap()).collect();
        documents += usize::from(!places.is_empty());
        for place in &places {
            let key = format!("template {{{{{{{place}}}}}}}");
            assert_eq!(places.iter().filter(|other| *other == place).count(), 1, "{name}: {place}");
            found.insert(key, 1);
        }
    }
    assert!(documents > 20, "the templates are embedded");
    let marks = ["dangerouslySetInnerHTML", ".innerHTML =", "insertAdjacentHTML", "document.write("];
    count_below(&repository("frontend/src"), &[".ts", ".tsx"], &marks, &mut found);
    for folder in ["core", "modules", "cli"] {
        count_below(&repository(folder), &[".rs"], &["no_escape", "set_escape_fn"], &mut found);
    }
    assert_eq!(found, allowed, "tests/fixtures/unescaped.txt must list every unescaped output, with its reason");
}
