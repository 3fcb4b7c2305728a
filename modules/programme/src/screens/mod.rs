//! Screens of the back office: the plan of a day with what is wrong, and the release.

mod placing;
mod plan;
mod release;

use festival_core::admin::role::CONTENT;
use festival_core::admin::{Action, Permission, Screen};
use festival_core::{Registry, templates};
use serde_json::{Value, json};

use crate::rules::{Conflict, ConflictKind};

const HOME: &str = "/admin/programme";
const MOVE: &str = "/admin/programme/move";
const ADD: &str = "/admin/programme/add";
const COPY: &str = "/admin/programme/copy";
const RELEASE: &str = "/admin/programme/release";

/// Conflicts of a kind that are listed; of the others their number is told.
const MAX_LISTED: usize = 50;

pub(crate) fn register(registry: &mut Registry) {
    let (view, edit) = (Permission::To(&CONTENT, Action::View), Permission::To(&CONTENT, Action::Edit));
    registry
        .templates(templates!["programme", "programme-release", "partials/programme-conflicts"])
        .screen(Screen::get(HOME, view, plan::show).in_menu("Programme", "Plan of a day"))
        .screen(Screen::post(MOVE, edit, placing::move_screening))
        .screen(Screen::post(ADD, edit, placing::add_screening))
        .screen(Screen::post(COPY, edit, placing::copy_day))
        .screen(Screen::get(RELEASE, view, release::show).in_menu("Programme", "Releases"))
        .screen(Screen::post(RELEASE, edit, release::store));
}

/// The conflicts by kind, for the template.
fn groups(conflicts: &[Conflict]) -> Vec<Value> {
    let groups = conflicts.chunk_by(|left, right| left.kind == right.kind);
    groups
        .map(|group| {
            let texts: Vec<&str> = group.iter().take(MAX_LISTED).map(|conflict| conflict.text.as_str()).collect();
            json!({
                "label": group[0].kind.label(),
                "count": group.len(),
                "is_refused": group[0].kind == ConflictKind::HallOverlap,
                "texts": texts,
                "more": group.len().saturating_sub(MAX_LISTED),
            })
        })
        .collect()
}
