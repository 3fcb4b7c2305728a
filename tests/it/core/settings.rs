//! Invalid settings: the program names file, key and expected value, and does not start.

use crate::support::{CommandOutput, festival};

/// Runs `festival migrate --dry-run` with this `config/local.toml`.
fn with_local(toml: &str, environment: &[(&str, &str)]) -> CommandOutput {
    let directory = tempfile::tempdir().unwrap();
    std::fs::create_dir(directory.path().join("config")).unwrap();
    std::fs::write(directory.path().join("config/local.toml"), toml).unwrap();
    let mut program = festival(directory.path(), &["migrate", "--dry-run"], environment);
    program.err = program.err.replace(directory.path().to_str().unwrap(), "[folder]");
    program
}

#[test]
fn invalid_settings_are_reported_with_file_and_key() {
    for (name, toml) in [
        ("unknown key", "data_dri = \"x\"\n"),
        ("unknown key inside", "[api]\nmont = \"/x\"\n"),
        ("unknown key like none", "[frontend]\nzebra = 1\n"),
        ("wrong type", "[api]\nmax_age_seconds = \"soon\"\n"),
        ("wrong type list", "allowed_hosts = \"one\"\n"),
        ("bad slug", "[product]\nslug = \"First Light\"\n"),
        ("bad mount", "[api]\nmount = \"api\"\n"),
        ("root mount with pages", "[api]\nmount = \"/\"\n"),
        ("bad public url", "public_url = \"festival.example\"\n"),
        ("bad security contact", "security_contact = \"security@festival.example\"\n"),
        ("metrics for everybody", "metrics_address = \"0.0.0.0:9180\"\n"),
        ("metrics nowhere", "metrics_address = \"9180\"\nmetrics_token = \"short\"\n"),
        ("requests without time", "[requests]\nget_seconds = 0\n"),
        ("bad frame host", "[frontend]\nframe_hosts = [\"https://a.example; script-src *\"]\n"),
        ("bad time zone", "time_zone = \"Kochi\"\n"),
        ("unknown module", "[modules.filmz]\nenabled = false\n"),
        ("unknown module like none", "[modules.zebra]\n"),
        ("unknown setting of a module", "[modules.films]\ncolour = 1\n"),
        ("no toml", "data_dir = \n"),
    ] {
        let program = with_local(toml, &[]);
        assert_eq!((program.code, program.out.as_str()), (1, ""), "{name}: {}", program.transcript());
        snapshot!(format!("core settings {name}"), program.transcript());
    }
}

#[test]
fn all_mistakes_are_reported_at_once() {
    let toml = "data_dri = \"x\"\ntime_zone = \"Kochi\"\nallowed_hosts = [1]\n[api]\nmont = 1\nmax_age_seconds = \"soon\"\n\
                [[social]]\nlabel = 3\n[[menu.main]]\nlabe = \"x\"\n";
    let program = with_local(toml, &[("FESTIVAL_MIGRATE_ON_START", "perhaps")]);
    assert_eq!(program.code, 1, "{}", program.transcript());
    snapshot!("core settings all at once", program.transcript());
}

#[test]
fn help_and_version_need_no_settings() {
    let directory = tempfile::tempdir().unwrap();
    let broken = [("FESTIVAL_DATA_DRI", "x")];
    for arguments in [&["--help"][..], &["--version"], &["seed", "--help"], &["programme", "release", "--help"]] {
        let program = festival(directory.path(), arguments, &broken);
        assert!(program.code == 0 && !program.out.is_empty(), "{arguments:?}: {}", program.transcript());
    }
    let program = festival(directory.path(), &["fly"], &broken);
    assert!(program.code == 1 && program.err.contains("data_dri"), "{}", program.transcript());
}

#[test]
fn environment_overrides_the_file_and_is_validated() {
    let toml = "[api]\nmount = \"wrong\"\n";
    assert_eq!(with_local(toml, &[("FESTIVAL_API__MOUNT", "/right")]).code, 0);
    for (name, key, value) in [
        ("environment unknown key", "FESTIVAL_DATA_DRI", "x"),
        ("environment wrong type", "FESTIVAL_MIGRATE_ON_START", "perhaps"),
        ("environment unknown module", "FESTIVAL_MODULES__FILMZ__ENABLED", "false"),
        ("environment figures", "FESTIVAL_PAYMENT__BANK__ACCOUNT_NUMBER", "00112233"),
    ] {
        let program = with_local("", &[(key, value)]);
        assert_eq!(program.code, 1, "{name}: {}", program.transcript());
        snapshot!(format!("core settings {name}"), program.transcript());
    }
    let quoted = [("FESTIVAL_PAYMENT__BANK__ACCOUNT_NUMBER", "\"00112233\"")];
    assert_eq!(with_local("", &quoted).code, 0);
}

#[test]
fn invalid_address_or_port_is_reported() {
    let directory = tempfile::tempdir().unwrap();
    for (key, value) in [("ROCKET_PORT", "80000"), ("ROCKET_ADDRESS", "127.0.0.1x")] {
        let program = festival(directory.path(), &["serve"], &[(key, value)]);
        let message = "error: address and port of Rocket: ";
        assert!(program.code == 1 && program.err.contains(message), "{}", program.transcript());
    }
}

#[test]
fn settings_of_the_database_are_used_or_refused_by_name() {
    let directory = tempfile::tempdir().unwrap();
    let migrate = |more: &str| {
        let url = format!("sqlite://{}", directory.path().join("festival.db").display());
        let database = format!("{{festival={{url=\"{url}\"{more}}}}}");
        let environment = [("FESTIVAL_DATA_DIR", directory.path().to_str().unwrap()), ("ROCKET_DATABASES", &database)];
        festival(directory.path(), &["migrate"], &environment)
    };
    let known = migrate(",min_connections=1,max_connections=4,connect_timeout=9,idle_timeout=60");
    assert_eq!(known.code, 0, "{}", known.transcript());
    for unknown in ["max_connection=4", "extensions=[\"spellfix\"]"] {
        let refused = migrate(&format!(",{unknown}"));
        let name = unknown.split('=').next().unwrap();
        let is_named = refused.err.contains("databases.festival") && refused.err.contains(name);
        assert!(refused.code == 1 && is_named, "{}", refused.transcript());
    }
}
