//! A broken rule, and how to resolve it.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;

use crate::day;
use crate::working::{Programme, Screening};

/// The rule that a conflict breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ConflictKind {
    /// Two screenings are in a hall at once.
    HallOverlap,
    /// The next screening begins before the hall is ready.
    Changeover,
    /// A screening ends after the hall closes.
    PastClosing,
    /// Every print of the film is elsewhere, or on its way.
    PrintElsewhere,
    /// No print of the film is available, or its key does not open it.
    PrintAway,
    /// The server of the hall has no key for the encrypted print.
    NoKey,
    /// The keys are for another version of the film than the print.
    OtherKey,
    /// The key is not valid during the screening.
    KeyInvalid,
    /// The print is longer or shorter than the film, or than its screening.
    OtherLength,
    /// The print has no subtitles, or others than the screening announces.
    NoSubtitles,
    /// A guest is not at the festival.
    GuestAway,
    /// A guest is in another hall, or on the way from there.
    GuestTwice,
    /// A screening has no film that visitors know.
    NoFilm,
    /// A screening has no length.
    UnknownLength,
    /// A film is not shown.
    NotShown,
    /// The films of a section are shown much less often than others.
    Unbalanced,
    /// A film has neither certificate nor exemption.
    Uncertified,
}

impl ConflictKind {
    /// A heading for conflicts of this kind.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::HallOverlap => "Two screenings in a hall at once",
            Self::Changeover => "Too little time between screenings",
            Self::PastClosing => "After closing time",
            Self::PrintElsewhere => "Print elsewhere",
            Self::PrintAway => "Print not available",
            Self::NoKey => "No key for the print",
            Self::OtherKey => "Key of another version",
            Self::KeyInvalid => "Key not valid",
            Self::OtherLength => "Print of another length",
            Self::NoSubtitles => "Print without the subtitles",
            Self::GuestAway => "Guest not here",
            Self::GuestTwice => "Guest in two places",
            Self::NoFilm => "No film",
            Self::UnknownLength => "No length",
            Self::NotShown => "Films without screening",
            Self::Unbalanced => "Sections that are shown less",
            Self::Uncertified => "Films without certificate",
        }
    }
}

/// A broken rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Conflict {
    /// The rule.
    pub(crate) kind: ConflictKind,
    /// Ids of the screenings that it is about.
    pub(crate) screenings: Vec<i64>,
    /// The title of the film or section, if it is about one.
    pub(crate) film: Option<String>,
    /// What is wrong, and how to resolve it.
    pub(crate) text: String,
}

/// A programme with the data that the rules need.
pub(super) struct Check<'a> {
    pub(super) programme: &'a Programme,
    pub(super) zone: &'a TimeZone,
    /// The screenings that take place, by beginning.
    pub(super) slots: Vec<Slot<'a>>,
    pub(super) conflicts: Vec<Conflict>,
}

/// A screening that takes place, with its end.
#[derive(Clone, Copy)]
pub(super) struct Slot<'a> {
    pub(super) screening: &'a Screening,
    pub(super) starts_at: Timestamp,
    pub(super) ends_at: Timestamp,
}

impl<'a> Check<'a> {
    pub(super) fn report(&mut self, kind: ConflictKind, slots: &[&Slot<'_>], text: String) {
        let screenings = slots.iter().map(|slot| slot.screening.id).collect();
        self.conflicts.push(Conflict { kind, screenings, film: None, text });
    }

    /// Reports the same about several screenings once.
    pub(super) fn report_once(&mut self, kind: ConflictKind, slot: &Slot<'_>, text: String) {
        match self.conflicts.iter_mut().find(|conflict| conflict.kind == kind && conflict.text == text) {
            Some(conflict) => conflict.screenings.push(slot.screening.id),
            None => self.report(kind, &[slot], text),
        }
    }

    /// The title of a screening in quotation marks.
    pub(super) fn title(&self, slot: &Slot<'_>) -> String {
        format!("“{}”", self.programme.title(slot.screening))
    }

    pub(super) fn hall_name(&self, slot: &Slot<'_>) -> &'a str {
        self.programme.hall(slot.screening.hall).map_or("", |hall| &hall.name)
    }

    /// "Friday 12 December, 18:30"
    pub(super) fn day_and_hour(&self, time: Timestamp) -> String {
        day::text(time, self.zone)
    }

    pub(super) fn hour(&self, time: Timestamp) -> String {
        day::hour_text(time, self.zone)
    }
}
