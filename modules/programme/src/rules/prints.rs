//! Prints: each is in one hall at a time, needs time to get to the next, and is available for a limited time. One that
//! opens is preferred to one without a key, see [`super::keys`].

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};

use super::conflict::ConflictKind;
use super::conflict::{Check, Slot};
use crate::working::Print;

/// A print, and the last screening that it is planned for.
struct Planned<'a> {
    print: &'a Print,
    last: Option<Slot<'a>>,
}

impl Planned<'_> {
    fn is_available(&self, slot: &Slot<'_>) -> bool {
        self.print.from.is_none_or(|from| from <= slot.starts_at)
            && self.print.until.is_none_or(|until| slot.ends_at <= until)
    }

    /// When the print can be shown in the hall of `slot`. An overlap in one hall is a conflict of the hall.
    fn ready_at(&self, slot: &Slot<'_>) -> Option<Timestamp> {
        let last = self.last.filter(|last| last.screening.hall != slot.screening.hall)?;
        Some(last.ends_at + SignedDuration::from_mins(self.print.transport_minutes))
    }
}

impl<'a> Check<'a> {
    /// Plans the prints of each film from screening to screening: the first one that is available and free is used.
    pub(super) fn prints(&mut self) {
        let mut prints: BTreeMap<i64, Vec<Planned<'a>>> = BTreeMap::new();
        for print in &self.programme.prints {
            prints.entry(print.film).or_default().push(Planned { print, last: None });
        }
        for slot in self.slots.clone() {
            for film in &slot.screening.films {
                let Some(planned) = prints.get_mut(film) else { continue };
                let late = |it: &Planned<'_>| it.ready_at(&slot).filter(|ready_at| *ready_at > slot.starts_at);
                let Some(best) = planned
                    .iter_mut()
                    .filter(|it| it.is_available(&slot))
                    .min_by_key(|it| (self.lacks_key(it.print, &slot).is_some(), late(it)))
                else {
                    self.print_is_away(*film, &slot, &prints);
                    continue;
                };
                let (late, print) = (late(best).zip(best.last), best.print);
                best.last = Some(slot);
                self.file(print, &slot);
                if let Some((ready_at, last)) = late {
                    self.print_is_elsewhere(*film, (&last, &slot), ready_at);
                }
            }
        }
    }

    pub(super) fn film_title(&self, film: i64) -> &'a str {
        self.programme.films.get(&film).map_or("a film", |film| &film.name)
    }

    fn print_is_elsewhere(&mut self, film: i64, (last, slot): (&Slot<'_>, &Slot<'_>), ready_at: Timestamp) {
        let text = format!(
            "{}: the print of “{}” comes from {} and is in {} at {} only. Begin then, or show it on a second print.",
            self.day_and_hour(slot.starts_at),
            self.film_title(film),
            self.hall_name(last),
            self.hall_name(slot),
            self.hour(ready_at),
        );
        self.report(ConflictKind::PrintElsewhere, &[last, slot], text);
    }

    fn print_is_away(&mut self, film: i64, slot: &Slot<'_>, prints: &BTreeMap<i64, Vec<Planned<'_>>>) {
        let window = |print: &Print| {
            let text =
                |time: Option<Timestamp>, word: &str| time.map(|time| format!("{word} {}", self.day_and_hour(time)));
            let ends = [text(print.from, "from"), text(print.until, "until")];
            format!("{} {}", print.format, ends.into_iter().flatten().collect::<Vec<_>>().join(" "))
        };
        let windows: Vec<String> = prints[&film].iter().map(|planned| window(planned.print)).collect();
        let text = format!(
            "{}: no print of “{}” is available. There is: {}. Move the screening, or ask for the print or its key for \
             longer.",
            self.day_and_hour(slot.starts_at),
            self.film_title(film),
            windows.join("; "),
        );
        self.report(ConflictKind::PrintAway, &[slot], text);
    }
}
