//! Answers in memory. An entry is true as long as the data has not changed since it was computed.
//!
//! There are two halves. What is new or asked for again lies in the recent one; when that is full it becomes the older
//! one, and what was in the older one is forgotten. So whoever walks through every film's address drives out the films
//! that nobody asks for twice, and not the pages that everybody asks for.

use std::collections::{HashMap, HashSet};
use std::mem;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use super::cached_response::CachedResponse;

/// How many answers a half keeps.
const LIMIT: usize = 2_000;

/// How many bytes they hold together, not squeezed.
const LIMIT_BYTES: usize = 32 << 20;

/// Answers by what was asked, each with the data's version that it was computed from.
pub struct Cache {
    /// Off: nothing is kept.
    on: bool,
    halves: RwLock<Halves>,
    /// What is being computed.
    under_way: Arc<Mutex<HashSet<String>>>,
}

/// Whoever holds it computes the answer to its key, and nobody else.
pub struct Computing {
    key: String,
    under_way: Arc<Mutex<HashSet<String>>>,
}

impl Drop for Computing {
    fn drop(&mut self) {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.key);
    }
}

#[derive(Default)]
struct Halves {
    recent: Half,
    older: Half,
}

#[derive(Default)]
struct Half {
    answers: HashMap<String, (u64, Arc<CachedResponse>)>,
    bytes: usize,
}

impl Half {
    fn get(&self, key: &str, version: u64) -> Option<Arc<CachedResponse>> {
        self.answers.get(key).filter(|(then, _)| *then == version).map(|(_, answer)| answer.clone())
    }
}

impl Cache {
    /// An empty memory; `on` says whether it keeps anything.
    pub fn new(on: bool) -> Self {
        Self { on, halves: RwLock::default(), under_way: Arc::default() }
    }

    /// The answer to `key`, if it was computed from this version of the data.
    pub fn get(&self, key: &str, version: u64) -> Option<Arc<CachedResponse>> {
        let older = {
            let halves = self.halves.read().unwrap_or_else(PoisonError::into_inner);
            if let Some(answer) = halves.recent.get(key, version) {
                return Some(answer);
            }
            halves.older.get(key, version)?
        };
        self.put(key.to_owned(), version, older.clone());
        Some(older)
    }

    /// The last answer to `key`, whatever data it was computed from.
    pub fn former(&self, key: &str) -> Option<Arc<CachedResponse>> {
        let halves = self.halves.read().unwrap_or_else(PoisonError::into_inner);
        let entry = halves.recent.answers.get(key).or_else(|| halves.older.answers.get(key));
        entry.map(|(_, answer)| answer.clone())
    }

    /// The turn to compute the answer to `key`; `None` while somebody has it.
    pub fn computing(&self, key: &str) -> Option<Computing> {
        let is_first = self.under_way.lock().unwrap_or_else(PoisonError::into_inner).insert(key.to_owned());
        is_first.then(|| Computing { key: key.to_owned(), under_way: self.under_way.clone() })
    }

    /// Keeps `answer`, computed from data of `version` (asked for before the data was read).
    pub fn put(&self, key: String, version: u64, answer: Arc<CachedResponse>) {
        if !self.on {
            return;
        }
        let mut halves = self.halves.write().unwrap_or_else(PoisonError::into_inner);
        let bytes = answer.bytes().len();
        if halves.recent.answers.len() >= LIMIT || halves.recent.bytes + bytes > LIMIT_BYTES {
            halves.older = mem::take(&mut halves.recent);
        }
        let recent = &mut halves.recent;
        recent.bytes += bytes;
        if let Some((_, old)) = recent.answers.insert(key, (version, answer)) {
            recent.bytes -= old.bytes().len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(bytes: usize) -> Arc<CachedResponse> {
        Arc::new(CachedResponse::json(vec![b' '; bytes]))
    }

    #[test]
    fn a_walk_through_every_address_leaves_what_is_asked_for_meanwhile() {
        let cache = Cache::new(true);
        let home = answer(60_000);
        cache.put("home".into(), 1, home.clone());
        for film in 0..5_000 {
            cache.put(format!("film {film}"), 1, answer(60_000));
            if film % 100 == 0 {
                let kept = cache.get("home", 1).is_some_and(|kept| Arc::ptr_eq(&kept, &home));
                assert!(kept, "forgotten after {film} films");
            }
        }
        assert!(cache.get("film 0", 1).is_none());
        let halves = cache.halves.into_inner().unwrap_or_else(PoisonError::into_inner);
        let bytes = |half: &Half| half.answers.values().map(|(_, answer)| answer.bytes().len()).sum::<usize>();
        assert_eq!((bytes(&halves.recent), bytes(&halves.older)), (halves.recent.bytes, halves.older.bytes));
        assert!(halves.recent.bytes <= LIMIT_BYTES && halves.older.bytes <= LIMIT_BYTES);
    }

    #[test]
    fn small_answers_are_bounded_by_their_number() {
        let cache = Cache::new(true);
        (0..3 * LIMIT).for_each(|number| cache.put(number.to_string(), 1, answer(1)));
        let halves = cache.halves.into_inner().unwrap_or_else(PoisonError::into_inner);
        assert!(halves.recent.answers.len() + halves.older.answers.len() <= 2 * LIMIT);
    }

    #[test]
    fn one_computes_and_the_others_know_it() {
        let cache = Cache::new(true);
        let first = cache.computing("home");
        assert!(first.is_some() && cache.computing("home").is_none() && cache.computing("films").is_some());
        drop(first);
        assert!(cache.computing("home").is_some());
    }

    #[test]
    fn an_answer_of_older_data_is_the_former_one() {
        let cache = Cache::new(true);
        let home = answer(1);
        assert!(cache.former("home").is_none());
        cache.put("home".into(), 1, home.clone());
        assert!(cache.get("home", 2).is_none());
        assert!(cache.former("home").is_some_and(|former| Arc::ptr_eq(&former, &home)));
    }
}
