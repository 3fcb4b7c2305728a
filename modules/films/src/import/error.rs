//! Why a whole list is refused, in sentences for the person who imports it.

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
    /// A mapping without an equals sign.
    #[error("--map {text}: write field=Header or field=#number, for instance name=#2")]
    MapSyntax {
        /// The mapping as it was given.
        text: String,
    },
    /// A mapping to a field that does not exist.
    #[error("--map {field}=…: there is no field {field}{}; fields: {fields}", did_you_mean(.suggestion.as_deref()))]
    UnknownField {
        /// The name as it was given.
        field: String,
        /// The nearest field.
        suggestion: Option<String>,
        /// All fields.
        fields: String,
    },
    /// A mapping to a header that does not exist.
    #[error("--map {field}={header}: there is no column {header}{}; columns: {columns}", did_you_mean(.suggestion.as_deref()))]
    UnknownHeader {
        /// The field.
        field: &'static str,
        /// The header as it was given.
        header: String,
        /// The nearest header.
        suggestion: Option<String>,
        /// All headers.
        columns: String,
    },
    /// A mapping to a header that several columns have.
    #[error("--map {field}={header}: several columns are called {header}; name one by number: {field}=#{column}")]
    DoubleHeader {
        /// The field.
        field: &'static str,
        /// The header.
        header: String,
        /// The number of the first, from 1.
        column: usize,
    },
    /// A mapping to a column number that does not exist.
    #[error("--map {field}=#{column}: the columns are #1 to #{columns}")]
    NoSuchColumn {
        /// The field.
        field: &'static str,
        /// The number as it was given.
        column: usize,
        /// How many columns there are.
        columns: usize,
    },
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

fn did_you_mean(suggestion: Option<&str>) -> String {
    suggestion.map(|name| format!(", did you mean {name}?")).unwrap_or_default()
}
