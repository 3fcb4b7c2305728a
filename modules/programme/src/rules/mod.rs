//! Conflicts in a programme, and how to resolve them. Nothing here needs a database.

mod conflict;
mod films;
mod guests;
mod halls;
mod keys;
mod prints;
#[cfg(test)]
mod tests;

use jiff::tz::TimeZone;

use self::conflict::{Check, Slot};
pub(crate) use self::conflict::{Conflict, ConflictKind};
use crate::working::Programme;

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
