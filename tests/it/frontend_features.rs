//! The frontend's features stay in their folders: nothing outside names one, and their styles apply only to their own
//! screens.

use festival::modules;
use regex::Regex;

use crate::support::repository;

/// The frontend's application and build find features by their folders, and name none.
#[test]
fn frontend_names_features_only_in_their_folders() {
    let names: Vec<&str> = modules().iter().map(|module| module.name()).collect();
    let named = Regex::new(&format!(r"features\\?/({})\b", names.join("|"))).unwrap();
    assert!(named.is_match("'@/features/films/module'") && named.is_match(r"/features\/forms\//"));
    let mut folders = vec![repository("frontend")];
    let (mut read, mut found) = (0, Vec::new());
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let is_left_out = ["features", "node_modules", "dist"].iter().any(|name| path.ends_with(name));
            if path.is_dir() && !is_left_out {
                folders.push(path);
            } else if path.is_file() && !path.to_string_lossy().contains(".test.") {
                let text = std::fs::read(&path).unwrap();
                found.extend(named.is_match(&String::from_utf8_lossy(&text)).then_some(path));
                read += 1;
            }
        }
    }
    assert!(read > 150, "{read} files");
    assert_eq!(found, Vec::<std::path::PathBuf>::new());
}

/// A feature's styles for the back office apply only to the screens of its module.
#[test]
fn back_office_styles_apply_to_their_module_only() {
    let selectors = |style: &str| -> Vec<String> {
        let style = Regex::new(r"(?s)/\*.*?\*/").unwrap().replace_all(style, "").into_owned();
        let (mut depth, mut outermost) = (0, vec![String::new()]);
        for character in style.chars() {
            depth += i32::from(character == '{') - i32::from(character == '}');
            match character {
                '}' if depth == 0 => outermost.push(String::new()),
                '{' | '}' => {}
                _ if depth == 0 => outermost.last_mut().unwrap().push(character),
                _ => {}
            }
        }
        outermost.iter().map(|selector| selector.trim().to_owned()).filter(|selector| !selector.is_empty()).collect()
    };
    assert_eq!(selectors("/* a {} */\nb {\n c {}\n}\n@media print { d { e: f } }"), ["b", "@media print"]);
    let mut read = 0;
    for module in modules() {
        let Ok(folder) = repository(&format!("frontend/src/features/{}/admin", module.name())).read_dir() else {
            continue;
        };
        for path in
            folder.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|it| it == "css"))
        {
            let screens = format!("[data-module=\"{}\"]", module.name());
            for selector in selectors(&std::fs::read_to_string(&path).unwrap()) {
                assert!(
                    selector.contains(&screens),
                    "{}: \"{selector}\" applies to other modules' screens",
                    path.display()
                );
            }
            read += 1;
        }
    }
    assert!(read >= 5, "{read} files");
}
