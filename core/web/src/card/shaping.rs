//! Text shaping: from text to glyph outlines, by the rules of its script. Only embedded fonts are used, none of the
//! system.

use std::ops::Range;
use std::sync::LazyLock;

use harfrust::font::glyph::outline::{DrawMemory, DrawOptions, PathSink};
use harfrust::{Buffer, Direction, Font, GlyphId, ShapeOptions, ShaperFont};
use unicode_bidi::{BidiInfo, Level};
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// The three cuts of the festival's typeface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// Narrow and heavy, for titles and names.
    Closed,
    /// For running text.
    Text,
    /// Wide and thin, for the title in the other language if its letters are Latin.
    Open,
}

/// Fonts for titles in other scripts than Latin and Malayalam, in the closed cut only. Chinese, Japanese and Korean are
/// not supported: their fonts would be larger than the program.
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

/// The fonts of each cut; a character is drawn with the first one that has it.
static FONTS: LazyLock<[Vec<Font>; 3]> = LazyLock::new(|| {
    let load = |files: [&'static [u8]; 5]| {
        files.into_iter().chain(OTHER_SCRIPTS).filter_map(|file| Font::new(file, 0)).collect()
    };
    macro_rules! cut {
        ($name:literal, $malayalam:literal) => {
            load([
                include_bytes!(concat!("fonts/latin-", $name, ".ttf")),
                include_bytes!(concat!("fonts/malayalam-", $malayalam, ".ttf")),
                include_bytes!(concat!("fonts/rupee-", $name, ".ttf")),
                include_bytes!(concat!("fonts/latin-ext-", $name, ".ttf")),
                include_bytes!(concat!("fonts/vietnamese-", $name, ".ttf")),
            ])
        };
    }
    // The title in Malayalam has the weight of the Latin one that it stands below: the open cut would be a third of it.
    [cut!("closed", "closed"), cut!("text", "text"), cut!("open", "closed")]
});

/// A line of text as glyphs, in ems. The baseline is at 0, and y grows downwards.
pub(super) struct ShapedLine {
    glyphs: Vec<Glyph>,
    /// Advance width, in ems.
    pub(super) width: f32,
    /// Where the line may be broken: byte offset in the text, and advance width up to there.
    pub(super) breaks: Vec<(usize, f32)>,
}

struct Glyph {
    font: &'static Font,
    id: GlyphId,
    x: f32,
    y: f32,
}

/// Returns the drawable part of a text, in composed form on one line; none if no letter or digit is left.
///
/// Words with a letter that no font has are dropped, as are symbols that no font has (emoji), along with the marks and
/// joiners that follow them.
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
            has_base = c.is_alphanumeric() || font_of(Cut::Text, c, None).is_some();
        }
        if font_of(Cut::Text, c, None).is_some() {
            out.push(c);
        } else if c.is_alphanumeric() {
            // Compatibility forms: the ligature fi, full-width Latin.
            let plain: String = c.nfkd().filter(|c| font_of(Cut::Text, *c, None).is_some()).collect();
            if plain.is_empty() {
                return None;
            }
            out.push_str(&plain);
        }
    }
    (!out.is_empty()).then_some(out)
}

/// Returns the index of the font that draws `c`: the current one if it can, so that a word stays in one font.
fn font_of(cut: Cut, c: char, current: Option<usize>) -> Option<usize> {
    let fonts = &FONTS[cut as usize];
    let has = |index: &usize| fonts[*index].charmap().map_unicode(c).is_some();
    current.filter(has).or_else(|| (0..fonts.len()).find(has))
}

/// Whether a text is read from right to left, decided by its first strong character.
pub(super) fn is_rtl(text: &str) -> bool {
    BidiInfo::new(text, None).paragraphs.first().is_some_and(|paragraph| paragraph.level.is_rtl())
}

/// Shapes one line, with bidirectional text in visual order.
pub(super) fn shape(cut: Cut, text: &str) -> ShapedLine {
    let mut line = ShapedLine { glyphs: Vec::new(), width: 0.0, breaks: Vec::new() };
    let bidi = BidiInfo::new(text, None);
    for paragraph in &bidi.paragraphs {
        let (levels, runs) = bidi.visual_runs(paragraph, paragraph.range.clone());
        for run in runs {
            let level = levels[run.start];
            let segments = segments(cut, text, run);
            if level.is_rtl() {
                segments.into_iter().rev().for_each(|(font, range)| line.add(font, text, range, level));
            } else {
                segments.into_iter().for_each(|(font, range)| line.add(font, text, range, level));
            }
        }
    }
    line
}

/// Splits a run into segments of one font each.
fn segments(cut: Cut, text: &str, run: Range<usize>) -> Vec<(&'static Font, Range<usize>)> {
    let mut segments: Vec<(&'static Font, Range<usize>)> = Vec::new();
    let mut current = None;
    for (at, c) in text[run.clone()].char_indices() {
        let (at, font) = (run.start + at, font_of(cut, c, current));
        match (font, segments.last_mut()) {
            (Some(index), _) if font != current => {
                current = font;
                segments.push((&FONTS[cut as usize][index], at..at + c.len_utf8()));
            }
            // A character without a font joins the segment before it.
            (_, Some((_, segment))) => segment.end = at + c.len_utf8(),
            (_, None) => {}
        }
    }
    segments
}

impl ShapedLine {
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
            // Right-to-left text is never broken: its letters join.
            if level.is_ltr() && self.breaks.last().is_none_or(|(last, _)| at > *last) {
                self.breaks.push((at, self.width));
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

    /// Draws the outlines with `pen`; `transform` maps a point of the line, in ems, to the card, in pixels.
    pub(super) fn outline(&self, transform: &dyn Fn(f32, f32) -> (f32, f32), pen: &mut tiny_skia::PathBuilder) {
        for glyph in &self.glyphs {
            let em = f32::from(glyph.font.units_per_em());
            let mut sink = Pen { transform, pen, origin: (glyph.x, glyph.y), em, last: (0.0, 0.0) };
            if let Some(outline) = glyph.font.outline_glyphs().get(glyph.id) {
                // A glyph that fails is left out.
                let _ = outline.draw(&DrawOptions::new(), DrawMemory::default(), &mut sink);
            }
        }
    }
}

/// Line segments that a curve is approximated by, because the transformation does not preserve curves.
const CURVE_SEGMENTS: u8 = 10;

struct Pen<'a> {
    transform: &'a dyn Fn(f32, f32) -> (f32, f32),
    pen: &'a mut tiny_skia::PathBuilder,
    origin: (f32, f32),
    em: f32,
    last: (f32, f32),
}

impl Pen<'_> {
    fn transformed(&self, x: f32, y: f32) -> (f32, f32) {
        (self.transform)(self.origin.0 + x / self.em, self.origin.1 - y / self.em)
    }
}

impl PathSink for Pen<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        let (to_x, to_y) = self.transformed(x, y);
        self.pen.move_to(to_x, to_y);
        self.last = (x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (to_x, to_y) = self.transformed(x, y);
        self.pen.line_to(to_x, to_y);
        self.last = (x, y);
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        let (from_x, from_y) = self.last;
        for segment in 1..=CURVE_SEGMENTS {
            let t = f32::from(segment) / f32::from(CURVE_SEGMENTS);
            let (a, b, c) = ((1.0 - t) * (1.0 - t), 2.0 * t * (1.0 - t), t * t);
            self.line_to(a * from_x + b * cx + c * x, a * from_y + b * cy + c * y);
        }
    }

    fn curve_to(&mut self, c1x: f32, c1y: f32, c2x: f32, c2y: f32, x: f32, y: f32) {
        let (from_x, from_y) = self.last;
        for segment in 1..=CURVE_SEGMENTS {
            let t = f32::from(segment) / f32::from(CURVE_SEGMENTS);
            let s = 1.0 - t;
            let (a, b, c, d) = (s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t);
            self.line_to(a * from_x + b * c1x + c * c2x + d * x, a * from_y + b * c1y + c * c2y + d * y);
        }
    }

    fn close(&mut self) {
        self.pen.close();
    }
}
