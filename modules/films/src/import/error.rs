//! Why a whole list is refused, in sentences for the person who imports it.

/// Why a list could not be read as films.
#[derive(Debug, thiserror::Error)]
pub(super) enum ImportError {
    /// The table is about something else.
    #[error(
        "this does not look like a list of films: the columns are {columns}; needed are a title and at least one of \
         director, year, duration, country, synopsis or original title"
    )]
    NotFilms {
        /// Which columns there are.
        columns: String,
    },
    /// The first row is a film.
    #[error("the first row ({seen}) looks like a film, not like a header; say that it is one, and what each column is")]
    NoHeader {
        /// The first row.
        seen: String,
    },
    /// Nobody said which column of a list without a header is the title.
    #[error(
        "say which column of this list without a header is the title, and what the others are; there are {columns}"
    )]
    NoTitleColumn {
        /// How many columns there are.
        columns: usize,
    },
    /// No column and no value for all rows give the section of the films.
    #[error(
        "no column says which section the films belong to; say which one does, or give the section of all films that \
         name none"
    )]
    NoCategory,
    /// A mapping cannot be used.
    #[error("{0}")]
    Mapping(String),
    /// A field that two columns are chosen for.
    #[error("two columns are taken for {}; leave one", .field.replace('_', " "))]
    MappedTwice {
        /// The field.
        field: &'static str,
    },
}
