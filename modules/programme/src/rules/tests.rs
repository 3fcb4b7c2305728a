//! A programme of 320 screenings in 8 halls, and the same with 40 conflicts planted into it.

use std::collections::BTreeSet;

use jiff::civil::{date, time};
use jiff::{SignedDuration, Timestamp, ToSpan as _};

use super::*;
use crate::day;
use crate::working::{Film, Hall, Print, Screening, Stay};

const HALLS: usize = 8;
const SLOTS: [(i8, i8); 5] = [(9, 30), (12, 15), (15, 0), (17, 45), (20, 30)];
const SCREENINGS: usize = 320;
const FILMS: usize = 80;

fn zone() -> TimeZone {
    TimeZone::get("Asia/Kolkata").unwrap()
}

fn at(day: usize, hour: i8, minute: i8) -> Timestamp {
    let day = date(2025, 12, 11).checked_add((day as i64).days()).unwrap();
    day::moment(day, time(hour, minute, 0, 0), &zone()).unwrap()
}

/// The index of a screening: its id is one more.
fn index(day: usize, slot: usize, hall: usize) -> usize {
    day * SLOTS.len() * HALLS + slot * HALLS + hall
}

fn film(id: usize, section: usize) -> Film {
    Film {
        id: id as i64,
        name: format!("Film {id}"),
        duration_minutes: Some(100),
        category_id: section as i64,
        category_name: format!("Section {section}"),
        ..Film::default()
    }
}

/// Eight days, five screenings a day in each hall, every film four times, no conflict.
fn sound() -> Programme {
    let hall = |id: usize| Hall {
        id: id as i64,
        name: format!("Hall {id}"),
        venue: None,
        capacity: Some(300),
        wheelchair_seats: None,
        changeover_minutes: 20,
        closing_time: Some("23:00".into()),
        map_link: None,
    };
    let print = |film: usize| Print {
        film: film as i64,
        format: "DCP".into(),
        from: Some(at(0, 8, 0)),
        until: Some(at(8, 8, 0)),
        transport_minutes: 60,
        ..Print::default()
    };
    let screening = |index: usize| {
        let (hour, minute) = SLOTS[index / HALLS % SLOTS.len()];
        Screening {
            id: index as i64 + 1,
            kind: "film".into(),
            films: vec![(index % FILMS) as i64],
            hall: (index % HALLS) as i64,
            starts_at: at(index / (SLOTS.len() * HALLS), hour, minute),
            audience: "all".into(),
            ..Screening::default()
        }
    };
    let halls = 0..HALLS as i64;
    let pairs = halls.clone().flat_map(|from| halls.clone().map(move |to| ((from, to), 10)));
    Programme {
        halls: (0..HALLS).map(hall).collect(),
        walks: pairs.filter(|((from, to), _)| from != to).collect(),
        films: (0..FILMS).map(|id| (id as i64, film(id, id / 8))).collect(),
        prints: (0..FILMS).map(print).collect(),
        keys: Vec::new(),
        stays: Vec::new(),
        certificates: (0..FILMS).map(|id| (id as i64, "granted".to_owned())).collect(),
        screenings: (0..SCREENINGS).map(screening).collect(),
    }
}

/// The identity of a conflict: rule, screenings, and film or section where there is no screening.
type Planted = (ConflictKind, Vec<i64>, Option<String>);

/// Plants conflicts; nothing else is wrong afterwards.
fn plant(programme: &mut Programme) -> BTreeSet<Planted> {
    let mut planted = BTreeSet::new();
    let id = |index: usize| index as i64 + 1;
    let mut expect = |kind, indexes: &[usize]| {
        planted.insert((kind, indexes.iter().map(|index| id(*index)).collect(), None));
    };
    for number in 0..4 {
        let (first, second) = (index(number, 0, number), index(number, 1, number));
        programme.screenings[second].starts_at = at(number, 10, 40);
        expect(ConflictKind::HallOverlap, &[first, second]);

        let (first, second) = (index(number, 0, number + 4), index(number, 1, number + 4));
        programme.screenings[second].starts_at = at(number, 11, 20);
        expect(ConflictKind::Changeover, &[first, second]);

        let late = index(number, 4, number);
        programme.screenings[late].starts_at = at(number, 21, 40);
        expect(ConflictKind::PastClosing, &[late]);

        // Two screenings of a film in two halls one after the other, with a print that needs two hours on the way.
        let (first, second, exchanged) = (index(0, 2, number), index(0, 3, number + 1), index(2, 2, number));
        let films = [second, exchanged].map(|index| programme.screenings[index].films.clone());
        [programme.screenings[exchanged].films, programme.screenings[second].films] = films;
        let film = programme.screenings[first].films[0];
        programme.prints.iter_mut().filter(|print| print.film == film).for_each(|print| print.transport_minutes = 120);
        expect(ConflictKind::PrintElsewhere, &[first, second]);
    }
    for number in 0..3 {
        let last = index(7, 2, number);
        let film = programme.screenings[last].films[0];
        let until = Some(programme.screenings[last].starts_at + SignedDuration::from_mins(99));
        programme.prints.iter_mut().filter(|print| print.film == film).for_each(|print| print.until = until);
        expect(ConflictKind::PrintAway, &[last]);

        let (early, late) = (index(1, 3, number), index(7, 3, number));
        let name = format!("Guest {number}");
        programme.screenings[early].guests = vec![name.clone()];
        programme.screenings[late].guests = vec![format!(" guest  {number}")];
        programme.stays.push(Stay { name, from: Some(at(1, 6, 0)), until: Some(at(7, 6, 0)) });
        expect(ConflictKind::GuestAway, &[late]);

        let (first, second) = (index(5, 2, number * 2), index(5, 2, number * 2 + 1));
        for screening in [first, second] {
            programme.screenings[screening].guests = vec![format!("Busy guest {number}")];
        }
        expect(ConflictKind::GuestTwice, &[first, second]);

        let empty = &mut programme.screenings[index(5, 3, number)];
        (empty.films, empty.minutes) = (Vec::new(), Some(100));
        expect(ConflictKind::NoFilm, &[index(5, 3, number)]);

        let unknown = index(1, 4, number + 3);
        let film = programme.screenings[unknown].films[0];
        programme.films.get_mut(&film).unwrap().duration_minutes = None;
        for screening in programme.screenings.iter_mut().filter(|screening| screening.films == [film]) {
            screening.minutes = (screening.id != id(unknown)).then_some(100);
        }
        expect(ConflictKind::UnknownLength, &[unknown]);
    }
    for number in 0..6 {
        let (new, section) = (1000 + number, 100 + number / 3);
        programme.films.insert(new as i64, film(new, section));
        programme.certificates.insert(new as i64, "certified".into());
        programme.screenings[index(6, 0, number)].films = vec![new as i64];
    }
    for film_id in [6, 7, 14, 15] {
        programme.certificates.insert(film_id, "applied".into());
        let of_film = programme.screenings.iter().filter(|screening| screening.films == [film_id]);
        let screenings = of_film.map(|screening| screening.id).collect();
        planted.insert((ConflictKind::Uncertified, screenings, Some(format!("Film {film_id}"))));
    }
    for number in 0..3 {
        programme.films.insert(2000 + number, film(2000 + number as usize, 1));
        planted.insert((ConflictKind::NotShown, Vec::new(), Some(format!("Film {}", 2000 + number))));
    }
    for section in [100, 101] {
        planted.insert((ConflictKind::Unbalanced, Vec::new(), Some(format!("Section {section}"))));
    }
    planted
}

fn conflicts(programme: &Programme) -> Vec<Planted> {
    check(programme, &zone()).into_iter().map(|it| (it.kind, it.screenings, it.film)).collect()
}

#[test]
fn sound_programme_has_no_conflicts() {
    assert_eq!(check(&sound(), &zone()), []);
}

#[test]
fn exactly_the_forty_planted_conflicts_are_found() {
    let mut programme = sound();
    let planted = plant(&mut programme);
    assert_eq!((programme.screenings.len(), programme.halls.len(), planted.len()), (320, 8, 40));
    let kinds: BTreeSet<ConflictKind> = planted.iter().map(|(kind, ..)| *kind).collect();
    assert_eq!(kinds.len(), 12);
    let conflicts = conflicts(&programme);
    assert_eq!(conflicts.len(), 40, "{conflicts:#?}");
    assert_eq!(conflicts.into_iter().collect::<BTreeSet<_>>(), planted);
}

#[test]
fn cancelled_screenings_cause_no_conflict() {
    let mut programme = sound();
    let planted = plant(&mut programme);
    let overlaps = planted.iter().filter(|(kind, ..)| *kind == ConflictKind::HallOverlap);
    let second: BTreeSet<i64> = overlaps.map(|(_, screenings, _)| screenings[1]).collect();
    for screening in programme.screenings.iter_mut().filter(|screening| second.contains(&screening.id)) {
        screening.is_cancelled = true;
    }
    assert!(!conflicts(&programme).iter().any(|(kind, ..)| *kind == ConflictKind::HallOverlap));
}

#[test]
fn sentences_say_how_to_resolve_a_conflict() {
    let mut programme = sound();
    plant(&mut programme);
    let all = check(&programme, &zone());
    let text = |kind| &all.iter().find(|conflict| conflict.kind == kind).unwrap().text;
    assert_eq!(
        text(ConflictKind::HallOverlap),
        "Thursday 11 December, 10:40: “Film 0” and “Film 8” are at the same time in Hall 0. Begin the second at 11:30 \
         or later, or give it another hall."
    );
    assert_eq!(
        text(ConflictKind::PastClosing),
        "Thursday 11 December, 21:40: “Film 32” ends at 23:20, and Hall 0 closes at 23:00. Begin at 21:20 at the \
         latest, or give it another hall."
    );
    assert!(text(ConflictKind::Unbalanced).contains("get 1.0 screenings each, those of the other sections 3."));
}

/// A film with two prints may be in two halls at once; with one it may not.
#[test]
fn second_print_resolves_the_conflict() {
    let mut programme = sound();
    plant(&mut programme);
    let count = |programme: &Programme| {
        conflicts(programme).iter().filter(|(kind, ..)| *kind == ConflictKind::PrintElsewhere).count()
    };
    assert_eq!(count(&programme), 4);
    let first = programme.screenings[index(0, 2, 0)].films[0];
    let second = programme.prints.iter().find(|print| print.film == first).unwrap().clone();
    programme.prints.push(second);
    assert_eq!(count(&programme), 3);
}
