//! Runs `pg_dump` and `pg_restore`.

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Stdio};

use sqlx::any::{AnyConnectOptions, install_default_drivers};
use sqlx::{AnyConnection, ConnectOptions as _, Connection as _};

use crate::error::{Error, Result};

/// Dumps the database, as it is in the exported `snapshot`, to `file`.
///
/// # Errors
/// [`Error::BadRequest`] if `pg_dump` is missing or fails.
pub(super) fn dump(url: &str, snapshot: &str, file: &Path) -> Result<()> {
    let snapshot = format!("--snapshot={snapshot}");
    run("pg_dump", url, &["--format=custom".as_ref(), snapshot.as_ref(), "--file".as_ref(), file.as_os_str()])
}

/// Checks that the schema of a database is empty, and the one that a dump is of.
///
/// # Errors
/// [`Error::Conflict`] if it has tables; [`Error::BadRequest`] if the dump is of another schema, or `pg_restore` is missing
/// or fails.
pub(super) async fn check_target(url: &str, file: &Path) -> Result<()> {
    install_default_drivers();
    let mut connection: AnyConnection = url.parse::<AnyConnectOptions>()?.connect().await?;
    let (schema, tables): (String, i64) = sqlx::query_as(
        "SELECT coalesce(CAST(current_schema() AS TEXT), ''), count(table_name) FROM information_schema.tables \
         WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'",
    )
    .fetch_one(&mut connection)
    .await?;
    connection.close().await?;
    if tables > 0 {
        return Err(Error::Conflict(
            "the database has tables already; a backup can only be restored into an empty one".into(),
        ));
    }
    let mut list = Command::new("pg_restore");
    let contents = text_of(list.arg("--list").arg(file), "pg_restore")?;
    // "215; 1259 16386 TABLE public films festival"
    let mut dumped = contents.lines().filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        (words.get(3) == Some(&"TABLE") && words.get(4) != Some(&"DATA")).then(|| words.get(4).copied())?
    });
    match dumped.find(|dumped| *dumped != schema) {
        Some(other) => Err(Error::BadRequest(format!(
            "this backup is of the schema \"{other}\", and databases.festival.url leads to the schema \"{schema}\": restore it \
             into a database, or with a role, whose search_path begins with \"{other}\""
        ))),
        None => Ok(()),
    }
}

/// Restores a dump in a single transaction.
///
/// # Errors
/// [`Error::BadRequest`] if `pg_restore` is missing or fails.
pub(super) fn restore(url: &str, file: &Path) -> Result<()> {
    run("pg_restore", url, &["--no-owner".as_ref(), "--single-transaction".as_ref(), file.as_os_str()])
}

/// Runs a program. The password is passed in the environment, because everybody on the machine can read arguments.
fn run(program: &str, url: &str, arguments: &[&OsStr]) -> Result<()> {
    let (url, password) = without_password(url);
    let mut command = Command::new(program);
    command.arg("--dbname").arg(url).args(arguments);
    if !password.is_empty() {
        command.env("PGPASSWORD", password);
    }
    text_of(&mut command, program).map(drop)
}

/// Runs a program and returns what it prints.
fn text_of(command: &mut Command, program: &str) -> Result<String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| match error.kind() {
        ErrorKind::NotFound => Error::BadRequest(format!("{program} is missing; install PostgreSQL's client programs")),
        _ => Error::from(error),
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(Error::BadRequest(format!("{program}: {}", String::from_utf8_lossy(&output.stderr).trim())))
}

/// The URL without the password, and the password; "" if there is none.
fn without_password(url: &str) -> (String, String) {
    let unchanged = || (url.to_owned(), String::new());
    let Some((scheme, rest)) = url.split_once("://") else { return unchanged() };
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let Some((user, host)) = rest[..end].rsplit_once('@') else { return unchanged() };
    let Some((name, password)) = user.split_once(':') else { return unchanged() };
    // Decoded as a form, in which a plus sign would be a space.
    let encoded = format!("p={}", password.replace('+', "%2B"));
    let password = form_urlencoded::parse(encoded.as_bytes()).next().map(|(_, value)| value.into_owned());
    (format!("{scheme}://{name}@{host}{}", &rest[end..]), password.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_removed_from_database_urls() {
        let split = |url| without_password(url);
        assert_eq!(
            split("postgres://me:a%40b+c@db.example/festival?sslmode=require"),
            ("postgres://me@db.example/festival?sslmode=require".to_owned(), "a@b+c".to_owned())
        );
        for plain in ["postgres://me@localhost/festival", "postgres:///festival?host=/run", "postgres://db/a:b@c"] {
            assert_eq!(split(plain), (plain.to_owned(), String::new()));
        }
    }
}
