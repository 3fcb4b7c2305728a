//! Conflicts in the programme, as the screens list them.

use serde_json::{Value, json};

use crate::rules::{Conflict, ConflictKind};

/// Maximum number of conflicts listed per kind; the rest are only counted.
const MAX_LISTED: usize = 50;

/// The conflicts by kind, for the template.
pub(super) fn groups(conflicts: &[Conflict]) -> Vec<Value> {
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
