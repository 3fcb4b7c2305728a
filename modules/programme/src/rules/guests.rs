//! Guests: each is at the festival for some days, and in one hall at a time.

use std::collections::BTreeMap;

use jiff::SignedDuration;

use super::conflict::ConflictKind;
use super::conflict::{Check, Slot};

/// A name folded so that different spellings compare equal.
fn fold(name: &str) -> String {
    name.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

impl Check<'_> {
    pub(super) fn guests(&mut self) {
        let mut by_guest: BTreeMap<String, Vec<(Slot<'_>, &str)>> = BTreeMap::new();
        for slot in &self.slots {
            for name in &slot.screening.guests {
                by_guest.entry(fold(name)).or_default().push((*slot, name));
            }
        }
        for (folded, slots) in by_guest {
            for (index, (first, name)) in slots.iter().enumerate() {
                self.presence(&folded, name, first);
                for (second, _) in &slots[index + 1..] {
                    self.way(name, first, second);
                }
            }
        }
    }

    fn presence(&mut self, folded: &str, name: &str, slot: &Slot<'_>) {
        let Some(stay) = self.programme.stays.iter().find(|stay| fold(&stay.name) == folded) else { return };
        let wrong = if let Some(from) = stay.from.filter(|from| slot.starts_at < *from) {
            format!("arrives on {}", self.day_and_hour(from))
        } else if let Some(until) = stay.until.filter(|until| *until < slot.ends_at) {
            format!("leaves on {}", self.day_and_hour(until))
        } else {
            return;
        };
        let text = format!(
            "{}: {name} {wrong} and cannot be at {}. Move the screening, or remove the guest from it.",
            self.day_and_hour(slot.starts_at),
            self.title(slot),
        );
        self.report(ConflictKind::GuestAway, &[slot], text);
    }

    /// Whether a guest can get from one screening to the other. Two in one hall at once are a conflict of the hall.
    fn way(&mut self, name: &str, first: &Slot<'_>, second: &Slot<'_>) {
        let halls = (first.screening.hall, second.screening.hall);
        let walk = SignedDuration::from_mins(self.programme.walks.get(&halls).copied().unwrap_or(0));
        if halls.0 == halls.1 || first.ends_at + walk <= second.starts_at {
            return;
        }
        let text = format!(
            "{}: {name} is at {} in {} and cannot be at {} in {} before {}. Move one of them, or let somebody else come.",
            self.day_and_hour(second.starts_at),
            self.title(first),
            self.hall_name(first),
            self.title(second),
            self.hall_name(second),
            self.hour(first.ends_at + walk),
        );
        self.report(ConflictKind::GuestTwice, &[first, second], text);
    }
}
