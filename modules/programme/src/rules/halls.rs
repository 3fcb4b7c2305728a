//! Halls: one screening at a time, with time between them, and an end at night.

use std::collections::BTreeMap;

use jiff::SignedDuration;

use super::conflict::ConflictKind;
use super::conflict::{Check, Slot};
use crate::day;

impl Check<'_> {
    pub(super) fn halls(&mut self) {
        let mut by_hall: BTreeMap<i64, Vec<Slot<'_>>> = BTreeMap::new();
        for slot in &self.slots {
            by_hall.entry(slot.screening.hall).or_default().push(*slot);
        }
        for (hall, slots) in by_hall {
            let changeover = self.programme.hall(hall).map_or(0, |hall| hall.changeover_minutes);
            let changeover = SignedDuration::from_mins(changeover);
            for (index, first) in slots.iter().enumerate() {
                let ready_at = first.ends_at + changeover;
                for second in slots[index + 1..].iter().take_while(|second| second.starts_at < ready_at) {
                    self.too_close(first, second, changeover);
                }
                self.closing(first);
            }
        }
    }

    fn too_close(&mut self, first: &Slot<'_>, second: &Slot<'_>, changeover: SignedDuration) {
        let (kind, wrong) = if second.starts_at < first.ends_at {
            (ConflictKind::HallOverlap, "are at the same time")
        } else {
            (ConflictKind::Changeover, "are too close to each other")
        };
        let text = format!(
            "{}: {} and {} {wrong} in {}. Begin the second at {} or later, or give it another hall.",
            self.day_and_hour(second.starts_at),
            self.title(first),
            self.title(second),
            self.hall_name(first),
            self.hour(first.ends_at + changeover),
        );
        self.report(kind, &[first, second], text);
    }

    fn closing(&mut self, slot: &Slot<'_>) {
        let hall = self.programme.hall(slot.screening.hall);
        let Some(time) = hall.and_then(|hall| hall.closing_time()) else { return };
        let Some(closes_at) = day::moment(day::of(slot.starts_at, self.zone), time, self.zone) else { return };
        if slot.ends_at <= closes_at {
            return;
        }
        let latest = closes_at - slot.ends_at.duration_since(slot.starts_at);
        let text = format!(
            "{}: {} ends at {}, and {} closes at {}. Begin at {} at the latest, or give it another hall.",
            self.day_and_hour(slot.starts_at),
            self.title(slot),
            self.hour(slot.ends_at),
            self.hall_name(slot),
            self.hour(closes_at),
            self.hour(latest),
        );
        self.report(ConflictKind::PastClosing, &[slot], text);
    }
}
