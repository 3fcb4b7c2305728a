//! The one error type of handlers, commands and repositories.
//!
//! A handler answers `Result<T, Error>`. What the visitor may know travels in the variant; the cause of
//! [`Error::Internal`] is logged once with the request's id and never sent.

use rocket::http::Status;
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

/// What is wrong with one named value, in words for the person who typed it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema, TS)]
#[ts(export_to = "site.ts")]
pub struct FieldError {
    /// The field's name as it travels (`director_email`).
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

/// Everything that can go wrong at the edge, with the status it becomes.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no such thing (404).
    #[error("{0}")]
    NotFound(String),
    /// The request cannot be understood (400).
    #[error("{0}")]
    BadRequest(String),
    /// Values are missing or wrong (422).
    #[error("{}", first_message(.0))]
    Invalid(Vec<FieldError>),
    /// Something else already holds this place (409).
    #[error("{0}")]
    Conflict(String),
    /// It is not open, or not any more (403).
    #[error("{0}")]
    Closed(String),
    /// What was sent stopped coming (408).
    #[error("{0}")]
    Timeout(String),
    /// A file or the whole request is larger than we take (413); the fields say which.
    #[error("{}", first_message(.0))]
    TooLarge(Vec<FieldError>),
    /// This address takes another content type (415).
    #[error("{0}")]
    UnsupportedType(String),
    /// One client asks too often (429).
    #[error("{words}")]
    TooMany {
        /// What to do.
        words: String,
        /// Seconds until it is worth trying again.
        retry_after: u32,
    },
    /// One client asks too often, and may do some work in place of waiting (429).
    #[error("{words}")]
    Challenged {
        /// What to do.
        words: String,
        /// Seconds until it is worth trying again without the work.
        retry_after: u32,
        /// The work.
        challenge: Box<Challenge>,
    },
    /// The service cannot do it now; trying again later helps (503).
    #[error("{0}")]
    Unavailable(String),
    /// There is no room left to keep what was sent (507).
    #[error("{words}")]
    NoRoom {
        /// What to do.
        words: String,
        /// Seconds until it is worth trying again.
        retry_after: u32,
    },
    /// Our fault (500). The cause is for the log.
    #[error("Something went wrong on our side. Please try again.")]
    Internal(#[source] Box<dyn std::error::Error + Send + Sync>),
}

fn first_message(fields: &[FieldError]) -> &str {
    fields.first().map_or("Some values are not right.", |first| first.message.as_str())
}

/// The result of everything that can end in an [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An internal error with a plain description as its cause.
    pub fn internal(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Internal(cause.into())
    }

    /// The disk or the database is full.
    pub fn full(words: impl Into<String>) -> Self {
        Self::NoRoom { words: words.into(), retry_after: 60 }
    }

    /// The HTTP status.
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

    /// Seconds after which trying again is worth it, where that is so.
    pub fn retry_after(&self) -> Option<u32> {
        match self {
            Self::TooMany { retry_after, .. }
            | Self::Challenged { retry_after, .. }
            | Self::NoRoom { retry_after, .. } => Some(*retry_after),
            Self::Unavailable(_) => Some(5),
            _ => None,
        }
    }

    /// The envelope that is sent.
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

    /// Words for a terminal: the message and, for an internal error, its causes.
    pub fn for_terminal(&self) -> String {
        let mut text = match self {
            Self::Internal(cause) => cause.to_string(),
            Self::Invalid(fields) | Self::TooLarge(fields) => {
                fields.iter().map(|f| format!("{}: {}", f.field, f.message)).collect::<Vec<_>>().join("\n")
            }
            other => other.to_string(),
        };
        let mut source = match self {
            Self::Internal(cause) => cause.source(),
            _ => None,
        };
        while let Some(cause) = source {
            let cause_text = cause.to_string();
            if !text.contains(&cause_text) {
                text.push_str(": ");
                text.push_str(&cause_text);
            }
            source = cause.source();
        }
        text
    }
}

/// The stable code of a status, for programs that read our errors.
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

/// The JSON body of every 4xx and 5xx answer of the API.
#[derive(Clone, Debug, Serialize, JsonSchema, TS)]
#[ts(export_to = "site.ts")]
pub struct ErrorBody {
    /// What happened and what to do, for people.
    pub error: String,
    /// What happened, for programs: stable.
    pub code: String,
    /// The values at fault; empty for errors that are not about values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<FieldError>>", optional)]
    pub fields: Vec<FieldError>,
    /// Work that may be done in place of waiting, where that is so.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub challenge: Option<Challenge>,
    /// The request's id, also in the header `X-Request-Id` and in the log.
    pub request_id: String,
}

/// Work for a client that has reached a limit: find the number whose hash with the salt is `hash`. The request is sent
/// again with the header `Proof-Of-Work: <salt>:<number>:<signature>`, once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema, TS)]
#[ts(export_to = "site.ts")]
pub struct Challenge {
    /// What stands before the number; a colon is between them.
    pub salt: String,
    /// SHA-256 of salt, colon and number in decimal digits, in hexadecimal.
    pub hash: String,
    /// The number is smaller than this, and not smaller than 0.
    pub max_number: u32,
    /// To be sent back as it is.
    pub signature: String,
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        let Some(trouble) = Trouble::of(&error) else { return Self::Internal(Box::new(error)) };
        tracing::warn!(%error, "the database cannot answer now");
        match trouble {
            Trouble::Busy => Self::Unavailable("The server is busy. Please try again in a moment.".into()),
            Trouble::Away => Self::Unavailable("The database does not answer. Please try again in a moment.".into()),
            Trouble::Full => Self::full("There is no room left to keep this. Please try again later."),
        }
    }
}

/// What passes by itself, or when an operator makes room; everything else is our fault.
enum Trouble {
    Busy,
    Away,
    Full,
}

impl Trouble {
    /// SQLite names its result code as a number in text, Postgres its SQLSTATE.
    fn of(error: &sqlx::Error) -> Option<Self> {
        match error {
            sqlx::Error::PoolTimedOut => Some(Self::Busy),
            sqlx::Error::Io(_) | sqlx::Error::PoolClosed => Some(Self::Away),
            sqlx::Error::Database(database) => match database.code()?.as_ref() {
                "5" | "6" | "261" | "517" => Some(Self::Busy),
                "13" | "53100" => Some(Self::Full),
                // The file cannot be read, written or opened; the server goes down or comes up.
                "8" | "10" | "14" | "266" | "522" | "778" | "1034" | "1290" | "1546" | "4874" => Some(Self::Away),
                "57P01" | "57P02" | "57P03" | "53300" => Some(Self::Away),
                _ => None,
            },
            _ => None,
        }
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
    fn a_database_that_is_away_is_no_fault_of_ours() {
        let away = [sqlx::Error::PoolClosed, sqlx::Error::Io(std::io::ErrorKind::ConnectionReset.into())];
        for error in away.into_iter().chain([sqlx::Error::PoolTimedOut]) {
            let error = Error::from(error);
            assert_eq!((error.status(), error.retry_after()), (Status::ServiceUnavailable, Some(5)));
        }
        assert_eq!(Error::from(sqlx::Error::RowNotFound).status(), Status::InternalServerError);
    }
}
