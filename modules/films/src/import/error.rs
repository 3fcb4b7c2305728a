//! Why a whole list is refused, in sentences for the person who imports it.

use festival_core::importing::mapping::MappingError;

/// Why a list could not be read as films.
#[derive(Debug, thiserror::Error)]
pub(super) enum ImportError {
    /// The table is about something else.
    #[error(
        "{} (--map name=HEADER says which column is the title; --no-header where the first row is a film)", not_films(.seen)
    )]
    NotFilms {
        /// Which columns there are.
        seen: String,
    },
    /// The first row is a film.
    #[error(
        "the first row ({seen}) looks like a film, not like a header; say --no-header and name the columns by number, for instance --map name=#2 --map director_name=#3"
    )]
    NoHeader {
        /// The first row.
        seen: String,
    },
    /// No mapping says which column of a list without a header is the title.
    #[error(
        "a list without a header needs its columns by number: --map name=#N, for instance --map name=#2; there are {columns} columns"
    )]
    NoTitleColumn {
        /// How many columns there are.
        columns: usize,
    },
    /// No column and no option give the section of the films.
    #[error("no column says which section the films belong to; say --category NAME, or --map category=HEADER")]
    NoCategory,
    /// A mapping cannot be used.
    #[error(transparent)]
    Mapping(#[from] MappingError),
    /// A field that is mapped twice.
    #[error("--map gives {field} twice; leave one")]
    MappedTwice {
        /// The field.
        field: &'static str,
    },
}

impl ImportError {
    /// The reason without options of the command line: for the back office.
    pub(super) fn plain(&self) -> String {
        match self {
            Self::NotFilms { seen } => not_films(seen),
            Self::NoHeader { seen } => format!(
                "the first row ({seen}) looks like a film, not like a header; tick that it is one, and say what each column is"
            ),
            Self::NoTitleColumn { .. } => "say which column is the title, and what the others are".to_owned(),
            Self::NoCategory => {
                "no column says which section the films belong to; say which one does, or write the section of all films"
                    .to_owned()
            }
            Self::MappedTwice { field } => {
                format!("two columns are taken for {}; leave one", field.replace('_', " "))
            }
            other => other.to_string(),
        }
    }
}

fn not_films(seen: &str) -> String {
    format!(
        "this does not look like a list of films: {seen}; needed are a title and at least one of director, year, \
         duration, country, synopsis or original title"
    )
}
