//! The frontend with the feature of the toys: `frontend/` as it is, one more folder, and the types that the program
//! generates.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use assert_cmd::assert::OutputAssertExt as _;
use festival_core::Registry;
use festival_core::settings::Settings;
use festival_core::site::FrontendFiles;
use rust_embed_utils::{EmbeddedFile, PathMatcher, get_files, read_file_from_fs};

use super::modules_with_toys;
use crate::support::repository;
use crate::types::{self, GENERATED};

/// The built files, read from disk.
pub(super) const FRONTEND: FrontendFiles = FrontendFiles { get: read, names: list };

/// A copy of `frontend/` with the folder of the toys, built once for all tests.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("added-module");
    let _ = std::fs::remove_dir_all(&root);
    let folder = root.join("frontend");
    copy(&repository("frontend"), &folder);
    // A separate repository, because the surrounding one ignores everything below `target/`.
    std::fs::create_dir(root.join(".git")).unwrap();
    // Folders that are read alongside it.
    for linked in ["frontend/node_modules", "core", "docs", "tests"] {
        std::os::unix::fs::symlink(repository(linked), root.join(linked)).unwrap();
    }
    copy(&repository("tests/it/added_module/feature"), &folder.join("src/features/toys"));
    types::write(&Registry::collect(&Settings::default(), &modules_with_toys()), &root.join(GENERATED));
    run(&folder, "npm", &["run", "--silent", "build"]);
    folder
});

/// Copies a folder without installed packages and build results.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (path, name) = (entry.path(), entry.file_name());
        if ["node_modules", "dist"].iter().any(|left_out| name == *left_out) {
            continue;
        }
        if path.is_dir() {
            copy(&path, &to.join(name));
        } else {
            std::fs::copy(&path, to.join(name)).unwrap();
        }
    }
}

fn run(folder: &Path, program: &str, arguments: &[&str]) -> String {
    let done = Command::new(program).args(arguments).current_dir(folder).env("NO_COLOR", "1").assert().success();
    String::from_utf8_lossy(&done.get_output().stdout).into_owned()
}

fn read(name: &str) -> Option<EmbeddedFile> {
    read_file_from_fs(&FOLDER.join("dist").join(name)).ok()
}

fn list() -> Vec<String> {
    let matcher = PathMatcher::new(&[], &[]);
    get_files(FOLDER.join("dist").display().to_string(), matcher).map(|file| file.rel_path).collect()
}

/// The feature's folder obeys the rules of features, and is the module's only addition to the frontend; the generated
/// files and types of the other modules stay the same.
#[test]
fn feature_of_a_new_module_is_one_folder() {
    run(&FOLDER, "npm", &["run", "--silent", "typecheck"]);
    run(&FOLDER, "node_modules/.bin/biome", &["check", "src/features/toys"]);
    run(&FOLDER, "node_modules/.bin/oxlint", &["src/features/toys"]);
    // Its page and the home page, each with difficult data, with empty lists, and without data.
    let hydration = ["run", "src/test/hydration.test.tsx", "--testNamePattern", "^(toys|home) "];
    let hydrated = run(&FOLDER, "node_modules/.bin/vitest", &hydration);
    assert!(hydrated.contains("6 passed"), "{hydrated}");
    let (before, after) = (types::files(&repository(GENERATED)), types::files(&FOLDER.join("..").join(GENERATED)));
    let changed: Vec<&str> =
        after.iter().filter(|(name, text)| before.get(*name) != Some(*text)).map(|(name, _)| name.as_str()).collect();
    assert_eq!(changed, ["api.ts", "modules.ts", "page-data.ts"]);
    assert_eq!(before.len(), after.len());
    assert!(before["api.ts"].split("\n\n").all(|declaration| after["api.ts"].contains(declaration.trim_end())));
}
