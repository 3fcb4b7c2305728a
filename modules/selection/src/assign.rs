//! Who reviews what: as many reviewers for each film as the round asks for, with loads that differ by at most one where
//! awards, languages and conflicts permit it.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

/// What is known before films are assigned. Reviewers and films are named by their ids.
#[derive(Default)]
pub(crate) struct Task {
    /// The films, each with the reviewers who may get it.
    pub(crate) films: BTreeMap<i64, BTreeSet<i64>>,
    /// Assignments that stay: reviewed or opened ones, and those made by hand.
    pub(crate) fixed: HashSet<(i64, i64)>,
    /// Assignments that were made automatically and may move: (film, reviewer).
    pub(crate) movable: HashSet<(i64, i64)>,
    /// The reviewers among whom loads are balanced.
    pub(crate) reviewers: BTreeSet<i64>,
    /// Reviews that each film gets.
    pub(crate) per_film: usize,
}

/// The assignments that are added and those that are removed, in ascending order.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) added: Vec<(i64, i64)>,
    pub(crate) removed: Vec<(i64, i64)>,
    /// Films that have fewer reviewers than asked for, because no others may get them.
    pub(crate) short: usize,
}

/// The assignments while they are planned.
struct Draft<'t> {
    task: &'t Task,
    /// The reviewers of each film.
    of_film: HashMap<i64, BTreeSet<i64>>,
    /// The films of each reviewer that may move to another one.
    movable: BTreeMap<i64, BTreeSet<i64>>,
    loads: BTreeMap<i64, usize>,
}

/// Plans the assignments of a round. An assignment that may move does so only if the loads are balanced by it.
pub(crate) fn plan(task: &Task) -> Plan {
    let mut draft = Draft {
        task,
        of_film: HashMap::new(),
        movable: BTreeMap::new(),
        loads: task.reviewers.iter().map(|reviewer| (*reviewer, 0)).collect(),
    };
    for (film, reviewer) in &task.fixed {
        draft.add(*film, *reviewer);
    }
    for (film, reviewer) in &task.movable {
        if task.films.get(film).is_some_and(|eligible| eligible.contains(reviewer)) {
            draft.add(*film, *reviewer);
            draft.movable.entry(*reviewer).or_default().insert(*film);
        }
    }
    let mut short = 0;
    // Films with few possible reviewers first, so that these have room for them.
    let mut films: Vec<(&i64, &BTreeSet<i64>)> = task.films.iter().collect();
    films.sort_by_key(|(film, eligible)| (eligible.len(), **film));
    for (film, eligible) in films {
        while draft.of_film.get(film).map_or(0, BTreeSet::len) < task.per_film {
            let has = |reviewer: &i64| draft.of_film.get(film).is_some_and(|them| them.contains(reviewer));
            let free = eligible.iter().filter(|reviewer| !has(reviewer));
            let Some(reviewer) = free.min_by_key(|reviewer| (draft.load(**reviewer), **reviewer)).copied() else {
                short += 1;
                break;
            };
            draft.add(*film, reviewer);
            draft.movable.entry(reviewer).or_default().insert(*film);
        }
    }
    while draft.move_along_a_path() {}
    let after: HashSet<(i64, i64)> =
        draft.of_film.iter().flat_map(|(film, them)| them.iter().map(|reviewer| (*film, *reviewer))).collect();
    let sorted = |pairs: &mut dyn Iterator<Item = (i64, i64)>| {
        let mut pairs: Vec<_> = pairs.collect();
        pairs.sort_unstable();
        pairs
    };
    let before = |pair: &(i64, i64)| task.fixed.contains(pair) || task.movable.contains(pair);
    Plan {
        added: sorted(&mut after.iter().copied().filter(|pair| !before(pair))),
        removed: sorted(&mut task.movable.iter().copied().filter(|pair| !after.contains(pair))),
        short,
    }
}

impl Draft<'_> {
    fn load(&self, reviewer: i64) -> usize {
        self.loads.get(&reviewer).copied().unwrap_or_default()
    }

    fn add(&mut self, film: i64, reviewer: i64) {
        if self.of_film.entry(film).or_default().insert(reviewer)
            && let Some(load) = self.loads.get_mut(&reviewer)
        {
            *load += 1;
        }
    }

    /// Moves a film from a reviewer to one who has at least two fewer, if need be by way of others, each of whom passes one
    /// on. Returns whether there was such a path; the loads are as equal as they can be if there is none.
    fn move_along_a_path(&mut self) -> bool {
        let mut starts: Vec<i64> = self.loads.keys().copied().collect();
        starts.sort_by_key(|reviewer| std::cmp::Reverse(self.load(*reviewer)));
        starts.into_iter().any(|start| match self.path_from(start) {
            Some(path) => {
                for (film, from, to) in path {
                    self.pass(film, from, to);
                }
                true
            }
            None => false,
        })
    }

    /// The shortest way from a reviewer to one who has at least two films fewer: (film, from, to).
    fn path_from(&self, start: i64) -> Option<Vec<(i64, i64, i64)>> {
        let lowest = self.loads.values().min()?;
        if self.load(start) < lowest + 2 {
            return None;
        }
        let mut came: HashMap<i64, (i64, i64)> = HashMap::new();
        let mut queue = VecDeque::from([start]);
        while let Some(from) = queue.pop_front() {
            if self.load(from) + 2 <= self.load(start) {
                let mut path = Vec::new();
                let mut to = from;
                while let Some((film, before)) = came.get(&to).filter(|_| to != start) {
                    path.push((*film, *before, to));
                    to = *before;
                }
                return Some(path);
            }
            for film in self.movable.get(&from).into_iter().flatten() {
                for to in self.task.films.get(film).into_iter().flatten() {
                    let is_free = !self.of_film.get(film).is_some_and(|them| them.contains(to));
                    if is_free && *to != start && self.loads.contains_key(to) && !came.contains_key(to) {
                        came.insert(*to, (*film, from));
                        queue.push_back(*to);
                    }
                }
            }
        }
        None
    }

    fn pass(&mut self, film: i64, from: i64, to: i64) {
        if let Some(them) = self.of_film.get_mut(&film) {
            them.remove(&from);
        }
        if let Some(films) = self.movable.get_mut(&from) {
            films.remove(&film);
        }
        if let Some(load) = self.loads.get_mut(&from) {
            *load -= 1;
        }
        self.add(film, to);
        self.movable.entry(to).or_default().insert(film);
    }
}

/// Whether a film in these languages suits a reviewer of these; a reviewer without languages reviews all.
pub(crate) fn suits(languages: Option<&str>, film: &str) -> bool {
    let words = |text: &str| -> BTreeSet<String> {
        let words = text.split([',', ';', '/', '&', '+']).flat_map(|part| part.split(" and "));
        words.map(|word| word.trim().to_lowercase()).filter(|word| !word.is_empty()).collect()
    };
    let wanted = words(languages.unwrap_or_default());
    wanted.is_empty() || words(film).iter().any(|language| wanted.contains(language))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn film_passes_by_way_of_others_to_balance_loads() {
        // Reviewer 1 may see films 1 to 4, 2 all, 3 only film 5 and 6: what 1 and 2 have is passed on.
        let mut task = Task { reviewers: [1, 2, 3].into(), per_film: 1, ..Task::default() };
        for film in 1..=4 {
            task.films.insert(film, [1, 2].into());
            task.movable.insert((film, 1));
        }
        for film in 5..=6 {
            task.films.insert(film, [2, 3].into());
            task.movable.insert((film, 2));
        }
        let plan = plan(&task);
        assert_eq!((plan.added.len(), plan.removed.len(), plan.short), (plan.removed.len(), plan.added.len(), 0));
        let mut loads = BTreeMap::from([(1, 4), (2, 2), (3, 0)]);
        plan.added.iter().for_each(|(_, reviewer)| *loads.get_mut(reviewer).unwrap_or(&mut 0) += 1);
        plan.removed.iter().for_each(|(_, reviewer)| *loads.get_mut(reviewer).unwrap_or(&mut 0) -= 1);
        assert_eq!(loads, BTreeMap::from([(1, 2), (2, 2), (3, 2)]));
    }

    #[test]
    fn languages_are_compared_word_by_word() {
        assert!(
            suits(None, "Tamil") && suits(Some(" "), "Tamil") && suits(Some("Malayalam, tamil"), "Tamil / English")
        );
        assert!(suits(Some("English"), "Hindi and English") && !suits(Some("Malayalam"), "Tamil, English"));
    }
}
