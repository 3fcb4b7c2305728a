//! What is wrong with a programme, and what would mend it. Nothing here needs a database.

mod films;
mod guests;
mod halls;
mod prints;
#[cfg(test)]
mod tests;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;

use crate::day;
use crate::working::{Programme, Screening};

/// A rule that is broken.
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
    /// The title of the film or section, where it is about one.
    pub(crate) film: Option<String>,
    /// What is wrong, and what would mend it.
    pub(crate) text: String,
}

/// A programme with what the rules need of it.
struct Check<'a> {
    programme: &'a Programme,
    zone: &'a TimeZone,
    /// The screenings that take place, by beginning.
    slots: Vec<Slot<'a>>,
    conflicts: Vec<Conflict>,
}

/// A screening that takes place, with its end.
#[derive(Clone, Copy)]
struct Slot<'a> {
    screening: &'a Screening,
    starts_at: Timestamp,
    ends_at: Timestamp,
}

/// Returns every conflict of a programme: by rule, then in the order of the screenings.
pub(crate) fn check(programme: &Programme, zone: &TimeZone) -> Vec<Conflict> {
    let held = programme.screenings.iter().filter(|screening| !screening.is_cancelled);
    let slot = |screening| Slot { screening, starts_at: screening.starts_at, ends_at: programme.ends_at(screening) };
    let mut slots: Vec<Slot<'_>> = held.map(slot).collect();
    slots.sort_by_key(|slot| (slot.starts_at, slot.screening.id));
    let mut check = Check { programme, zone, slots, conflicts: Vec::new() };
    check.halls();
    check.prints();
    check.guests();
    check.films();
    check.conflicts.sort_by_key(|conflict| conflict.kind);
    check.conflicts
}

impl<'a> Check<'a> {
    fn report(&mut self, kind: ConflictKind, slots: &[&Slot<'_>], text: String) {
        let screenings = slots.iter().map(|slot| slot.screening.id).collect();
        self.conflicts.push(Conflict { kind, screenings, film: None, text });
    }

    /// The title of a screening in quotation marks.
    fn title(&self, slot: &Slot<'_>) -> String {
        format!("“{}”", self.programme.title(slot.screening))
    }

    fn hall_name(&self, slot: &Slot<'_>) -> &'a str {
        self.programme.hall(slot.screening.hall).map_or("", |hall| &hall.name)
    }

    /// "Friday 12 December, 18:30"
    fn day_and_hour(&self, time: Timestamp) -> String {
        day::text(time, self.zone)
    }

    fn hour(&self, time: Timestamp) -> String {
        day::hour_text(time, self.zone)
    }
}
