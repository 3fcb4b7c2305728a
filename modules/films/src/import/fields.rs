//! The fields of a film that film lists fill.

use festival_core::editing::IS_PUBLISHED;
use festival_core::text;

use super::{cells, codes, country, publication};

/// How film lists fill a field of a film.
pub(super) struct ListField {
    /// The field of [`FILM`](crate::FILM), and its name in `--map`.
    pub(super) name: &'static str,
    /// The header that describes it best; lists with it are recognised, whatever `headers.txt` says.
    pub(super) header: &'static str,
    /// Brings a cleaned cell into the form that the field is stored in.
    pub(super) normalize: fn(&str) -> String,
    /// How the cells of several columns are joined.
    pub(super) separator: &'static str,
    /// Whether columns with the same header or numbered ones, `director.1`, are parts of one value.
    pub(super) is_list: bool,
    /// Whether it names people, whose surname may come first.
    pub(super) has_people: bool,
}

impl ListField {
    /// A text that is imported as it is.
    const TEXT: Self =
        Self { name: "", header: "", normalize: str::to_owned, separator: " ", is_list: false, has_people: false };

    /// Several values, each of which may have a column.
    const LIST: Self = Self { separator: "\n", is_list: true, ..Self::TEXT };
    /// Names of people.
    const PEOPLE: Self = Self { normalize: cells::names, has_people: true, ..Self::LIST };
    /// Names with roles.
    const CREDITS: Self = Self { separator: ", ", ..Self::LIST };

    /// Whether the values of several columns can be joined into one.
    pub(super) fn joins_columns(&self) -> bool {
        self.is_list || self.name == SYNOPSIS
    }

    /// Whether a cleaned cell has no value. A film may be called "None" or "Unknown", so fewer words count as missing in
    /// titles.
    pub(super) fn is_missing(&self, text: &str) -> bool {
        let is_title = [NAME, ORIGINAL_TITLE, CATEGORY].contains(&self.name);
        cells::is_blank(text) || !is_title && text::is_missing(text)
    }
}

// The fields for which the import has rules of its own.
pub(super) const NAME: &str = "name";
pub(super) const ORIGINAL_TITLE: &str = "original_title";
pub(super) const DIRECTOR: &str = "director_name";
pub(super) const CATEGORY: &str = "category";
pub(super) const COUNTRY: &str = "country";
pub(super) const YEAR: &str = "year";
pub(super) const SUBTITLE_LANGUAGE: &str = "subtitle_language";
pub(super) const DURATION: &str = "duration_minutes";
pub(super) const SYNOPSIS: &str = "synopsis";
pub(super) const REFERENCE: &str = "reference";
pub(super) const IMDB_ID: &str = "imdb_id";

/// Every field that a list can fill. The headers of their columns in lists are
/// in `headers.txt`.
pub(super) const FIELDS: &[ListField] = &[
    ListField { name: NAME, header: "Title", ..ListField::TEXT },
    ListField { name: ORIGINAL_TITLE, header: "Original title", ..ListField::TEXT },
    ListField { name: DIRECTOR, header: "Director", normalize: cells::people, ..ListField::PEOPLE },
    ListField { name: CATEGORY, header: "Section", normalize: text::single_spaced, ..ListField::TEXT },
    ListField { name: COUNTRY, header: "Country", normalize: country::names, ..ListField::LIST },
    ListField { name: YEAR, header: "Year", normalize: text::single_spaced, ..ListField::TEXT },
    ListField { name: DURATION, header: "Duration in minutes", normalize: text::single_spaced, ..ListField::TEXT },
    ListField { name: "language", header: "Language", normalize: codes::languages, ..ListField::LIST },
    ListField { name: SUBTITLE_LANGUAGE, header: "Subtitle language", normalize: codes::languages, ..ListField::LIST },
    ListField { name: SYNOPSIS, header: "Synopsis", separator: "\n\n", ..ListField::TEXT },
    ListField { name: "cast_details", header: "Cast", ..ListField::CREDITS },
    ListField { name: "crew_details", header: "Crew", ..ListField::CREDITS },
    ListField { name: "writer_name", header: "Writer", ..ListField::PEOPLE },
    ListField { name: "producer_name", header: "Producer", ..ListField::PEOPLE },
    ListField { name: "poster_alt", header: "Poster: alternative text", ..ListField::TEXT },
    ListField { name: "still_one_alt", header: "First still: alternative text", ..ListField::TEXT },
    ListField { name: "still_two_alt", header: "Second still: alternative text", ..ListField::TEXT },
    ListField { name: REFERENCE, header: "Reference", normalize: text::single_spaced, ..ListField::TEXT },
    ListField { name: IMDB_ID, header: "IMDb id", normalize: cells::imdb_id, ..ListField::TEXT },
    // "Published" alone may be the year of publication in other people's lists.
    ListField {
        name: IS_PUBLISHED,
        header: "Published on the site",
        normalize: publication::normalized,
        ..ListField::TEXT
    },
];

/// The field called `name`.
pub(super) fn field(name: &str) -> Option<&'static ListField> {
    FIELDS.iter().find(|field| field.name == name)
}
