//! Digital prints: the server needs a key while it shows an encrypted one, and what their files say of length and
//! subtitles has to fit the screening.

use jiff::{SignedDuration, Timestamp};

use super::conflict::ConflictKind;
use super::conflict::{Check, Slot};
use crate::cinema::{languages_named, running_time};
use crate::day;
use crate::working::{Key, Print};

/// Seconds by which a print may be longer or shorter: running times are entered in minutes, with or without credits.
const TOLERANCE: i64 = 120;
/// What programmers write for a screening without subtitles.
const NO_SUBTITLES: [&str; 5] = ["no", "none", "without", "without subtitles", "-"];

impl Check<'_> {
    /// Why the server in the hall does not open a print for a screening.
    pub(super) fn lacks_key(&self, print: &Print, slot: &Slot<'_>) -> Option<(ConflictKind, String)> {
        let playlist = print.cpl_id.as_deref().filter(|_| print.is_encrypted)?;
        let of_film = || self.programme.keys.iter().filter(|key| key.film == print.film);
        let of_print: Vec<&Key> =
            self.programme.keys.iter().filter(|key| key.cpl_id.eq_ignore_ascii_case(playlist)).collect();
        let of_hall: Vec<&&Key> =
            of_print.iter().filter(|key| key.hall.is_none_or(|hall| hall == slot.screening.hall)).collect();
        let ends_at = self.film_ends_at(slot);
        if of_hall.iter().any(|key| key.from <= slot.starts_at && ends_at <= key.until) {
            return None;
        }
        let film = self.film_title(print.film);
        let begin = self.day_and_hour(slot.starts_at);
        if of_print.is_empty()
            && let Some(other) = of_film().next()
        {
            let text = format!(
                "The key of “{film}” opens the playlist {}, but the print is the playlist {playlist}. Ask for a key of this \
                 one, or for the print that the key opens.",
                other.cpl_id
            );
            return Some((ConflictKind::OtherKey, text));
        }
        if of_hall.is_empty() {
            let hall = self.hall_name(slot);
            let elsewhere = if of_print.is_empty() { "" } else { " There are keys for other halls." };
            let text = format!(
                "{begin}: the print of “{film}” is encrypted, and there is no key for {hall}.{elsewhere} Ask for one, and \
                 import it."
            );
            return Some((ConflictKind::NoKey, text));
        }
        let time = |time| day::text_with_year(time, self.zone);
        let window = |key: &&&Key| format!("from {} until {}", time(key.from), time(key.until));
        let windows: Vec<String> = of_hall.iter().map(window).collect();
        let text = format!(
            "{begin}: the key of “{film}” for {} does not open it until the end at {}. It is valid {}. Ask for a longer \
             key, or move the screening.",
            self.hall_name(slot),
            self.hour(ends_at),
            windows.join("; and "),
        );
        Some((ConflictKind::KeyInvalid, text))
    }

    /// When the films of a screening are over; a talk needs no key.
    fn film_ends_at(&self, slot: &Slot<'_>) -> Timestamp {
        slot.ends_at - SignedDuration::from_mins(slot.screening.talk_minutes)
    }

    /// Checks what the file of the print says that a screening uses.
    pub(super) fn file(&mut self, print: &Print, slot: &Slot<'_>) {
        match self.lacks_key(print, slot) {
            Some((ConflictKind::OtherKey, text)) => self.report_once(ConflictKind::OtherKey, slot, text),
            Some((kind, text)) => self.report(kind, &[slot], text),
            None => {}
        }
        self.length(print, slot);
        self.subtitles(print, slot);
    }

    fn length(&mut self, print: &Print, slot: &Slot<'_>) {
        let Some(seconds) = print.seconds else { return };
        let (film, length) = (self.film_title(print.film), running_time(seconds));
        let entered = self.programme.films.get(&print.film).and_then(|film| film.duration_minutes);
        if let Some(minutes) = entered.filter(|minutes| (minutes * 60 - seconds).abs() > TOLERANCE) {
            let text = format!(
                "The print of “{film}” ({}) runs {length}, and the film is entered with {minutes} minutes. Correct the \
                 running time, or ask whether it is the right version.",
                print.format
            );
            return self.report_once(ConflictKind::OtherLength, slot, text);
        }
        let planned = slot.screening.minutes.filter(|_| slot.screening.films.len() == 1);
        if let Some(minutes) = planned.filter(|minutes| seconds - minutes * 60 > TOLERANCE) {
            let begin = self.day_and_hour(slot.starts_at);
            let text = format!(
                "{begin}: the print of “{film}” runs {length}, and the screening has {minutes} minutes. Give it more time."
            );
            self.report(ConflictKind::OtherLength, &[slot], text);
        }
    }

    fn subtitles(&mut self, print: &Print, slot: &Slot<'_>) {
        // Without a file nobody knows what a print has.
        let Some(announced) = slot.screening.subtitles.as_deref().filter(|_| print.cpl_id.is_some()) else { return };
        if NO_SUBTITLES.contains(&&*announced.trim().to_lowercase()) {
            return;
        }
        let there = print.subtitles.as_deref().unwrap_or_default();
        let (wanted, known) = (languages_named(announced), languages_named(there));
        if !there.is_empty() && (known.is_empty() || wanted.iter().all(|language| known.contains(language))) {
            return;
        }
        let has = if there.is_empty() { "no subtitles".to_owned() } else { format!("subtitles in {there} only") };
        let text = format!(
            "The print of “{}” ({}) has {has}, and “{announced}” is announced. Ask for a version with them, have them \
             projected, or correct the screening.",
            self.film_title(print.film),
            print.format,
        );
        self.report_once(ConflictKind::NoSubtitles, slot, text);
    }
}
