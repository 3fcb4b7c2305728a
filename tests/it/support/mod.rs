//! What every test stands on.

mod answer;
mod app;
mod clamd;
mod database;
mod html;
mod program;

pub(crate) use answer::Answer;
pub(crate) use app::{TestApp, switch_off};
pub(crate) use clamd::{Behaviour, Clamd, EICAR};
pub(crate) use database::{Copy, Database};
pub(crate) use html::{attribute, boot, json_ld, thing, title};
pub(crate) use program::{Program, Server, command as program_command, festival, path as program_path};

use std::path::PathBuf;

/// What no visitor may ever see: every draft and every row of another edition in the fixtures carries it.
pub(crate) const SECRET: &str = "must-never-be-seen";

/// Makes a named test for each database out of `async fn name(database: Database)`.
macro_rules! on_both {
    ($($test:ident),* $(,)?) => { $(
        mod $test {
            #[test]
            fn sqlite() {
                crate::support::run(super::$test(crate::support::Database::Sqlite));
            }

            #[test]
            fn postgres() {
                crate::support::run(super::$test(crate::support::Database::Postgres));
            }
        }
    )* };
}

/// Compares with the snapshot of this name; both databases compare with the same one.
macro_rules! snapshot {
    (json $name:expr, $value:expr) => {{
        let (name, value) = ($name.replace(' ', "-"), $value);
        insta::with_settings!({
            snapshot_path => concat!(env!("CARGO_MANIFEST_DIR"), "/it/snapshots"),
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, { insta::assert_json_snapshot!(name, value) })
    }};
    ($name:expr, $value:expr) => {{
        let (name, value) = ($name.replace(' ', "-"), $value);
        insta::with_settings!({
            snapshot_path => concat!(env!("CARGO_MANIFEST_DIR"), "/it/snapshots"),
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, { insta::assert_snapshot!(name, value) })
    }};
}

/// Runs a test to its end.
pub(crate) fn run<F: Future<Output = ()>>(test: F) {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap().block_on(test);
}

/// A file or folder of the repository.
pub(crate) fn repository(path: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).canonicalize().unwrap().join(path)
}

/// A file of the tests' own.
pub(crate) fn fixture(name: &str) -> PathBuf {
    repository("tests/fixtures").join(name)
}
