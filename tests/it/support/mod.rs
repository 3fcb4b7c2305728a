//! Helpers shared by all tests.

mod app;
mod clamd;
mod database;
mod html;
mod program;
mod response;
mod s3;

pub(crate) use app::{TestApp, sections, set_section, switch_off, with_dependents};
pub(crate) use clamd::{Behaviour, Clamd, EICAR};
pub(crate) use database::{Database, TestDatabase};
pub(crate) use html::{attribute, boot, json_ld_item, json_ld_items, title};
pub(crate) use program::{
    CommandOutput, Server, command as program_command, festival, festival_with_input, path as program_path,
};
pub(crate) use response::Response;
pub(crate) use s3::{Bucket, Fault, FaultProxy, S3Server};

use std::path::PathBuf;

/// Marks what no visitor may ever see: every draft and every row of another edition in the fixtures contains it.
pub(crate) const SECRET: &str = "must-never-be-seen";

/// Makes one test per database out of `async fn name(database: Database)`.
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

/// Compares with the snapshot of this name; both databases share it.
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

/// Runs a test in a runtime with two worker threads.
pub(crate) fn run<F: Future<Output = ()>>(test: F) {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap().block_on(test);
}

/// The path of a file or folder in the repository.
pub(crate) fn repository(path: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).canonicalize().unwrap().join(path)
}

/// The path of a test fixture.
pub(crate) fn fixture(name: &str) -> PathBuf {
    repository("tests/fixtures").join(name)
}
