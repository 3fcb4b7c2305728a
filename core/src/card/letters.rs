//! Letters: from text to outlines, shaped as its script asks. No font of the machine takes part.

use std::sync::LazyLock;

use harfrust::font::glyph::outline::{DrawMemory, DrawOptions, PathSink};
use harfrust::{Buffer, Font, GlyphId, ShapeOptions, ShaperFont};
use unicode_normalization::UnicodeNormalization as _;

/// The three cuts of the typeface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// Narrow and heavy: titles and names.
    Closed,
    /// What is read.
    Text,
    /// Wide and thin: the other voice.
    Open,
}

/// The faces of a cut; the first one that has a letter draws it.
static FACES: LazyLock<[Vec<Font>; 3]> = LazyLock::new(|| {
    let read = |files: [&'static [u8]; 5]| files.into_iter().filter_map(|file| Font::new(file, 0)).collect();
    macro_rules! cut {
        ($name:literal) => {
            read([
                include_bytes!(concat!("fonts/latin-", $name, ".ttf")),
                include_bytes!(concat!("fonts/malayalam-", $name, ".ttf")),
                include_bytes!(concat!("fonts/rupee-", $name, ".ttf")),
                include_bytes!(concat!("fonts/latin-ext-", $name, ".ttf")),
                include_bytes!(concat!("fonts/vietnamese-", $name, ".ttf")),
            ])
        };
    }
    [cut!("closed"), cut!("text"), cut!("open")]
});

/// A line of text as outlines, one em high, its baseline at 0, downwards positive.
pub(super) struct Shaped {
    glyphs: Vec<Glyph>,
    /// How far it reaches, in ems.
    pub(super) width: f32,
    /// Where it may be cut apart: byte of the text, and how far it reaches until there.
    pub(super) joints: Vec<(usize, f32)>,
}

struct Glyph {
    font: &'static Font,
    id: GlyphId,
    x: f32,
    y: f32,
}

/// The text as it can be drawn: composed, on one line. A word with a letter that no face has is left out, signs
/// without one (emoji) too; `None` where no letter is left.
pub(super) fn drawable(text: &str) -> Option<String> {
    let words: Vec<String> = text.split_whitespace().filter_map(drawable_word).collect();
    let words = words.join(" ");
    words.chars().any(char::is_alphanumeric).then_some(words)
}

fn drawable_word(word: &str) -> Option<String> {
    let mut out = String::new();
    for c in word.nfc() {
        if face_of(Cut::Text, c, None).is_some() {
            out.push(c);
        } else if c.is_alphanumeric() {
            // Letters that are written in another way: the ligature fi, wide Latin.
            let plain: String = c.nfkd().filter(|c| face_of(Cut::Text, *c, None).is_some()).collect();
            if plain.is_empty() {
                return None;
            }
            out.push_str(&plain);
        }
    }
    (!out.is_empty()).then_some(out)
}

/// The face that draws `c`: the present one if it can, so that a word stays in one.
fn face_of(cut: Cut, c: char, present: Option<usize>) -> Option<usize> {
    let faces = &FACES[cut as usize];
    let has = |index: &usize| faces[*index].charmap().map_unicode(c).is_some();
    present.filter(has).or_else(|| (0..faces.len()).find(has))
}

/// Shapes one line.
pub(super) fn shape(cut: Cut, text: &str) -> Shaped {
    let mut line = Shaped { glyphs: Vec::new(), width: 0.0, joints: Vec::new() };
    let (mut start, mut present) = (0, None);
    for (at, c) in text.char_indices() {
        let face = face_of(cut, c, present);
        if face.is_some() && face != present {
            line.add(cut, present, text, start..at);
            (start, present) = (at, face);
        }
    }
    line.add(cut, present, text, start..text.len());
    line
}

impl Shaped {
    fn add(&mut self, cut: Cut, face: Option<usize>, text: &str, range: std::ops::Range<usize>) {
        let Some(font) = face.and_then(|index| FACES[cut as usize].get(index)) else { return };
        let mut buffer = Buffer::new();
        buffer.push_str(&text[range.clone()]);
        buffer.guess_segment_properties();
        if harfrust::shape(&ShaperFont::new(font), &mut buffer, ShapeOptions::new()).is_err() {
            return;
        }
        let em = f32::from(font.units_per_em());
        for (info, position) in buffer.glyph_infos().iter().zip(buffer.glyph_positions()) {
            let at = range.start + info.cluster as usize;
            if self.joints.last().is_none_or(|(last, _)| at > *last) {
                self.joints.push((at, self.width));
            }
            self.glyphs.push(Glyph {
                font,
                id: GlyphId::new(info.glyph_id),
                x: self.width + position.x_offset as f32 / em,
                y: -(position.y_offset as f32) / em,
            });
            self.width += position.x_advance as f32 / em;
        }
    }

    /// Draws the outlines; `place` says where a point of them lies on the card.
    pub(super) fn outline(&self, place: &dyn Fn(f32, f32) -> (f32, f32), pen: &mut tiny_skia::PathBuilder) {
        for glyph in &self.glyphs {
            let em = f32::from(glyph.font.units_per_em());
            let mut sink = Pen { place, pen, origin: (glyph.x, glyph.y), em, last: (0.0, 0.0) };
            if let Some(outline) = glyph.font.outline_glyphs().get(glyph.id) {
                // What cannot be drawn stays out.
                let _ = outline.draw(&DrawOptions::new(), DrawMemory::default(), &mut sink);
            }
        }
    }
}

/// How many straight pieces stand for a curve: placing need not keep curves.
const PIECES: u8 = 10;

struct Pen<'a> {
    place: &'a dyn Fn(f32, f32) -> (f32, f32),
    pen: &'a mut tiny_skia::PathBuilder,
    origin: (f32, f32),
    em: f32,
    last: (f32, f32),
}

impl Pen<'_> {
    fn placed(&self, x: f32, y: f32) -> (f32, f32) {
        (self.place)(self.origin.0 + x / self.em, self.origin.1 - y / self.em)
    }
}

impl PathSink for Pen<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        let (to_x, to_y) = self.placed(x, y);
        self.pen.move_to(to_x, to_y);
        self.last = (x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (to_x, to_y) = self.placed(x, y);
        self.pen.line_to(to_x, to_y);
        self.last = (x, y);
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        let (from_x, from_y) = self.last;
        for piece in 1..=PIECES {
            let t = f32::from(piece) / f32::from(PIECES);
            let (a, b, c) = ((1.0 - t) * (1.0 - t), 2.0 * t * (1.0 - t), t * t);
            self.line_to(a * from_x + b * cx + c * x, a * from_y + b * cy + c * y);
        }
    }

    fn curve_to(&mut self, c1x: f32, c1y: f32, c2x: f32, c2y: f32, x: f32, y: f32) {
        let (from_x, from_y) = self.last;
        for piece in 1..=PIECES {
            let t = f32::from(piece) / f32::from(PIECES);
            let s = 1.0 - t;
            let (a, b, c, d) = (s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t);
            self.line_to(a * from_x + b * c1x + c * c2x + d * x, a * from_y + b * c1y + c * c2y + d * y);
        }
    }

    fn close(&mut self) {
        self.pen.close();
    }
}
