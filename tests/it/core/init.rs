//! `festival init`: sets up a site to sign in to, with nothing but the program.

use std::path::Path;

use crate::support::{CommandOutput, Server, festival, festival_with_input};

const ANSWERS: [&str; 16] = [
    "--name",
    "Festival \"of\" Waters",
    "--office",
    "office@festival.example",
    "--year",
    "2026",
    "--number",
    "21",
    "--first-day",
    "2026-10-23",
    "--last-day",
    "2026-10-30",
    "--owner",
    "Asha Menon",
    "--email",
    "asha@festival.example",
];

/// Runs `festival init` with a password on standard input.
fn init(directory: &Path, arguments: &[&str], password: &str) -> CommandOutput {
    festival_with_input(directory, &[&["init", "--password-stdin"], arguments].concat(), &format!("{password}\n"))
}

#[test]
fn init_creates_a_site_in_an_empty_folder() {
    let directory = tempfile::tempdir().unwrap();
    let made = init(directory.path(), &ANSWERS, "lantern-ferry-gramophone-42");
    assert_eq!(made.code, 0, "{}", made.transcript());
    snapshot!("core init", made.transcript());
    snapshot!("core init settings", std::fs::read_to_string(directory.path().join("config/local.toml")).unwrap());
    let editions = festival(directory.path(), &["editions", "list"], &[]);
    assert!(editions.out.starts_with("* 2026  Festival \"of\" Waters 2026"), "{}", editions.transcript());
    let accounts = festival(directory.path(), &["admin", "list"], &[]);
    assert!(accounts.out.contains("asha@festival.example"), "{}", accounts.transcript());
    let server = Server::start(directory.path(), &[]);
    let home = server.get("/");
    assert_eq!(home.status, 200);
    assert!(home.text().contains("Waters"), "{}", home.text());

    let proxied = tempfile::tempdir().unwrap();
    let arguments = [&ANSWERS[..], &["--proxy", "127.0.0.1, 10.0.0.0/8"]].concat();
    assert_eq!(init(proxied.path(), &arguments, "lantern-ferry-gramophone-42").code, 0);
    let settings = std::fs::read_to_string(proxied.path().join("config/local.toml")).unwrap();
    assert!(settings.contains("trusted_proxies = [\"127.0.0.1\", \"10.0.0.0/8\"]\n"), "{settings}");
    let wrong = tempfile::tempdir().unwrap();
    let refused = init(wrong.path(), &[&ANSWERS[..], &["--proxy", "nginx"]].concat(), "lantern-ferry-gramophone-42");
    assert!(refused.code == 1 && refused.err.contains("trusted_proxies"), "{}", refused.transcript());

    let again = init(directory.path(), &ANSWERS, "lantern-ferry-gramophone-42");
    assert!(again.code == 1 && again.err.contains("there is a site here already"), "{}", again.transcript());
}

/// A site of somebody's own never shows "EXAMPLE ONLY, DO NOT PAY" and an invented festival's telephone.
#[test]
fn demonstration_is_refused_on_a_site_of_somebodys_own() {
    let directory = tempfile::tempdir().unwrap();
    assert_eq!(init(directory.path(), &ANSWERS, "lantern-ferry-gramophone-42").code, 0);
    let refused = festival(directory.path(), &["seed", "--demo", "--relative-dates"], &[]);
    assert_eq!((refused.code, refused.out.as_str()), (1, ""), "{}", refused.transcript());
    assert!(
        refused.err.contains("there is a site here already, Festival \"of\" Waters 2026,"),
        "{}",
        refused.transcript()
    );
    assert!(!directory.path().join("data/seeded.toml").exists());
    let editions = festival(directory.path(), &["editions", "list"], &[]).out;
    assert_eq!(editions.lines().count(), 1, "{editions}");
}

/// The address of the documents' own example, office@festival.example, is nobody's demonstration.
#[test]
fn new_site_has_nothing_of_the_demonstration() {
    let directory = tempfile::tempdir().unwrap();
    assert_eq!(init(directory.path(), &ANSWERS, "lantern-ferry-gramophone-42").code, 0);
    let check = festival(directory.path(), &["check", "--deploy"], &[]);
    assert!(check.out.contains("P001: public_url"), "{}", check.transcript());
    assert!(!check.transcript().contains("demonstration"), "{}", check.transcript());
}

#[test]
fn invalid_answers_create_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let settings = directory.path().join("config/local.toml");
    let missing = init(directory.path(), &["--name", "Waters"], "lantern-ferry-gramophone-42");
    assert_eq!(missing.code, 1);
    for option in ["--office", "--year", "--number", "--first-day", "--last-day", "--owner", "--email"] {
        assert!(missing.err.contains(option), "{option}: {}", missing.transcript());
    }
    assert!(!missing.err.contains("--address"), "an address may come later: {}", missing.transcript());
    for (option, value, password, message) in [
        ("--email", "asha", "lantern-ferry-gramophone-42", "--email: Write an e-mail address"),
        ("--address", "festival.example", "lantern-ferry-gramophone-42", "public_url: \"festival.example\" must begin"),
        ("--last-day", "2026-10-01", "lantern-ferry-gramophone-42", "--last-day: The last day is before the first"),
        ("--number", "first", "lantern-ferry-gramophone-42", "--number: "),
        ("--name", "Waters", "festival", "it needs 12 or more"),
    ] {
        let mut answers = ANSWERS.to_vec();
        match answers.iter().position(|known| *known == option) {
            Some(position) => answers[position + 1] = value,
            None => answers.extend([option, value]),
        }
        let refused = init(directory.path(), &answers, password);
        assert_eq!(refused.code, 1, "{option}: {}", refused.transcript());
        assert!(refused.err.contains(message), "{option}: {}", refused.transcript());
        assert!(!settings.exists(), "{option}");
    }
    let made = init(directory.path(), &ANSWERS, "lantern-ferry-gramophone-42");
    assert_eq!(made.code, 0, "after wrong answers: {}", made.transcript());
}

#[test]
fn completions_and_man_pages_cover_every_command() {
    let directory = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish"] {
        let completions = festival(directory.path(), &["completions", shell], &[]);
        assert_eq!(completions.code, 0, "{}", completions.err);
        for word in ["restore", "relative-dates", "programme", "without-second-factor"] {
            assert!(completions.out.contains(word), "{shell}: {word}");
        }
    }
    let written = festival(directory.path(), &["man", "."], &[]);
    assert_eq!(written.code, 0, "{}", written.err);
    let page = std::fs::read_to_string(directory.path().join("festival-films-import.1")).unwrap();
    assert!(page.contains("on\\-conflict"), "{page}");
    for page in std::fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().path()) {
        let text = std::fs::read_to_string(&page).unwrap();
        let has_subcommands = text.contains(".SH SUBCOMMANDS") || text.contains(".SH \"SUBCOMMANDS\"");
        assert!(has_subcommands || text.contains("Example"), "{} gives no example", page.display());
    }
}
