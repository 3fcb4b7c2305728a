//! Deployment files: systemd units and the container file.

use std::io::Write as _;
use std::process::{Command, Stdio};

use festival_core::db::Db;

use crate::support::{Database, festival, program_command, program_path, repository};

const UNITS: [&str; 4] = ["festival.service", "festival-backup.service", "festival-backup.timer", "festival.socket"];

fn read(name: &str) -> String {
    std::fs::read_to_string(repository("config/deploy").join(name)).unwrap()
}

/// The arguments of `festival` in the line that begins with `start`.
fn arguments(text: &str, start: &str) -> Vec<String> {
    let line = text.lines().find_map(|line| line.trim().strip_prefix(start)).unwrap_or_else(|| panic!("no {start}"));
    let words = line.split(|c: char| c.is_whitespace() || "[],\"".contains(c)).filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(str::to_owned).collect();
    assert!(words[0].ends_with("festival"), "{line}");
    words[1..].to_vec()
}

/// Asserts that the command and its options exist.
fn assert_is_command(arguments: &[String]) {
    let directory = tempfile::tempdir().unwrap();
    let help = festival(directory.path(), &[arguments[0].as_str(), "--help"], &[]);
    assert_eq!(help.code, 0, "{arguments:?}: {}", help.transcript());
    for option in arguments.iter().filter(|argument| argument.starts_with("--")) {
        assert!(help.out.contains(option.as_str()), "{option}: {}", help.out);
    }
}

#[test]
fn systemd_units_start_existing_commands() {
    for unit in ["festival.service", "festival-backup.service"] {
        let text = read(unit);
        assert_is_command(&arguments(&text, "ExecStart="));
        for line in ["User=festival", "UMask=0077", "NoNewPrivileges=yes", "ProtectSystem=strict", "PrivateTmp=yes"] {
            assert!(text.lines().any(|found| found == line), "{unit}: {line}");
        }
        for setting in ["MemoryMax=", "StateDirectory=", "SystemCallFilter=", "CapabilityBoundingSet="] {
            assert!(text.lines().any(|found| found.starts_with(setting)), "{unit}: {setting}");
        }
    }
    let service = read("festival.service");
    assert!(service.contains("\nTimeoutStopSec=45\n") && service.contains("\nLimitNOFILE=16384\n"));
    assert!(!service.contains("ExecReload"), "settings are read at startup only");
}

/// Verifies the units with systemd, with this build's program in place of the installed one.
#[test]
fn systemd_units_are_valid_and_hardened() {
    if Command::new("systemd-analyze").arg("--version").output().is_err() {
        eprintln!("NOT TESTED: systemd-analyze is not installed; the units were neither verified nor rated.");
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let program = program_path();
    let paths = UNITS.map(|unit| {
        let path = directory.path().join(unit);
        std::fs::write(&path, read(unit).replace("/usr/local/bin/festival", program.to_str().unwrap())).unwrap();
        path
    });
    for path in &paths {
        let verified = Command::new("systemd-analyze").arg("verify").arg(path).output().unwrap();
        let output = String::from_utf8_lossy(&verified.stderr);
        let ours: Vec<&str> = output.lines().filter(|line| line.contains("festival")).collect();
        assert!(verified.status.success() && ours.is_empty(), "{ours:?}");
    }
    for path in &paths[..2] {
        let mut rate = Command::new("systemd-analyze");
        let rated = rate.args(["security", "--offline=true", "--threshold=30"]).arg(path).output().unwrap();
        let output = String::from_utf8_lossy(&rated.stdout);
        assert!(rated.status.success(), "an exposure above 3.0: {output}{}", String::from_utf8_lossy(&rated.stderr));
    }
}

#[test]
fn container_runs_without_root_and_has_a_health_check() {
    let text = read("Containerfile");
    let (_, last) = text.rsplit_once("\nFROM ").unwrap();
    let user = last.lines().find_map(|line| line.strip_prefix("USER ")).expect("a user");
    assert!(user.split(':').all(|id| id.parse::<u32>().is_ok_and(|id| id > 0)), "{user}");
    assert_is_command(&arguments(last, "CMD "));
    assert_is_command(&arguments(last, "ENTRYPOINT "));
    assert!(last.contains("\nHEALTHCHECK ") && !last.contains("\nRUN "), "{last}");
}

on_both!(deploy_check_warns_of_missing_backups_weak_owners_and_full_disks);

async fn deploy_check_warns_of_missing_backups_weak_owners_and_full_disks(database: Database) {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let copy = database.empty().await;
    let databases = format!("{{festival={{url=\"{}\"}}}}", copy.url(&here.join("data")));
    let environment = [("ROCKET_DATABASES", &*databases)];
    assert_eq!(festival(here, &["migrate"], &environment).code, 0);
    let create = ["admin", "create", "asha@example.org", "--role", "owner", "--password-stdin"];
    let mut create = program_command(here, &create, &environment);
    let mut create = create.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    create.stdin.take().unwrap().write_all(b"lantern-ferry-gramophone-42\n").unwrap();
    assert!(create.wait().unwrap().success());

    let check = |more: &[(&str, &str)]| festival(here, &["check", "--deploy"], &[&environment[..], more].concat());
    let found = check(&[]);
    assert!(found.out.contains("W003: there is no backup yet"), "{}", found.transcript());
    assert!(found.out.contains("W004: owners without a second factor: asha@example.org;"), "{}", found.transcript());
    assert!(!found.out.contains("P018"), "{}", found.transcript());
    let found = check(&[("FESTIVAL_UPLOADS__KEEP_FREE_MIB", "1000000000")]);
    assert!(found.out.contains("P018: ") && found.out.contains("(1000000000)"), "{}", found.transcript());

    assert_eq!(festival(here, &["backup", "backups"], &environment).code, 0);
    assert!(!check(&[]).out.contains("W003"));
    // The time of an earlier backup.
    let db = Db::open(&copy.url(&here.join("data")), 1, std::time::Duration::from_secs(30)).await.unwrap();
    let mut write = db.write_private().await.unwrap();
    sqlx::query("UPDATE backups SET at = '2025-10-24T02:00:00.000Z'").execute(&mut *write).await.unwrap();
    write.commit().await.unwrap();
    db.close().await;
    let found = check(&[]);
    assert!(found.out.contains("W003: the last backup was on 2025-10-24"), "{}", found.transcript());
}
