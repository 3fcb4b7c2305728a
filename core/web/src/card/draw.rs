//! The drawing of a card: night, a beam from the upper left, and in its light what the card says.
//!
//! Messengers that show a small square cut it out of the middle (x from 285 to 915): the words stand in it.

use image::DynamicImage;
use image::codecs::jpeg::JpegEncoder;

use super::block::{Block, Room};
use super::canvas::{Canvas, Tone, polygon};
use super::letters::{Cut, drawable};
use super::{Branding, HEIGHT, Layout, SocialCard, WIDTH, mark};

const NIGHT: Tone = [0x0b, 0x0a, 0x0c];
const LIT: Tone = [0xff, 0xe6, 0xa6];
const PAPER: Tone = [0xfb, 0xf6, 0xea];
const QUIET: Tone = [0x57, 0x46, 0x25];
const LATERITE: Tone = [0xa2, 0x30, 0x1c];
const TURMERIC: Tone = [0xf2, 0xb2, 0x33];

/// The colours of a card: what lies in the dark, what in the light, and what is written there.
struct Palette {
    dark: Tone,
    light: Tone,
    ink: Tone,
    quiet: Tone,
    accent: Tone,
}

/// The festival's own colours.
const HOUSE: Palette = Palette { dark: NIGHT, light: LIT, ink: NIGHT, quiet: QUIET, accent: LATERITE };

/// The colours of sections, dark and light: the same pairs, in the same order, as `--poster-*` in the website's
/// `film-poster.module.css`.
const SECTIONS: [(Tone, Tone); 6] = [
    (LATERITE, LIT),
    (LEAF, [0x8f, 0xc3, 0xa5]),
    ([0x1a, 0x17, 0x1b], TURMERIC),
    (QUIET, PAPER),
    ([0x1a, 0x17, 0x1b], [0xe2, 0x58, 0x3a]),
    (LEAF, TURMERIC),
];
const LEAF: Tone = [0x12, 0x48, 0x3c];

impl Palette {
    /// The colours of the section with this number; the festival's own without one.
    fn of(tone: Option<usize>) -> Self {
        let Some(tone) = tone else { return HOUSE };
        let (dark, light) = SECTIONS[tone % SECTIONS.len()];
        Self { dark, light, ink: NIGHT, quiet: NIGHT, accent: dark }
    }
}

/// The beam: the lamp, and where its light ends.
const LAMP: (f32, f32) = (36.0, 26.0);
const FOOT: f32 = 264.0;
/// The edges of the words.
pub(super) const LEFT: f32 = 300.0;
pub(super) const RIGHT: f32 = 900.0;
const TOP: f32 = 56.0;
const BOTTOM: f32 = 582.0;
/// Where a poster stands, where a wide picture ends, and where the words below it begin.
const POSTER: f32 = 780.0;
const HORIZON: f32 = 324.0;
const BELOW: f32 = 362.0;
/// Text and hard edges stay clean, and a card with a photograph is far below what messengers take.
const QUALITY: u8 = 88;

/// The card as a JPEG. Without its picture it is a card of words.
pub(super) fn draw(card: &SocialCard, branding: &Branding, picture: Option<&DynamicImage>) -> Option<Vec<u8>> {
    let card = &with_words_that_can_be_set(card);
    let palette = Palette::of(card.tone.filter(|_| card.layout == Layout::Words || picture.is_none()));
    let mut canvas = Canvas::new(palette.dark)?;
    match (card.layout, picture) {
        (Layout::Festival, _) => festival(&mut canvas, branding, picture)?,
        (Layout::Poster, Some(picture)) => {
            canvas.fill(&beam(0.0, HEIGHT as f32)?, LIT, 255);
            canvas.picture(picture, (POSTER, 0.0, WIDTH as f32 - POSTER, HEIGHT as f32), None, 0.2);
            draw_texts(&mut canvas, card, branding, &palette, (TOP, POSTER - 32.0));
        }
        (Layout::Wide, Some(picture)) => {
            canvas.picture(picture, (0.0, 0.0, WIDTH as f32, HORIZON), Some(&beam(0.0, HORIZON)?), 0.35);
            canvas.fill(&beam(HORIZON, HEIGHT as f32)?, LIT, 255);
            draw_texts(&mut canvas, &card.clone().brief(), branding, &palette, (BELOW, RIGHT));
        }
        _ => {
            canvas.fill(&beam(0.0, HEIGHT as f32)?, palette.light, 255);
            if card.tone.is_none() {
                number(&mut canvas, branding);
            }
            draw_texts(&mut canvas, card, branding, &palette, (TOP, RIGHT));
        }
    }
    if card.layout != Layout::Festival {
        corner(&mut canvas, branding, &palette);
    }
    let mut out = Vec::new();
    let encoder = JpegEncoder::new_with_quality(&mut out, QUALITY);
    let pixels = image::RgbImage::from_raw(WIDTH, HEIGHT, canvas.pixels())?;
    pixels.write_with_encoder(encoder).ok()?;
    Some(out)
}

/// The card without lines in letters that no face has (Chinese or Korean, say). A title in such letters gives way to the
/// title in the other language, else to the weightiest of the lines, else to what stands above it.
fn with_words_that_can_be_set(card: &SocialCard) -> SocialCard {
    let mut card = card.clone();
    // Figures that are left of words ("2" of a second part) are no title.
    let has_letters = |text: &str| text.chars().any(char::is_alphabetic);
    let can_be_set = |text: &String| drawable(text).is_some_and(|left| has_letters(&left) || !has_letters(text));
    card.lines.retain(|line| drawable(line).is_some());
    if can_be_set(&card.title) {
        return card;
    }
    if let Some(second) = card.second.take().filter(can_be_set) {
        card.title = second;
    } else if let Some(line) = card.lines.iter().position(can_be_set) {
        card.title = card.lines.remove(line);
    } else if let Some(above) = card.above.take().filter(can_be_set) {
        card.title = above;
    } else {
        card.title.clear();
    }
    card
}

/// The light between two heights.
fn beam(top: f32, foot: f32) -> Option<tiny_skia::Path> {
    let right = WIDTH as f32;
    let begin = if top > LAMP.1 { (edge(top), top) } else { LAMP };
    polygon(&[begin, (right, top), (right, foot), (edge(foot), foot)])
}

/// Where the beam's lower edge is at this height.
fn edge(y: f32) -> f32 {
    LAMP.0 + (FOOT - LAMP.0) * (y - LAMP.1) / (HEIGHT as f32 - LAMP.1)
}

/// What the card says, from `top` on, between the words' left edge and `right`.
fn draw_texts(
    canvas: &mut Canvas,
    card: &SocialCard,
    branding: &Branding,
    palette: &Palette,
    (top, right): (f32, f32),
) {
    let width = right - LEFT;
    let high = BOTTOM - top;
    let line = |cut, text: &str, sizes, height| Block::fit(cut, text, Room { width, height, sizes });
    let mut top = top;
    if let Some(above) = card.above.as_deref().and_then(|text| line(Cut::Text, text, (30.0, 22.0), 32.0)) {
        top = canvas.write(Some(&above), LEFT, top, palette.accent) + 26.0;
    }
    // From the foot upwards: the lines, then what is left is the title's.
    let mut bottom = BOTTOM;
    for (index, text) in card.lines.iter().enumerate().rev() {
        let sizes = if index == 0 { (36.0, 26.0) } else { (30.0, 24.0) };
        if let Some(block) = line(Cut::Text, text, sizes, if index == 0 { 84.0 } else { 66.0 }) {
            bottom -= block.height;
            canvas.write(Some(&block), LEFT, bottom, if index == 0 { palette.ink } else { palette.quiet });
            bottom -= 18.0;
        }
    }
    let plain = card.lines.is_empty();
    let voice = if plain { (84.0, 36.0) } else { (52.0, 32.0) };
    let second = card.second.as_deref().and_then(|text| line(Cut::Open, text, voice, high * 0.24));
    let below = second.as_ref().map_or(0.0, |block| block.height + 30.0);
    let largest = match (high > 300.0, plain) {
        (true, true) => 250.0,
        (true, false) => 150.0,
        _ => 96.0,
    };
    let room = bottom - top - below - 14.0;
    let heading = |text: &str| line(Cut::Closed, text, (largest, 30.0), room);
    let Some(title) = heading(&card.title).or_else(|| heading(&branding.full_name)) else { return };
    if plain {
        top += ((bottom - top - below - title.height) / 2.0).max(0.0);
    }
    let end = canvas.write(Some(&title), LEFT, top, palette.ink);
    canvas.write(second.as_ref(), LEFT, end + 30.0, palette.accent);
}

/// The festival itself: its name fills the beam.
fn festival(canvas: &mut Canvas, branding: &Branding, picture: Option<&DynamicImage>) -> Option<()> {
    let light = beam(0.0, HEIGHT as f32)?;
    if let Some(picture) = picture {
        canvas.picture(picture, (0.0, 0.0, WIDTH as f32, HEIGHT as f32), Some(&light), 0.5);
        canvas.fill(&light, LIT, 143); // 56 per cent, as on the home page.
    } else {
        canvas.fill(&light, LIT, 255);
    }
    if let Some(name) = mark::path(&branding.name, LEFT, 44.0, RIGHT - LEFT, 300.0) {
        canvas.fill(&name, NIGHT, 255);
    }
    let room = |height, sizes| Room { width: RIGHT - LEFT, height, sizes };
    let dates = Block::fit(Cut::Text, &branding.dates, room(44.0, (42.0, 24.0)));
    let bottom = BOTTOM - dates.as_ref().map_or(0.0, |block| block.height);
    canvas.write(dates.as_ref(), LEFT, bottom, NIGHT);
    let name = Block::fit(Cut::Closed, &branding.full_name, room(150.0, (76.0, 30.0)))?;
    canvas.write(Some(&name), LEFT, bottom - 24.0 - name.height, NIGHT);
    Some(())
}

/// The number of the edition, beside the words.
fn number(canvas: &mut Canvas, branding: &Branding) {
    let room = Room { width: 226.0, height: 300.0, sizes: (400.0, 40.0) };
    if let Some(block) = branding.ordinal.and_then(|number| Block::fit(Cut::Closed, &number.to_string(), room)) {
        canvas.write(Some(&block), RIGHT + 38.0, BOTTOM - block.height, TURMERIC);
    }
}

/// In the dark beside the beam: whose card it is, and when.
fn corner(canvas: &mut Canvas, branding: &Branding, palette: &Palette) {
    let (left, width) = (LAMP.0, 168.0);
    if let Some(name) = mark::path(&branding.name, left, 462.0, width, 70.0) {
        canvas.fill(&name, palette.light, 255);
    }
    let room = Room { width: 196.0, height: 48.0, sizes: (22.0, 16.0) };
    let dates = Block::fit(Cut::Text, &branding.dates, room);
    let height = dates.as_ref().map_or(0.0, |block| block.height);
    canvas.write(dates.as_ref(), left, BOTTOM + 12.0 - height, PAPER);
}
