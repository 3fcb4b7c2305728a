//! The address of the database, and why nobody can be reached there.

use std::io::ErrorKind;

use sqlx::any::AnyConnectOptions;
use sqlx::{AnyConnection, Connection as _};

use crate::error::{Error, Result};

/// The parameters of a Postgres URL that both this program and `pg_dump`, which reads the same URL, understand.
const PARAMETERS: [&str; 12] = [
    "sslmode",
    "sslrootcert",
    "sslcert",
    "sslkey",
    "host",
    "hostaddr",
    "port",
    "dbname",
    "user",
    "password",
    "application_name",
    "options",
];

/// Determines the backend, and adds the mode that creates a missing SQLite file.
///
/// # Errors
/// If the URL begins with no known scheme, or names a parameter that would be ignored.
pub(super) fn parse_url(url: &str) -> Result<(Backend, String)> {
    if url.starts_with("postgres://") || url.starts_with("postgresql://") {
        let query = url.split_once('?').map_or("", |(_, query)| query);
        let names = query.split('&').map(|pair| pair.split('=').next().unwrap_or_default());
        if let Some(name) = names.filter(|name| !name.is_empty()).find(|name| !PARAMETERS.contains(name)) {
            return Err(Error::internal(format!(
                "databases.festival.url: the parameter \"{name}\" is not supported; remove it, or set server variables with \
                 options=-c%20name=value"
            )));
        }
        return Ok((Backend::Postgres, url.to_owned()));
    }
    if url.starts_with("sqlite:") {
        let separator = if url.contains('?') { '&' } else { '?' };
        let mode = if url.contains("mode=") { String::new() } else { format!("{separator}mode=rwc") };
        return Ok((Backend::Sqlite, format!("{url}{mode}")));
    }
    Err(Error::internal(
        "databases.festival.url must begin with sqlite:// (a file) or postgres:// (a server)".to_owned(),
    ))
}

/// Returns the error for operators after no pool could be opened.
///
/// The pool tries for a while to reach a server that is starting, full or not there, and then says no more than that its
/// time is over; one more connection tells why.
pub(super) async fn cannot_open(error: sqlx::Error, options: &AnyConnectOptions) -> Error {
    let reason = match error {
        sqlx::Error::PoolTimedOut => AnyConnection::connect_with(options).await.err(),
        error => Some(error),
    };
    let Some(reason) = reason else { return Error::internal("the database could not be opened in time; try again") };
    let remedy = remedy(&reason).map_or_else(String::new, |remedy| format!("; {remedy}"));
    Error::internal(format!("the database cannot be opened: {reason}{remedy}"))
}

/// What an operator can do about it.
fn remedy(error: &sqlx::Error) -> Option<&'static str> {
    match error {
        sqlx::Error::Io(error) if error.kind() == ErrorKind::ConnectionRefused => {
            Some("nobody listens there: is Postgres running, and is the port in databases.festival.url right?")
        }
        sqlx::Error::Io(error) if error.to_string().contains("lookup") => {
            Some("is the host in databases.festival.url written correctly?")
        }
        sqlx::Error::Database(error) if error.message().contains("extra_float_digits") => {
            Some("set ignore_startup_parameters = extra_float_digits and pool_mode = session in pgbouncer.ini")
        }
        sqlx::Error::Database(error) => match error.code().as_deref() {
            Some("53300") => Some(
                "the server has no connection left: raise its max_connections, or lower \
                 databases.festival.max_connections of the programs that use it",
            ),
            Some("57P03") => Some("the server is starting; try again in a moment"),
            Some("3D000") => Some("create the database first, with createdb"),
            _ => None,
        },
        _ => None,
    }
}

/// The kind of database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// A local SQLite file.
    Sqlite,
    /// A Postgres server.
    Postgres,
}

impl Backend {
    /// Returns the kind of database behind a connection.
    pub fn of(connection: &AnyConnection) -> Self {
        if connection.backend_name() == "PostgreSQL" { Self::Postgres } else { Self::Sqlite }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_that_would_be_ignored_are_refused_by_name() {
        for (query, name) in [
            ("pgbouncer=true", "pgbouncer"),
            ("sslmode=require&channel_binding=require", "channel_binding"),
            ("options[search_path]=festival", "options[search_path]"),
        ] {
            let error = parse_url(&format!("postgres://festival@localhost/festival?{query}")).unwrap_err();
            let message = error.for_terminal();
            assert!(message.contains(&format!("the parameter \"{name}\" is not supported")), "{message}");
        }
        let url = "postgres://festival@localhost/festival?sslmode=require&options=-c%20search_path=festival";
        assert_eq!(parse_url(url).unwrap(), (Backend::Postgres, url.to_owned()));
    }
}
