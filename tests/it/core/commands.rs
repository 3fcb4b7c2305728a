//! The program's own commands, whole: exit code, output, words.

use crate::support::{Program, festival, fixture, repository};

/// Runs in an empty folder; the folder's name does not matter.
fn run(arguments: &[&str], environment: &[(&str, &str)]) -> (tempfile::TempDir, Program) {
    let directory = tempfile::tempdir().unwrap();
    let program = festival(directory.path(), arguments, environment);
    (directory, program)
}

#[test]
fn modules_say_all_that_they_contribute() {
    snapshot!("core modules verbose", run(&["modules", "--verbose"], &[]).1.whole());
    snapshot!("core modules", run(&["modules"], &[("FESTIVAL_MODULES__FILMS__ENABLED", "false")]).1.whole());
}

#[test]
fn the_settings_file_is_what_the_program_prints() {
    let (_, shown) = run(&["config", "show", "--default"], &[("FESTIVAL_PRODUCT__NAME", "Other")]);
    assert_eq!(shown.code, 0, "{}", shown.whole());
    let file = std::fs::read_to_string(repository("config/festival.toml")).unwrap();
    assert!(
        shown.out == file,
        "config/festival.toml is stale; renew it: target/debug/festival config show --default > config/festival.toml"
    );
    let (_, in_force) = run(&["config", "show"], &[("FESTIVAL_PRODUCT__NAME", "Other")]);
    assert!(in_force.out.contains("\nname = \"Other\" # from the environment\n"), "{}", in_force.whole());
    assert_eq!(in_force.out.matches(" # from ").count(), 1, "{}", in_force.whole());
    // What is printed can be read again.
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
fn help_and_wrong_usage() {
    snapshot!("core help", run(&["--help"], &[]).1.whole());
    snapshot!("core seed help", run(&["seed", "--help"], &[]).1.whole());
    for wrong in [&["fly"][..], &[], &["seed"], &["config"], &["serve", "now"], &["seed", "x", "--demo"]] {
        let (_, program) = run(wrong, &[]);
        assert_eq!(program.code, 2, "{wrong:?}: {}", program.whole());
        assert_eq!(program.out, "", "{wrong:?}");
    }
}

#[test]
fn check_finds_what_must_be_set_before_the_public_comes() {
    let (directory, program) = run(&["check", "--deploy"], &[]);
    snapshot!("core check deploy", program.whole());
    let program = festival(directory.path(), &["check"], &[]);
    assert_eq!(program.code, 1, "{}", program.whole());
    assert!(program.out.contains("is pending; run festival migrate"), "{}", program.whole());
    assert_eq!(festival(directory.path(), &["migrate"], &[]).code, 0);
    let program = festival(directory.path(), &["check"], &[]);
    assert_eq!((program.code, program.out.as_str()), (0, ""), "{}", program.whole());
}

/// What the demonstration brings is named one by one, until somebody sets their own.
#[test]
fn check_names_what_is_left_of_the_demonstration() {
    let (directory, seeded) = run(&["seed", "--demo"], &[]);
    assert_eq!(seeded.code, 0, "{}", seeded.whole());
    let check = || festival(directory.path(), &["check", "--deploy"], &[]).out;
    let found = check();
    for name in [
        "bank.account_name, bank.account_number, bank.bank, bank.branch, bank.ifsc, upi.id, upi.payee",
        "P012: contact.email",
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
    // Without the seed's settings the site has no festival's name, and its account is nobody's.
    std::fs::remove_file(directory.path().join("data/seeded.toml")).unwrap();
    let found = check();
    assert!(found.contains("P002") && !found.contains("P011") && !found.contains("P013"), "{found}");
    assert!(found.contains("P014: films"), "{found}");
}

/// A seed's settings lie below everything that somebody set.
#[test]
fn settings_of_a_seed_give_way_to_ones_own() {
    let (directory, seeded) = run(&["seed", "--demo"], &[]);
    assert!(seeded.err.contains("seeded.toml"), "{}", seeded.whole());
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
fn a_program_in_an_empty_folder_makes_what_it_needs() {
    let (directory, program) = run(&["seed", fixture("2025.toml").to_str().unwrap()], &[]);
    snapshot!("core seed", program.whole());
    assert!(directory.path().join("data/festival.db").is_file());
    let (_, missing) = run(&["seed", "no-such-file.toml"], &[]);
    snapshot!("core seed missing file", missing.whole());
}

#[test]
fn the_demonstration_edition_is_whole() {
    let (directory, program) = run(&["seed", repository("config/editions/2025.toml").to_str().unwrap()], &[]);
    assert_eq!(program.code, 0, "{}", program.whole());
    let again = festival(directory.path(), &["seed", repository("config/editions/2025.toml").to_str().unwrap()], &[]);
    assert_eq!(again.code, 0);
    for line in again.out.lines().skip(1) {
        let columns: Vec<&str> = line.split_whitespace().collect();
        assert_eq!((columns[1], columns[2], columns[4], columns[5]), ("0", "0", "0", "0"), "{line}");
    }
}
