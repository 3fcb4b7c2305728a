//! Letters: from text to outlines, shaped as its script asks. No font of the machine takes part.

use std::ops::Range;
use std::sync::LazyLock;

use harfrust::font::glyph::outline::{DrawMemory, DrawOptions, PathSink};
use harfrust::{Buffer, Direction, Font, GlyphId, ShapeOptions, ShaperFont};
use unicode_bidi::{BidiInfo, Level};
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

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

/// The scripts of titles beyond Latin and Malayalam. They have one cut, the closed one. Chinese, Japanese and Korean are
/// not among them: their fonts would be larger than the program.
static OTHER_SCRIPTS: [&[u8]; 12] = [
    include_bytes!("fonts/devanagari-closed.ttf"),
    include_bytes!("fonts/bengali-closed.ttf"),
    include_bytes!("fonts/gurmukhi-closed.ttf"),
    include_bytes!("fonts/gujarati-closed.ttf"),
    include_bytes!("fonts/odia-closed.ttf"),
    include_bytes!("fonts/tamil-closed.ttf"),
    include_bytes!("fonts/telugu-closed.ttf"),
    include_bytes!("fonts/kannada-closed.ttf"),
    include_bytes!("fonts/cyrillic-closed.ttf"),
    include_bytes!("fonts/cyrillic-ext-closed.ttf"),
    include_bytes!("fonts/greek-closed.ttf"),
    include_bytes!("fonts/arabic-closed.ttf"),
];

/// The faces of a cut; the first one that has a letter draws it.
static FACES: LazyLock<[Vec<Font>; 3]> = LazyLock::new(|| {
    let read = |files: [&'static [u8]; 5]| {
        files.into_iter().chain(OTHER_SCRIPTS).filter_map(|file| Font::new(file, 0)).collect()
    };
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
/// without one (emoji) too, with the marks and joiners that follow them; `None` where no letter is left.
pub(super) fn drawable(text: &str) -> Option<String> {
    let words: Vec<String> = text.split_whitespace().filter_map(drawable_word).collect();
    let words = words.join(" ");
    words.chars().any(char::is_alphanumeric).then_some(words)
}

fn drawable_word(word: &str) -> Option<String> {
    let mut out = String::new();
    let mut has_base = true;
    for c in word.nfc() {
        if is_combining_mark(c) || matches!(c, '\u{200C}' | '\u{200D}') {
            if !has_base {
                continue;
            }
        } else {
            has_base = c.is_alphanumeric() || face_of(Cut::Text, c, None).is_some();
        }
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

/// Whether a text is read from right to left: its first letter says so.
pub(super) fn is_rtl(text: &str) -> bool {
    BidiInfo::new(text, None).paragraphs.first().is_some_and(|paragraph| paragraph.level.is_rtl())
}

/// Shapes one line, what is read from right to left in its own order.
pub(super) fn shape(cut: Cut, text: &str) -> Shaped {
    let mut line = Shaped { glyphs: Vec::new(), width: 0.0, joints: Vec::new() };
    let bidi = BidiInfo::new(text, None);
    for paragraph in &bidi.paragraphs {
        let (levels, runs) = bidi.visual_runs(paragraph, paragraph.range.clone());
        for run in runs {
            let level = levels[run.start];
            let pieces = pieces(cut, text, run);
            if level.is_rtl() {
                pieces.into_iter().rev().for_each(|(face, range)| line.add(face, text, range, level));
            } else {
                pieces.into_iter().for_each(|(face, range)| line.add(face, text, range, level));
            }
        }
    }
    line
}

/// A run in pieces of one face each.
fn pieces(cut: Cut, text: &str, run: Range<usize>) -> Vec<(&'static Font, Range<usize>)> {
    let mut pieces: Vec<(&'static Font, Range<usize>)> = Vec::new();
    let mut present = None;
    for (at, c) in text[run.clone()].char_indices() {
        let (at, face) = (run.start + at, face_of(cut, c, present));
        match (face, pieces.last_mut()) {
            (Some(index), _) if face != present => {
                present = face;
                pieces.push((&FACES[cut as usize][index], at..at + c.len_utf8()));
            }
            // What no face has is drawn by none: it goes with what is before it.
            (_, Some((_, piece))) => piece.end = at + c.len_utf8(),
            (_, None) => {}
        }
    }
    pieces
}

impl Shaped {
    fn add(&mut self, font: &'static Font, text: &str, range: Range<usize>, level: Level) {
        let mut buffer = Buffer::new();
        buffer.push_str(&text[range.clone()]);
        buffer.guess_segment_properties();
        buffer.set_direction(if level.is_rtl() { Direction::RightToLeft } else { Direction::LeftToRight });
        if harfrust::shape(&ShaperFont::new(font), &mut buffer, ShapeOptions::new()).is_err() {
            return;
        }
        let em = f32::from(font.units_per_em());
        for (info, position) in buffer.glyph_infos().iter().zip(buffer.glyph_positions()) {
            let at = range.start + info.cluster as usize;
            // Letters that are read from right to left hang together: no joint.
            if level.is_ltr() && self.joints.last().is_none_or(|(last, _)| at > *last) {
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
