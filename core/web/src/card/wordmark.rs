//! The wordmark: the festival's name in perspective, as if projected onto a wall.

use tiny_skia::{Path, PathBuilder};

use super::shaping::{Cut, drawable, shape};

/// Height of a capital letter, in ems.
const CAP_HEIGHT: f32 = 0.639;
/// Ratio of the heights of the wall's near and far ends.
const DEPTH: f32 = 4.0;

/// Returns the outlines of `name` on a wall that recedes to the left, `height` pixels high at its right end; none if no
/// letter of the name can be drawn.
pub(super) fn path(name: &str, left: f32, top: f32, width: f32, height: f32) -> Option<Path> {
    let name = shape(Cut::Closed, &drawable(&name.to_uppercase())?);
    let mut pen = PathBuilder::new();
    let project = |x: f32, y: f32| {
        let distance = 1.0 - x / name.width;
        let scale = 1.0 / (1.0 + (DEPTH - 1.0) * distance);
        (left + width * (1.0 - DEPTH * distance * scale), top + height * (1.0 + y / CAP_HEIGHT) * scale)
    };
    name.outline(&project, &mut pen);
    pen.finish()
}
