//! The mark: the festival's name as the beam throws it.

use tiny_skia::{Path, PathBuilder};

use super::letters::{Cut, drawable, shape};

/// The height of a capital letter, in ems.
const CAPITAL: f32 = 0.639;
/// How much higher the near end of the wall is than its far end.
const DEPTH: f32 = 4.0;

/// `name` on a wall that runs away from the viewer to the left: small at the projector, large where it lands. Its
/// right end is `height` high.
pub(super) fn path(name: &str, left: f32, top: f32, width: f32, height: f32) -> Option<Path> {
    let name = shape(Cut::Closed, &drawable(&name.to_uppercase())?);
    let mut pen = PathBuilder::new();
    let place = |x: f32, y: f32| {
        let away = 1.0 - x / name.width;
        let near = 1.0 / (1.0 + (DEPTH - 1.0) * away);
        (left + width * (1.0 - DEPTH * away * near), top + height * (1.0 + y / CAPITAL) * near)
    };
    name.outline(&place, &mut pen);
    pen.finish()
}
