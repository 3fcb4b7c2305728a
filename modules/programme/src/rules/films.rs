//! Films: each is shown, may be shown, has a length, and sections get a fair share.

use std::collections::BTreeMap;

use super::conflict::Check;
use super::conflict::{Conflict, ConflictKind};
use crate::entities::{CERTIFIED, GRANTED};
use crate::working::{Film, UNKNOWN_MINUTES};

/// Minimum number of films in a section whose share is compared: with fewer, a single screening tips the balance.
const MIN_SECTION_FILMS: usize = 3;

impl Check<'_> {
    pub(super) fn films(&mut self) {
        let mut screenings_of: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
        for slot in self.slots.clone() {
            let screening = slot.screening;
            for film in &screening.films {
                screenings_of.entry(*film).or_default().push(screening.id);
            }
            let needs_film = matches!(&*screening.kind, "film" | "package");
            if needs_film && !screening.films.iter().any(|film| self.programme.films.contains_key(film)) {
                let text = format!(
                    "{}: {} in {} shows no published film. Choose one, or publish it.",
                    self.day_and_hour(slot.starts_at),
                    self.title(&slot),
                    self.hall_name(&slot),
                );
                self.report(ConflictKind::NoFilm, &[&slot], text);
            }
            if self.programme.minutes(screening).is_none() {
                let text = format!(
                    "{}: {} has no length; {UNKNOWN_MINUTES} minutes are reckoned with. Enter its minutes, or the \
                     running time of the film.",
                    self.day_and_hour(slot.starts_at),
                    self.title(&slot),
                );
                self.report(ConflictKind::UnknownLength, &[&slot], text);
            }
        }
        if self.slots.is_empty() {
            return;
        }
        for film in self.programme.films.values() {
            match screenings_of.get(&film.id) {
                None => self.about_film(ConflictKind::NotShown, film, Vec::new(), {
                    format!("“{}” ({}) is not shown. Add a screening of it.", film.name, film.category_name)
                }),
                Some(screenings) => self.certificate(film, screenings),
            }
        }
        self.balance(&screenings_of);
    }

    fn about_film(&mut self, kind: ConflictKind, film: &Film, screenings: Vec<i64>, text: String) {
        self.conflicts.push(Conflict { kind, screenings, film: Some(film.name.clone()), text });
    }

    fn certificate(&mut self, film: &Film, screenings: &[i64]) {
        let wrong = match self.programme.certificates.get(&film.id).map(String::as_str) {
            Some(CERTIFIED | GRANTED) => return,
            Some("applied") => "waits for its exemption from certification",
            Some(_) => "was refused the exemption from certification",
            None => "has neither certificate nor exemption",
        };
        let text = format!("“{}” {wrong}. Enter the certificate, or have an owner sign for it.", film.name);
        self.about_film(ConflictKind::Uncertified, film, screenings.to_vec(), text);
    }

    /// Reports each section whose films get less than half of the screenings that those of the other sections get.
    fn balance(&mut self, screenings_of: &BTreeMap<i64, Vec<i64>>) {
        let mut sections: BTreeMap<i64, (&str, usize, usize)> = BTreeMap::new();
        for film in self.programme.films.values() {
            let section = sections.entry(film.category_id).or_insert((&film.category_name, 0, 0));
            section.1 += 1;
            section.2 += screenings_of.get(&film.id).map_or(0, Vec::len);
        }
        let all = sections.values().fold((0, 0), |all, section| (all.0 + section.1, all.1 + section.2));
        for (name, films, screenings) in sections.into_values() {
            let others = (all.0 - films, all.1 - screenings);
            if films < MIN_SECTION_FILMS || screenings * 2 * others.0 >= others.1 * films {
                continue;
            }
            let average = |screenings: usize, films: usize| format!("{:.1}", screenings as f64 / films as f64);
            let text = format!(
                "The films of “{name}” get {} screenings each, those of the other sections {}. Show some of them again.",
                average(screenings, films),
                average(others.1, others.0),
            );
            let film = Some(name.to_owned());
            self.conflicts.push(Conflict { kind: ConflictKind::Unbalanced, screenings: Vec::new(), film, text });
        }
    }
}
