//! Export of a hundred thousand rows: constant memory, and no partial file after an interruption.

use std::process::{Command, Stdio};
use std::time::Duration;

use super::*;
use crate::support::program_command;

on_both!(export_of_100000_rows_uses_constant_memory_and_can_be_interrupted);

/// Rows in the test.
const ROWS: i64 = 100_000;
/// Permitted growth of memory from no rows to all, in KiB.
const GROWTH: u64 = 50 * 1024;

async fn export_of_100000_rows_uses_constant_memory_and_can_be_interrupted(database: Database) {
    if !Path::new("/proc/self/status").exists() {
        println!("skipped: this system does not say how much memory a program takes");
        return;
    }
    let app = TestApp::new(database).await;
    let edition = app.id("editions", "year = 2025").await;
    let text = "A message of some length, as people write them. ".repeat(6);
    app.write(&format!(
        "WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < {ROWS}) \
         INSERT INTO contact_messages (edition_id, reference, name, email, contact, message, status, is_quarantined, \
         is_late, is_possible_duplicate, over_long, fingerprint, subject_hash, created_at, updated_at) \
         SELECT {edition}, 'CM-2025-' || number, 'Somebody', 'somebody@example.org', '+91 98470 12345', \
         '{text}' || number, 'new', 0, 0, 0, '', '', '', '2025-10-20T06:30:05.000Z', '2025-10-20T06:30:05.000Z' \
         FROM numbers"
    ))
    .await;
    let folder = tempfile::tempdir().unwrap();
    for format in ["csv", "json", "xlsx"] {
        let file = format!("all.{format}");
        let (code, none) = peak(&app, folder.path(), &["contact", "-o", &file, "--status", "nobody's"]);
        assert_eq!(code, 0);
        let (code, all) = peak(&app, folder.path(), &["contact", "-o", &file, "--force"]);
        assert_eq!(code, 0);
        println!("{database:?} {format}: {none} KiB without rows, {all} KiB with {ROWS}");
        assert!(all < none + GROWTH, "{format}: {none} KiB without rows, {all} KiB with all");
    }
    let csv = std::fs::read_to_string(folder.path().join("all.csv")).unwrap();
    assert_eq!(csv.lines().count(), 1 + usize::try_from(ROWS).unwrap());

    let names = || {
        let mut names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let before = names();
    for signal in ["-INT", "-TERM", "-HUP"] {
        let child = start(&app, folder.path(), &["contact", "-o", "stopped.csv"]);
        let is_unfinished = |name: &std::ffi::OsString| name.to_string_lossy().ends_with(".unfinished");
        while !names().iter().any(is_unfinished) {
            std::thread::sleep(Duration::from_millis(2));
        }
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), message.as_str()), (Some(1), "Interrupted. Nothing was kept.\n"), "{signal}");
        assert_eq!(names(), before, "{signal}: no partial file is left");
    }
}

fn start(app: &TestApp, folder: &Path, arguments: &[&str]) -> std::process::Child {
    let arguments: Vec<&str> = ["forms", "export"].into_iter().chain(arguments.iter().copied()).collect();
    let mut command = program_command(folder, &arguments, &borrowed(&environment(app)));
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Runs an export and returns its exit code and peak memory in KiB.
fn peak(app: &TestApp, folder: &Path, arguments: &[&str]) -> (i32, u64) {
    let mut child = start(app, folder, arguments);
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    loop {
        let status_text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = status_text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let now = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
        peak = now.unwrap_or(0).max(peak);
        if let Some(status) = child.try_wait().unwrap() {
            return (status.code().unwrap_or(-1), peak);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}
