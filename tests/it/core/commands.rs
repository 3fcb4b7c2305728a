//! The program's own commands: exit codes, output and messages.

use std::process::Stdio;

use crate::support::{CommandOutput, Server, festival, fixture, program_command, repository};

/// Runs a command in an empty folder.
fn run(arguments: &[&str], environment: &[(&str, &str)]) -> (tempfile::TempDir, CommandOutput) {
    let directory = tempfile::tempdir().unwrap();
    let program = festival(directory.path(), arguments, environment);
    (directory, program)
}

#[test]
fn modules_command_lists_all_contributions() {
    snapshot!("core modules verbose", run(&["modules", "--verbose"], &[]).1.transcript());
    snapshot!("core modules", run(&["modules"], &[("FESTIVAL_MODULES__FILMS__ENABLED", "false")]).1.transcript());
}

#[test]
fn settings_file_equals_config_show_default() {
    let (_, shown) = run(&["config", "show", "--default"], &[("FESTIVAL_PRODUCT__NAME", "Other")]);
    assert_eq!(shown.code, 0, "{}", shown.transcript());
    let file = std::fs::read_to_string(repository("config/festival.toml")).unwrap();
    assert!(
        shown.out == file,
        "config/festival.toml is out of date; run: target/debug/festival config show --default > config/festival.toml"
    );
    let (_, in_force) = run(&["config", "show"], &[("FESTIVAL_PRODUCT__NAME", "Other")]);
    assert!(in_force.out.contains("\nname = \"Other\" # from the environment\n"), "{}", in_force.transcript());
    assert_eq!(in_force.out.matches(" # from ").count(), 1, "{}", in_force.transcript());
    // The printed settings can be read again.
    let directory = tempfile::tempdir().unwrap();
    std::fs::create_dir(directory.path().join("config")).unwrap();
    std::fs::write(directory.path().join("config/festival.toml"), &in_force.out).unwrap();
    let again = festival(directory.path(), &["config", "show"], &[]).out;
    let without_notes =
        |text: &str| text.replace(" # from the environment", "").replace(" # from config/festival.toml", "");
    assert_eq!(without_notes(&again), without_notes(&in_force.out));
    assert!(again.contains("\nname = \"Other\" # from config/festival.toml\n"), "{again}");
}

#[test]
fn help_and_usage_errors() {
    snapshot!("core help", run(&["--help"], &[]).1.transcript());
    snapshot!("core seed help", run(&["seed", "--help"], &[]).1.transcript());
    for wrong in [&["fly"][..], &[], &["seed"], &["config"], &["serve", "now"], &["seed", "x", "--demo"]] {
        let (_, program) = run(wrong, &[]);
        assert_eq!(program.code, 2, "{wrong:?}: {}", program.transcript());
        assert_eq!(program.out, "", "{wrong:?}");
    }
}

#[test]
fn lists_are_printed_as_json_for_scripts() {
    let (directory, seeded) = run(&["seed", "--demo"], &[]);
    assert_eq!(seeded.code, 0, "{}", seeded.transcript());
    for (list, is_empty) in [
        (&["editions", "list"][..], false),
        (&["admin", "list"], true),
        (&["mail", "list", "--all"], true),
        (&["imports", "list"], true),
        (&["trash", "list"], true),
    ] {
        let printed = festival(directory.path(), &[list, &["--json"]].concat(), &[]);
        assert_eq!(printed.code, 0, "{list:?}: {}", printed.transcript());
        let rows: Vec<serde_json::Value> = serde_json::from_str(&printed.out).expect(&printed.out);
        assert_eq!((rows.is_empty(), printed.err.as_str()), (is_empty, ""), "{list:?}");
    }
}

#[test]
fn deploy_check_reports_missing_settings() {
    let (directory, program) = run(&["check", "--deploy"], &[]);
    snapshot!("core check deploy", program.transcript());
    assert!(!directory.path().join("data").exists(), "a check changes nothing");
    std::fs::create_dir(directory.path().join("data")).unwrap();
    let program = festival(directory.path(), &["check"], &[]);
    assert_eq!(program.code, 1, "{}", program.transcript());
    assert!(program.out.contains("is pending; run festival migrate"), "{}", program.transcript());
    assert_eq!(festival(directory.path(), &["migrate"], &[]).code, 0);
    let program = festival(directory.path(), &["check"], &[]);
    assert_eq!((program.code, program.out.as_str()), (0, ""), "{}", program.transcript());
}

/// Demonstration content is reported item by item until organisers replace it.
#[test]
fn deploy_check_reports_leftover_demonstration_content() {
    let (directory, seeded) = run(&["seed", "--demo"], &[]);
    assert_eq!(seeded.code, 0, "{}", seeded.transcript());
    let check = || festival(directory.path(), &["check", "--deploy"], &[]).out;
    let found = check();
    for name in [
        "bank.account_name, bank.account_number, bank.bank, bank.branch, bank.ifsc, upi.id, upi.payee",
        "contact.email",
        "product.name",
        "payment.upi.id",
        "modules.forms.dollar_payment",
        "contact.phone",
        "social",
        "films of the demonstration: \"The Rain Road\"",
        "A House above the Tide",
        "Gracy Mundempilly",
        "Kadavu Theatre",
        "About Velicham",
        "Privacy and terms",
        "Learning to subtitle",
        "Kottaka – The dark room",
        "Rules for Asian debut films",
    ] {
        assert!(found.contains(name), "{name}: {found}");
    }
    assert!(!found.contains("P002") && !found.contains("product.region"), "{found}");
    // Without the seed's settings the festival has no name, and no demonstration account is reported.
    std::fs::remove_file(directory.path().join("data/seeded.toml")).unwrap();
    let found = check();
    assert!(found.contains("P002") && !found.contains("P011") && !found.contains("P013"), "{found}");
    assert!(found.contains("P014: films"), "{found}");
}

/// Settings of a seed have the lowest precedence.
#[test]
fn own_settings_override_those_of_a_seed() {
    let (directory, seeded) = run(&["seed", "--demo"], &[]);
    assert!(seeded.err.contains("seeded.toml"), "{}", seeded.transcript());
    let name = |environment: &[(&str, &str)]| {
        let shown = festival(directory.path(), &["config", "show"], environment).out;
        shown.lines().find(|line| line.starts_with("name = ")).unwrap_or_default().to_owned()
    };
    assert_eq!(name(&[]), "name = \"Velicham\" # from data/seeded.toml");
    assert_eq!(name(&[("FESTIVAL_PRODUCT__NAME", "Own")]), "name = \"Own\" # from the environment");
    std::fs::create_dir_all(directory.path().join("config")).unwrap();
    std::fs::write(directory.path().join("config/local.toml"), "[product]\nname = \"Local\"\n").unwrap();
    assert_eq!(name(&[]), "name = \"Local\" # from config/local.toml");
}

#[test]
fn seed_creates_its_data_in_an_empty_folder() {
    let (directory, program) = run(&["seed", fixture("2025.toml").to_str().unwrap()], &[]);
    snapshot!("core seed", program.transcript());
    assert!(directory.path().join("data/festival.db").is_file());
    let (_, missing) = run(&["seed", "no-such-file.toml"], &[]);
    snapshot!("core seed missing file", missing.transcript());
}

#[test]
fn demonstration_edition_seeds_completely() {
    let (directory, program) = run(&["seed", repository("config/editions/2025.toml").to_str().unwrap()], &[]);
    assert_eq!(program.code, 0, "{}", program.transcript());
    let again = festival(directory.path(), &["seed", repository("config/editions/2025.toml").to_str().unwrap()], &[]);
    assert_eq!(again.code, 0);
    for line in again.out.lines().skip(1) {
        let columns: Vec<&str> = line.split_whitespace().collect();
        assert_eq!((columns[1], columns[2], columns[4], columns[5]), ("0", "0", "0", "0"), "{line}");
    }
}

/// With the program alone, one command makes the site that `make run` shows: a programme was released and then changed.
#[test]
fn demonstration_has_a_released_programme_with_changes() {
    let (directory, seeded) = run(&["seed", "--demo"], &[]);
    assert_eq!(seeded.code, 0, "{}", seeded.transcript());
    assert!(seeded.out.contains("\nRelease 1: 92 screenings.\n"), "{}", seeded.transcript());
    assert!(seeded.out.ends_with("\nRelease 2: 92 screenings.\n"), "{}", seeded.transcript());
    assert!(seeded.out.contains("\nThe Eighth Wave: Cancelled: Kadavu Theatre, "), "{}", seeded.transcript());
    let server = Server::start(directory.path(), &[]);
    assert!(server.get("/programme").text().contains("The Eighth Wave"));
    drop(server);
    let again = festival(directory.path(), &["seed", "--demo"], &[]);
    assert_eq!(again.code, 0, "{}", again.transcript());
    assert!(again.err.contains("visitors see release 2 already"), "{}", again.transcript());
    // Without the module there is no programme to release.
    let (_, without) = run(&["seed", "--demo"], &[("FESTIVAL_MODULES__PROGRAMME__ENABLED", "false")]);
    assert_eq!(without.code, 0, "{}", without.transcript());
    assert!(!without.out.contains("Release"), "{}", without.transcript());
}

#[test]
fn closed_output_pipe_does_not_fail_a_command() {
    let directory = tempfile::tempdir().unwrap();
    for arguments in [&["modules"][..], &["config", "show"]] {
        let mut command = program_command(directory.path(), arguments, &[]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn endless_seed_file_is_rejected() {
    let directory = tempfile::tempdir().unwrap();
    let refused = festival(directory.path(), &["seed", "/dev/zero"], &[]);
    assert_ne!(refused.code, 0);
    assert!(refused.err.contains("/dev/zero is too large to describe an edition"), "{}", refused.err);
}
