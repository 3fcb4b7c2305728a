//! Unescaped output in templates and components is limited to an allow-list; templates of the back office have none.

use std::collections::BTreeMap;
use std::path::Path;

use festival::modules;
use festival_cli::embedded;
use festival_core::Registry;
use festival_core::settings::Settings;
use regex::Regex;

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

/// What a template of the back office must not contain: everything that is shown is escaped, and the content security
/// policy forbids the rest.
fn forbidden(template: &str) -> Vec<&'static str> {
    let rules = [
        (r"\{\{\{|\{\{~?&", "unescaped text"),
        (r"<[^>]*\s(?:style|on\w+)\s*=", "a style or an event handler"),
        (r"<(?:script|style)\b", "a script or a style sheet"),
    ];
    let is_broken = |pattern: &str| Regex::new(&format!("(?i){pattern}")).unwrap().is_match(template);
    rules.into_iter().filter(|(pattern, _)| is_broken(pattern)).map(|(_, name)| name).collect()
}

/// The templates below `folder` by their names.
fn templates_below(folder: &Path) -> BTreeMap<String, String> {
    let mut templates = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "hbs") {
                let name = path.strip_prefix(folder).unwrap().with_extension("").display().to_string();
                templates.insert(name, std::fs::read_to_string(&path).unwrap());
            }
        }
    }
    templates
}

#[test]
fn templates_of_the_back_office_contain_no_unescaped_text_styles_or_scripts() {
    for (template, what) in [
        ("<b>{{{name}}}</b>", "unescaped text"),
        ("<b>{{~&name}}</b>", "unescaped text"),
        ("<p class=\"row\" style=\"top: 0\">", "a style or an event handler"),
        ("<button\n  onClick=\"go()\">", "a style or an event handler"),
        ("<script src=\"/a.js\"></script>", "a script or a style sheet"),
    ] {
        assert_eq!(forbidden(template), [what], "{template}");
    }
    let mut all: Vec<(String, String)> =
        templates_below(&repository("frontend/src/admin/templates")).into_iter().collect();
    assert!(all.len() > 40, "core's templates");
    for contribution in Registry::collect(&Settings::default(), &modules()).contributions() {
        let registered = contribution.back_office.templates.iter();
        let registered: BTreeMap<String, String> =
            registered.map(|template| (template.name.to_owned(), template.text.to_owned())).collect();
        let files = templates_below(&repository("modules").join(contribution.module).join("templates"));
        assert_eq!(registered, files, "{} registers all its templates", contribution.module);
        all.extend(registered);
    }
    let broken: Vec<_> =
        all.iter().map(|(name, text)| (name, forbidden(text))).filter(|(_, rules)| !rules.is_empty()).collect();
    assert!(broken.is_empty(), "{broken:?}");
}
