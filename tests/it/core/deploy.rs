//! What comes with the program for whoever runs it: units of systemd, a container.

use std::process::Command;

use crate::support::{festival, program_path, repository};

const UNITS: [&str; 3] = ["festival.service", "festival-backup.service", "festival-backup.timer"];

fn read(name: &str) -> String {
    std::fs::read_to_string(repository("config/deploy").join(name)).unwrap()
}

/// The arguments of `festival` in a line that begins with `start`.
fn arguments(text: &str, start: &str) -> Vec<String> {
    let line = text.lines().find_map(|line| line.trim().strip_prefix(start)).unwrap_or_else(|| panic!("no {start}"));
    let words = line.split(|c: char| c.is_whitespace() || "[],\"".contains(c)).filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(str::to_owned).collect();
    assert!(words[0].ends_with("festival"), "{line}");
    words[1..].to_vec()
}

/// The command exists, and so do its options.
fn assert_is_command(arguments: &[String]) {
    let directory = tempfile::tempdir().unwrap();
    let help = festival(directory.path(), &[arguments[0].as_str(), "--help"], &[]);
    assert_eq!(help.code, 0, "{arguments:?}: {}", help.whole());
    for option in arguments.iter().filter(|argument| argument.starts_with("--")) {
        assert!(help.out.contains(option.as_str()), "{option}: {}", help.out);
    }
}

#[test]
fn units_start_commands_that_there_are() {
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
    assert!(!service.contains("ExecReload"), "settings are read at the start");
}

/// The units as systemd reads them, with the program of this build in the place of the installed one.
#[test]
fn systemd_takes_the_units_and_finds_them_hardened() {
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
        let words = String::from_utf8_lossy(&verified.stderr);
        let ours: Vec<&str> = words.lines().filter(|line| line.contains("festival")).collect();
        assert!(verified.status.success() && ours.is_empty(), "{ours:?}");
    }
    for path in &paths[..2] {
        let mut rate = Command::new("systemd-analyze");
        let rated = rate.args(["security", "--offline=true", "--threshold=30"]).arg(path).output().unwrap();
        let words = String::from_utf8_lossy(&rated.stdout);
        assert!(rated.status.success(), "an exposure above 3.0: {words}{}", String::from_utf8_lossy(&rated.stderr));
    }
}

#[test]
fn the_container_runs_without_root_and_asks_the_program_whether_it_is_well() {
    let text = read("Containerfile");
    let (_, last) = text.rsplit_once("\nFROM ").unwrap();
    let user = last.lines().find_map(|line| line.strip_prefix("USER ")).expect("a user");
    assert!(user.split(':').all(|id| id.parse::<u32>().is_ok_and(|id| id > 0)), "{user}");
    assert_is_command(&arguments(last, "CMD "));
    assert_is_command(&arguments(last, "ENTRYPOINT "));
    assert!(last.contains("\nHEALTHCHECK ") && !last.contains("\nRUN "), "{last}");
}
