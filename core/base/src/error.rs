//! The error type shared by handlers, commands and queries.
//!
//! A handler returns `Result<T, Error>`. A variant holds the message for the client; the cause of [`Error::Internal`] is
//! logged once with the request's id and never sent.

use rocket::http::Status;
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

/// An error of a single field, with a message for the person who filled it in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema, TS)]
pub struct FieldError {
    /// The field's name in the form (`director_email`).
    pub field: String,
    /// What is wrong and what to do.
    pub message: String,
}

impl FieldError {
    /// An error at `field`.
    pub fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self { field: field.into(), message: message.into() }
    }
}

/// An error with its HTTP status. Messages are sentences for people that say what to do.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The requested resource does not exist (404).
    #[error("{0}")]
    NotFound(String),
    /// The request is malformed (400).
    #[error("{0}")]
    BadRequest(String),
    /// Values are missing or invalid (422).
    #[error("{}", first_message(.0))]
    Invalid(Vec<FieldError>),
    /// The request conflicts with the current state (409).
    #[error("{0}")]
    Conflict(String),
    /// Not open, not open any more, or not permitted (403).
    #[error("{0}")]
    Closed(String),
    /// The body stopped arriving (408).
    #[error("{0}")]
    Timeout(String),
    /// A field or the whole request is too large (413); the fields say which.
    #[error("{}", first_message(.0))]
    TooLarge(Vec<FieldError>),
    /// The content type is not supported at this address (415).
    #[error("{0}")]
    UnsupportedType(String),
    /// The client exceeded a rate limit (429).
    #[error("{message}")]
    TooMany {
        /// What to do.
        message: String,
        /// Seconds after which a retry may succeed.
        retry_after: u32,
    },
    /// The client exceeded a rate limit and may solve a proof of work instead of waiting (429).
    #[error("{message}")]
    Challenged {
        /// What to do.
        message: String,
        /// Seconds after which a retry may succeed without the proof of work.
        retry_after: u32,
        /// The proof of work to solve.
        challenge: Box<Challenge>,
    },
    /// Temporarily unavailable; a later retry may succeed (503).
    #[error("{0}")]
    Unavailable(String),
    /// There is no storage left, or the client used up its quota (507).
    #[error("{message}")]
    NoRoom {
        /// What to do.
        message: String,
        /// Seconds after which a retry may succeed.
        retry_after: u32,
    },
    /// An unexpected failure (500). The cause goes to the log only.
    #[error("Something went wrong on our side. Please try again.")]
    Internal(#[source] Box<dyn std::error::Error + Send + Sync>),
}

fn first_message(fields: &[FieldError]) -> &str {
    fields.first().map_or("Some values are not right.", |first| first.message.as_str())
}

/// The result type of fallible functions, with [`Error`] as the default error.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// Returns an [`Error::Internal`] with this cause, which may be a plain description.
    pub fn internal(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Internal(cause.into())
    }

    /// Returns an [`Error::NoRoom`] for a full disk or database, to be retried after a minute.
    pub fn no_room(message: impl Into<String>) -> Self {
        Self::NoRoom { message: message.into(), retry_after: 60 }
    }

    /// Returns the HTTP status.
    pub fn status(&self) -> Status {
        match self {
            Self::NotFound(_) => Status::NotFound,
            Self::BadRequest(_) => Status::BadRequest,
            Self::Invalid(_) => Status::UnprocessableEntity,
            Self::Conflict(_) => Status::Conflict,
            Self::Closed(_) => Status::Forbidden,
            Self::Timeout(_) => Status::RequestTimeout,
            Self::TooLarge(_) => Status::PayloadTooLarge,
            Self::UnsupportedType(_) => Status::UnsupportedMediaType,
            Self::TooMany { .. } | Self::Challenged { .. } => Status::TooManyRequests,
            Self::Unavailable(_) => Status::ServiceUnavailable,
            Self::NoRoom { .. } => Status::new(507),
            Self::Internal(_) => Status::InternalServerError,
        }
    }

    /// Returns the seconds after which a retry may succeed; `None` if a retry does not help.
    pub fn retry_after(&self) -> Option<u32> {
        match self {
            Self::TooMany { retry_after, .. }
            | Self::Challenged { retry_after, .. }
            | Self::NoRoom { retry_after, .. } => Some(*retry_after),
            Self::Unavailable(_) => Some(5),
            _ => None,
        }
    }

    /// Returns the JSON body of the response.
    pub fn body(&self, request_id: &str) -> ErrorBody {
        ErrorBody {
            error: self.to_string(),
            code: code_of(self.status()).to_owned(),
            fields: match self {
                Self::Invalid(fields) | Self::TooLarge(fields) => fields.clone(),
                _ => Vec::new(),
            },
            challenge: match self {
                Self::Challenged { challenge, .. } => Some((**challenge).clone()),
                _ => None,
            },
            request_id: request_id.to_owned(),
        }
    }

    /// Returns the text for a terminal: the message and, for an internal error, the chain of its causes.
    pub fn for_terminal(&self) -> String {
        match self {
            Self::Internal(cause) => with_causes(&**cause),
            Self::Invalid(fields) | Self::TooLarge(fields) => {
                fields.iter().map(|f| format!("{}: {}", f.field, f.message)).collect::<Vec<_>>().join("\n")
            }
            other => other.to_string(),
        }
    }
}

/// The message of an error with those of its causes that it does not contain.
pub fn with_causes(error: &(dyn std::error::Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let message = cause.to_string();
        if !text.contains(&message) {
            text.push_str(": ");
            text.push_str(&message);
        }
        source = cause.source();
    }
    text
}

/// Returns the stable machine-readable code for a status.
pub fn code_of(status: Status) -> &'static str {
    match status.code {
        400 => "bad_request",
        403 => "forbidden",
        404 => "not_found",
        405 => "method_not_allowed",
        408 => "timeout",
        409 => "conflict",
        413 => "too_large",
        414 => "uri_too_long",
        415 => "unsupported_media_type",
        422 => "invalid",
        429 => "too_many_requests",
        431 => "headers_too_large",
        503 => "unavailable",
        507 => "insufficient_storage",
        _ => "internal",
    }
}

/// The JSON body of all 4xx and 5xx responses of the API.
#[derive(Clone, Debug, Serialize, JsonSchema, TS)]
pub struct ErrorBody {
    /// What happened and what to do, for people.
    pub error: String,
    /// A stable code, for programs.
    pub code: String,
    /// The invalid fields; empty for errors that do not concern fields.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<FieldError>>", optional)]
    pub fields: Vec<FieldError>,
    /// A proof of work that may be solved instead of waiting, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub challenge: Option<Challenge>,
    /// The request's id, also in the header `X-Request-Id` and in the log.
    pub request_id: String,
}

/// A proof of work for a client that exceeded a limit: find the number whose hash with the salt is `hash`. The request is sent
/// again with the header `Proof-Of-Work: <salt>:<number>:<signature>`, once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema, TS)]
pub struct Challenge {
    /// The text before the number, separated by a colon.
    pub salt: String,
    /// SHA-256 of salt, colon and the decimal number, in hexadecimal.
    pub hash: String,
    /// Upper bound of the number, exclusive; the lower bound is 0.
    pub max_number: u32,
    /// To be sent back unchanged.
    pub signature: String,
}

/// A condition of the database that ends by itself, or when an operator frees space, is a temporary error, by SQLite's
/// extended result code (decimal) or Postgres's SQLSTATE; all others are internal errors.
impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        let code = error.as_database_error().and_then(|error| error.code());
        let unavailable = |message: &str| Self::Unavailable(message.to_owned());
        let temporary = match (&error, code.as_deref()) {
            (sqlx::Error::PoolTimedOut, _) | (_, Some("5" | "6" | "261" | "517")) => {
                unavailable("The server is busy. Please try again in a moment.")
            }
            // SQLite: the file cannot be read or opened. Postgres: the server is shutting down or starting.
            (sqlx::Error::Io(_) | sqlx::Error::PoolClosed, _)
            | (_, Some("10" | "14" | "266" | "522" | "778" | "1034" | "1290" | "1546" | "4874"))
            | (_, Some("57P01" | "57P02" | "57P03" | "53300")) => {
                unavailable("The database does not answer. Please try again in a moment.")
            }
            // SQLite: file or folder cannot be written. Postgres: a server that follows another one.
            (_, Some("8" | "264" | "520" | "776" | "1032" | "1544" | "25006")) => {
                unavailable("Nothing can be saved at the moment: the database can only be read.")
            }
            (_, Some("13" | "53100")) => Self::no_room("There is no room left to keep this. Please try again later."),
            // A prepared statement that another connection has, or this one has not.
            (_, Some("26000" | "42P05")) => {
                return Self::internal(format!(
                    "{error}; a pooler gives each transaction another connection to Postgres: set pool_mode = session"
                ));
            }
            _ => return Self::Internal(Box::new(error)),
        };
        tracing::warn!(%error, "the database is temporarily unavailable");
        temporary
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Self::Internal(Box::new(error))
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::Internal(Box::new(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unreachable_database_is_temporary_and_not_an_internal_error() {
        let unreachable = [sqlx::Error::PoolClosed, sqlx::Error::Io(std::io::ErrorKind::ConnectionReset.into())];
        for error in unreachable.into_iter().chain([sqlx::Error::PoolTimedOut]) {
            let error = Error::from(error);
            assert_eq!((error.status(), error.retry_after()), (Status::ServiceUnavailable, Some(5)));
        }
        assert_eq!(Error::from(sqlx::Error::RowNotFound).status(), Status::InternalServerError);
    }
}
