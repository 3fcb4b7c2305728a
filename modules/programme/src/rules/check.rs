//! A programme that is being checked, and wording that the rules share.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::conflict::{Conflict, ConflictKind};
use crate::day;
use crate::working::{Programme, Screening};

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
