//! Postgres's own programs for taking a database out and putting it in.

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::error::{Error, Result};

/// Runs `pg_dump` in the state of the database that `snapshot` names.
pub(super) fn dump(url: &str, snapshot: &str, file: &Path) -> Result<()> {
    let snapshot = format!("--snapshot={snapshot}");
    run("pg_dump", url, &["--format=custom".as_ref(), snapshot.as_ref(), "--file".as_ref(), file.as_os_str()])
}

/// Runs `pg_restore`: everything comes in, or nothing does.
pub(super) fn restore(url: &str, file: &Path) -> Result<()> {
    run("pg_restore", url, &["--no-owner".as_ref(), "--single-transaction".as_ref(), file.as_os_str()])
}

/// The password goes through the environment: arguments can be read by everybody on the machine.
fn run(program: &str, url: &str, arguments: &[&OsStr]) -> Result<()> {
    let (url, password) = without_password(url);
    let mut command = Command::new(program);
    command.arg("--dbname").arg(url).args(arguments);
    if !password.is_empty() {
        command.env("PGPASSWORD", password);
    }
    let output = command.stdin(Stdio::null()).output().map_err(|error| match error.kind() {
        ErrorKind::NotFound => Error::BadRequest(format!("{program} is missing; install PostgreSQL's client programs")),
        _ => Error::from(error),
    })?;
    if output.status.success() {
        return Ok(());
    }
    Err(Error::BadRequest(format!("{program}: {}", String::from_utf8_lossy(&output.stderr).trim())))
}

/// The address without the password in it, and the password; "" where there is none.
fn without_password(url: &str) -> (String, String) {
    let none = || (url.to_owned(), String::new());
    let Some((scheme, rest)) = url.split_once("://") else { return none() };
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let Some((user, host)) = rest[..end].rsplit_once('@') else { return none() };
    let Some((name, password)) = user.split_once(':') else { return none() };
    let typed = format!("p={}", password.replace('+', "%2B"));
    let password = form_urlencoded::parse(typed.as_bytes()).next().map(|(_, value)| value.into_owned());
    (format!("{scheme}://{name}@{host}{}", &rest[end..]), password.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_no_argument() {
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
