//! The fields of a film that a list can fill.

use std::fmt;

use festival_core::entity::Values;
use serde::Serialize;

/// A field of a film that a column can fill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Field {
    /// The title the site shows.
    Name,
    /// The title in the film's own language.
    OriginalTitle,
    /// Directors, joined by `, `.
    DirectorName,
    /// The section of the festival.
    Category,
    /// Countries, joined by `, `.
    Country,
    /// The year of production.
    Year,
    /// The running time in whole minutes.
    DurationMinutes,
    /// Spoken languages, joined by `, `.
    Language,
    /// What the film is about.
    Synopsis,
    /// Who plays.
    CastDetails,
    /// Who made it, beyond the fields of their own.
    CrewDetails,
    /// Writers, joined by `, `.
    WriterName,
    /// Producers, joined by `, `.
    ProducerName,
}

impl Field {
    /// Every field, in the order of the entity.
    pub const ALL: [Self; 13] = [
        Self::Name,
        Self::OriginalTitle,
        Self::DirectorName,
        Self::Category,
        Self::Country,
        Self::Year,
        Self::DurationMinutes,
        Self::Language,
        Self::Synopsis,
        Self::CastDetails,
        Self::CrewDetails,
        Self::WriterName,
        Self::ProducerName,
    ];

    /// The name of the field, as in the database and in `--map`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::OriginalTitle => "original_title",
            Self::DirectorName => "director_name",
            Self::Category => "category",
            Self::Country => "country",
            Self::Year => "year",
            Self::DurationMinutes => "duration_minutes",
            Self::Language => "language",
            Self::Synopsis => "synopsis",
            Self::CastDetails => "cast_details",
            Self::CrewDetails => "crew_details",
            Self::WriterName => "writer_name",
            Self::ProducerName => "producer_name",
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// What a list says about one film; `None` where it says nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FilmValues {
    /// The title the site shows.
    pub name: String,
    /// The title in the film's own language, where it differs from `name`.
    pub original_title: Option<String>,
    /// Directors, joined by `, `.
    pub director_name: Option<String>,
    /// The name of the section.
    pub category: String,
    /// Countries, joined by `, `.
    pub country: Option<String>,
    /// The year of production.
    pub year: Option<i64>,
    /// The running time in whole minutes.
    pub duration_minutes: Option<i64>,
    /// Spoken languages, joined by `, `.
    pub language: Option<String>,
    /// What the film is about; may have several lines.
    pub synopsis: Option<String>,
    /// Who plays; may have several lines.
    pub cast_details: Option<String>,
    /// Who made it; may have several lines.
    pub crew_details: Option<String>,
    /// Writers, joined by `, `.
    pub writer_name: Option<String>,
    /// Producers, joined by `, `.
    pub producer_name: Option<String>,
}

impl FilmValues {
    /// The film of these texts.
    pub(super) fn of(values: &Values) -> Self {
        let text = |field: Field| values.get(field.name()).cloned();
        let number = |field| text(field).and_then(|text| text.parse().ok());
        Self {
            name: text(Field::Name).unwrap_or_default(),
            original_title: text(Field::OriginalTitle),
            director_name: text(Field::DirectorName),
            category: text(Field::Category).unwrap_or_default(),
            country: text(Field::Country),
            year: number(Field::Year),
            duration_minutes: number(Field::DurationMinutes),
            language: text(Field::Language),
            synopsis: text(Field::Synopsis),
            cast_details: text(Field::CastDetails),
            crew_details: text(Field::CrewDetails),
            writer_name: text(Field::WriterName),
            producer_name: text(Field::ProducerName),
        }
    }

    /// The texts of the film; what it does not say is not among them.
    pub(super) fn values(&self) -> Values {
        Field::ALL.into_iter().filter_map(|field| Some((field.name().to_owned(), self.text(field)?))).collect()
    }

    /// The value of a field as text; `None` where there is none.
    #[must_use]
    pub fn text(&self, field: Field) -> Option<String> {
        match field {
            Field::Name => Some(self.name.clone()),
            Field::OriginalTitle => self.original_title.clone(),
            Field::DirectorName => self.director_name.clone(),
            Field::Category => Some(self.category.clone()),
            Field::Country => self.country.clone(),
            Field::Year => self.year.map(|year| year.to_string()),
            Field::DurationMinutes => self.duration_minutes.map(|minutes| minutes.to_string()),
            Field::Language => self.language.clone(),
            Field::Synopsis => self.synopsis.clone(),
            Field::CastDetails => self.cast_details.clone(),
            Field::CrewDetails => self.crew_details.clone(),
            Field::WriterName => self.writer_name.clone(),
            Field::ProducerName => self.producer_name.clone(),
        }
    }
}

/// One film of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FilmRow {
    /// Where the row begins in the file, counted from 1.
    pub line: u64,
    /// What it says.
    pub values: FilmValues,
}
