//! The kinds of database.

use sqlx::AnyConnection;

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
