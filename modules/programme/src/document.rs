//! The released programme: what visitors see, and how it is made from the working programme.

use std::collections::BTreeSet;

use festival_core::importing::values::split_names;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::day;
use crate::working::{self, UNKNOWN_MINUTES};

/// Length limit of a synopsis in the programme, in characters; the film's page has all of it.
const MAX_SYNOPSIS_CHARACTERS: usize = 300;

/// The whole released programme of an edition.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema, TS)]
pub(crate) struct Programme {
    /// Number of the release; 0 before the first one.
    pub(crate) version: i64,
    /// When it was released, RFC 3339 with the offset of the time zone; null before the first release.
    pub(crate) released_at: Option<String>,
    /// The festival's time zone: "Asia/Kolkata".
    pub(crate) time_zone: String,
    /// The days with screenings. A day ends at 05:00 in the morning.
    pub(crate) days: Vec<String>,
    pub(crate) halls: Vec<Hall>,
    /// The films with a screening.
    pub(crate) films: Vec<Film>,
    /// In the order of their beginning.
    pub(crate) screenings: Vec<Screening>,
}

/// A hall.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, TS)]
pub(crate) struct Hall {
    pub(crate) id: i64,
    pub(crate) name: String,
    /// The house that it is in.
    pub(crate) venue: Option<String>,
    pub(crate) map_link: Option<String>,
    pub(crate) capacity: Option<i64>,
    pub(crate) wheelchair_seats: Option<i64>,
    /// The ways to other halls.
    pub(crate) walking: Vec<Walk>,
}

/// The way to another hall.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, TS)]
pub(crate) struct Walk {
    /// Id of the other hall.
    hall: i64,
    /// Minutes on foot.
    minutes: i64,
}

/// A film with a screening.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, TS)]
#[schemars(rename = "ProgrammeFilm")]
#[ts(rename = "ProgrammeFilm")]
pub(crate) struct Film {
    pub(crate) id: i64,
    pub(crate) title: String,
    /// The title in its own language and script.
    pub(crate) original_title: Option<String>,
    pub(crate) directors: Vec<String>,
    pub(crate) countries: Vec<String>,
    pub(crate) languages: Vec<String>,
    pub(crate) year: Option<i64>,
    /// Running time.
    pub(crate) minutes: Option<i64>,
    pub(crate) section: Section,
    /// The beginning of the synopsis.
    pub(crate) synopsis: Option<String>,
    /// Address of the poster.
    pub(crate) poster: Option<String>,
    /// Alternative text of the poster.
    pub(crate) poster_alt: Option<String>,
}

/// The section of a film.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, TS)]
pub(crate) struct Section {
    pub(crate) id: i64,
    pub(crate) name: String,
}

/// A screening, or another event of the programme.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, TS)]
pub(crate) struct Screening {
    pub(crate) id: i64,
    /// The festival day: a screening at 00:30 belongs to the evening before.
    pub(crate) day: String,
    /// RFC 3339 with the offset of the festival's time zone.
    pub(crate) starts_at: String,
    /// When it is over, with the talk.
    pub(crate) ends_at: String,
    /// Minutes without the talk.
    pub(crate) minutes: i64,
    pub(crate) talk_minutes: i64,
    /// Id of the hall.
    pub(crate) hall: i64,
    #[ts(type = "\"film\" | \"package\" | \"talk\" | \"ceremony\"")]
    pub(crate) kind: String,
    /// Its own title, or those of its films.
    pub(crate) title: String,
    /// Ids of its films, in their order.
    pub(crate) films: Vec<i64>,
    /// Names of the guests.
    pub(crate) guests: Vec<String>,
    /// Whether guests are announced, also without names.
    pub(crate) with_guests: bool,
    pub(crate) language: Option<String>,
    pub(crate) subtitles: Option<String>,
    #[ts(type = "\"all\" | \"delegates\"")]
    pub(crate) audience: String,
    pub(crate) cancelled: bool,
    /// Its latest change since the first release.
    pub(crate) change: Option<Change>,
    /// The release in which it is new or last changed.
    pub(crate) version: i64,
}

/// How a screening changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ChangeKind {
    /// It was added, or takes place after all.
    New,
    /// It has another hall or time.
    Moved,
    /// It does not take place.
    Cancelled,
    /// Title, films, guests, languages, length or audience are others.
    Changed,
}

/// Where and when a screening is, or was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub(crate) struct Slot {
    /// Id of the hall.
    pub(crate) hall: i64,
    /// RFC 3339 with the offset of the festival's time zone.
    pub(crate) starts_at: String,
}

impl Slot {
    /// The slot of a screening.
    pub(crate) fn of(screening: &Screening) -> Self {
        Self { hall: screening.hall, starts_at: screening.starts_at.clone() }
    }
}

/// The latest change of a screening since the first release.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub(crate) struct Change {
    pub(crate) kind: ChangeKind,
    /// When it was released, RFC 3339.
    pub(crate) at: String,
    /// Where and when it was, of a moved screening.
    pub(crate) was: Option<Slot>,
}

/// What a release needs besides the working programme.
pub(crate) struct Release<'a> {
    pub(crate) version: i64,
    pub(crate) at: Timestamp,
    pub(crate) zone: &'a TimeZone,
    /// The release before.
    pub(crate) previous: Option<&'a Programme>,
}

impl Programme {
    /// The screenings of a film, with the halls and films that they name.
    pub(crate) fn with_film(mut self, film: i64) -> Self {
        self.screenings.retain(|screening| screening.films.contains(&film));
        let screenings = &self.screenings;
        self.days.retain(|day| screenings.iter().any(|screening| screening.day == *day));
        self.films.retain(|film| screenings.iter().any(|screening| screening.films.contains(&film.id)));
        let is_named = |screening: &Screening, hall: i64| {
            let before = screening.change.as_ref().and_then(|change| change.was.as_ref());
            screening.hall == hall || before.is_some_and(|before| before.hall == hall)
        };
        self.halls.retain(|hall| screenings.iter().any(|screening| is_named(screening, hall.id)));
        self
    }

    /// Makes the document of a release; no screening is marked as changed yet. A released screening that was deleted
    /// stays in it as cancelled, so that nobody looks for it in vain.
    pub(crate) fn released(working: &working::Programme, release: &Release<'_>) -> Self {
        let public = working.screenings.iter().filter(|screening| screening.is_public());
        let mut screenings: Vec<Screening> = public.map(|it| screening(working, it, release)).collect();
        let present: BTreeSet<i64> = screenings.iter().map(|screening| screening.id).collect();
        let before = release.previous.map_or(&[][..], |previous| &previous.screenings);
        let gone = before.iter().filter(|screening| !present.contains(&screening.id));
        screenings.extend(gone.map(|screening| Screening { cancelled: true, ..screening.clone() }));
        screenings
            .sort_by_key(|screening| (screening.starts_at.parse::<Timestamp>().ok(), screening.hall, screening.id));
        let film_ids: BTreeSet<i64> = screenings.iter().flat_map(|screening| screening.films.iter().copied()).collect();
        let days: BTreeSet<&str> = screenings.iter().map(|screening| screening.day.as_str()).collect();
        let previous_films = release.previous.map_or(&[][..], |previous| &previous.films);
        let film = |id: &i64| match working.films.get(id) {
            Some(film) => Some(self::film(film)),
            None => previous_films.iter().find(|film| film.id == *id).cloned(),
        };
        Self {
            version: release.version,
            released_at: Some(day::with_offset(release.at, release.zone)),
            time_zone: release.zone.iana_name().unwrap_or("UTC").to_owned(),
            days: days.into_iter().map(str::to_owned).collect(),
            halls: working.halls.iter().map(|hall| self::hall(working, hall)).collect(),
            films: film_ids.iter().filter_map(film).collect(),
            screenings,
        }
    }
}

fn hall(working: &working::Programme, hall: &working::Hall) -> Hall {
    let walks = working.walks.range((hall.id, i64::MIN)..=(hall.id, i64::MAX));
    Hall {
        id: hall.id,
        name: hall.name.clone(),
        venue: hall.venue.clone(),
        map_link: hall.map_link.clone(),
        capacity: hall.capacity,
        wheelchair_seats: hall.wheelchair_seats,
        walking: walks.map(|((_, to), minutes)| Walk { hall: *to, minutes: *minutes }).collect(),
    }
}

fn film(film: &working::Film) -> Film {
    Film {
        id: film.id,
        title: film.name.clone(),
        original_title: film.original_title.clone(),
        directors: separate(film.director_name.as_deref()),
        countries: separate(film.country.as_deref()),
        languages: separate(film.language.as_deref()),
        year: film.year,
        minutes: film.duration_minutes,
        section: Section { id: film.category_id, name: film.category_name.clone() },
        synopsis: film.synopsis.as_deref().map(beginning).filter(|text| !text.is_empty()),
        poster: film.poster.clone(),
        poster_alt: film.poster_alt.clone(),
    }
}

fn screening(working: &working::Programme, screening: &working::Screening, release: &Release<'_>) -> Screening {
    Screening {
        id: screening.id,
        day: day::of(screening.starts_at, release.zone).to_string(),
        starts_at: day::with_offset(screening.starts_at, release.zone),
        ends_at: day::with_offset(working.ends_at(screening), release.zone),
        minutes: working.minutes(screening).unwrap_or(UNKNOWN_MINUTES),
        talk_minutes: screening.talk_minutes,
        hall: screening.hall,
        kind: screening.kind.clone(),
        title: working.title(screening),
        films: screening.films.iter().copied().filter(|id| working.films.contains_key(id)).collect(),
        guests: screening.guests.clone(),
        with_guests: screening.with_guests || !screening.guests.is_empty(),
        language: screening.language.clone(),
        subtitles: screening.subtitles.clone(),
        audience: screening.audience.clone(),
        cancelled: screening.is_cancelled,
        change: None,
        version: release.version,
    }
}

/// Splits a text that is a list: "India, France".
fn separate(text: Option<&str>) -> Vec<String> {
    let parts = split_names(text.unwrap_or_default()).map(str::trim);
    parts.filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// The beginning of a text on one line, cut between words.
fn beginning(text: &str) -> String {
    let words = text.split_whitespace();
    let mut line = String::new();
    let mut characters = 0;
    for word in words {
        let length = word.chars().count();
        if characters + 1 + length > MAX_SYNOPSIS_CHARACTERS && !line.is_empty() {
            return line + " …";
        }
        if !line.is_empty() {
            line.push(' ');
            characters += 1;
        }
        line.push_str(word);
        characters += length;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn synopsis_is_cut_between_words() {
        assert_eq!(beginning("A river,\n and a  town."), "A river, and a town.");
        let long = beginning(&"പുഴ കടന്ന് ".repeat(60));
        assert!(long.ends_with(" …") && long.chars().count() <= MAX_SYNOPSIS_CHARACTERS + 2, "{long}");
        assert!(long.trim_end_matches(" …").split(' ').all(|word| ["പുഴ", "കടന്ന്"].contains(&word)));
    }

    #[test]
    fn lists_in_texts_are_separated() {
        assert_eq!(separate(Some("India, France/ Iran;")), ["India", "France", "Iran"]);
        assert_eq!(separate(Some("AC/DC, M/s. Lamp Films / Anu Raj")), ["AC/DC", "M/s. Lamp Films", "Anu Raj"]);
        assert!(separate(None).is_empty());
    }
}
