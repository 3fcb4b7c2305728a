//! What changed between two releases. This one comparison serves the differences shown before a release, the public
//! list of changes, the feed, and the marks of screenings.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use crate::day;
use crate::document::{Change, ChangeKind, Programme, Release, Screening, Slot};

/// A line of the list of changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema, TS)]
pub(crate) struct LoggedChange {
    /// The release that brought it.
    pub(crate) version: i64,
    /// When it was released, RFC 3339.
    pub(crate) at: String,
    /// Id of the screening.
    pub(crate) screening: i64,
    pub(crate) kind: ChangeKind,
    pub(crate) title: String,
    /// Null for a new screening.
    pub(crate) was: Option<Slot>,
    /// Null for a cancelled screening.
    pub(crate) now: Option<Slot>,
}

/// How `now` differs from `before`; `None` if it does not, as far as visitors can see.
fn compare(before: Option<&Screening>, now: &Screening) -> Option<ChangeKind> {
    let Some(before) = before else {
        // Cancelling a screening that was never released is not a change.
        return (!now.cancelled).then_some(ChangeKind::New);
    };
    let texts = |it: &Screening| {
        (
            (it.title.clone(), it.kind.clone(), it.films.clone(), it.guests.clone(), it.with_guests),
            (it.language.clone(), it.subtitles.clone(), it.audience.clone(), it.minutes, it.talk_minutes),
        )
    };
    match (before.cancelled, now.cancelled) {
        (false, true) => Some(ChangeKind::Cancelled),
        (true, false) => Some(ChangeKind::New),
        (true, true) => None,
        _ if Slot::of(before) != Slot::of(now) => Some(ChangeKind::Moved),
        _ => (texts(before) != texts(now)).then_some(ChangeKind::Changed),
    }
}

/// Marks each screening with its latest change, and the release that brought it. The first release has no changes.
pub(crate) fn mark(screenings: &mut [Screening], release: &Release<'_>) {
    let Some(previous) = release.previous else { return };
    let before: BTreeMap<i64, &Screening> = previous.screenings.iter().map(|it| (it.id, it)).collect();
    for screening in screenings {
        let earlier = before.get(&screening.id).copied();
        match (compare(earlier, screening), earlier) {
            (Some(kind), earlier) => {
                let was = earlier.filter(|_| kind == ChangeKind::Moved).map(Slot::of);
                screening.change = Some(Change { kind, at: day::with_offset(release.at, release.zone), was });
                screening.version = release.version;
            }
            (None, Some(earlier)) => {
                screening.change.clone_from(&earlier.change);
                screening.version = earlier.version;
            }
            (None, None) => {}
        }
    }
}

/// The changes that `now` brought, compared with the release before it, in the order of the screenings.
pub(crate) fn between(before: &Programme, now: &Programme) -> Vec<LoggedChange> {
    let earlier: BTreeMap<i64, &Screening> = before.screenings.iter().map(|it| (it.id, it)).collect();
    let change = |screening: &Screening| {
        let was = earlier.get(&screening.id).copied();
        let kind = compare(was, screening)?;
        Some(LoggedChange {
            version: now.version,
            at: now.released_at.clone().unwrap_or_default(),
            screening: screening.id,
            kind,
            title: screening.title.clone(),
            was: was.map(Slot::of),
            now: (!screening.cancelled).then(|| Slot::of(screening)),
        })
    };
    now.screenings.iter().filter_map(change).collect()
}
