//! Drawing of a card: a dark background, a beam of light from the upper left, and the text inside the beam.
//!
//! Messengers that show a small square crop it from the middle (x from 285 to 915), so the text stays inside that
//! square.

use image::DynamicImage;
use tiny_skia::{Path, PathBuilder};

use super::block::{TextBlock, TextBox};
use super::canvas::{Canvas, Rgb, polygon};
use super::shaping::{Cut, drawable, shape};
use super::social_card::Branding;
use super::social_card::{HEIGHT, Layout, SocialCard, WIDTH};

const NIGHT: Rgb = [0x0b, 0x0a, 0x0c];
const LIGHT: Rgb = [0xff, 0xe6, 0xa6];
const PAPER: Rgb = [0xfb, 0xf6, 0xea];
const MUTED: Rgb = [0x57, 0x46, 0x25];
const LATERITE: Rgb = [0xa2, 0x30, 0x1c];
const TURMERIC: Rgb = [0xf2, 0xb2, 0x33];

/// The colours of a card: background, beam, and text.
struct Palette {
    dark: Rgb,
    light: Rgb,
    ink: Rgb,
    muted: Rgb,
    accent: Rgb,
}

/// The festival's own colours.
const FESTIVAL_PALETTE: Palette = Palette { dark: NIGHT, light: LIGHT, ink: NIGHT, muted: MUTED, accent: LATERITE };

/// Dark and light colours of sections: the same pairs in the same order as `--poster-*` in the frontend's
/// `film-poster.module.css`.
const SECTIONS: [(Rgb, Rgb); 6] = [
    (LATERITE, LIGHT),
    (LEAF, [0x8f, 0xc3, 0xa5]),
    ([0x1a, 0x17, 0x1b], TURMERIC),
    (MUTED, PAPER),
    ([0x1a, 0x17, 0x1b], [0xe2, 0x58, 0x3a]),
    (LEAF, TURMERIC),
];
const LEAF: Rgb = [0x12, 0x48, 0x3c];

impl Palette {
    /// The colours of the section with this number; the festival's own without one.
    fn of_section(section: Option<usize>) -> Self {
        let Some(section) = section else { return FESTIVAL_PALETTE };
        let (dark, light) = SECTIONS[section % SECTIONS.len()];
        Self { dark, light, ink: NIGHT, muted: NIGHT, accent: dark }
    }
}

/// The beam: the position of the lamp, and the x of its lower edge at the bottom of the card.
const LAMP: (f32, f32) = (36.0, 26.0);
const EDGE_AT_BOTTOM: f32 = 264.0;
/// The edges of the text.
pub(super) const LEFT: f32 = 300.0;
pub(super) const RIGHT: f32 = 900.0;
const TOP: f32 = 56.0;
const BOTTOM: f32 = 582.0;
/// The left edge of a poster, the bottom of a wide picture, and the top of the text below it.
const POSTER_LEFT: f32 = 780.0;
const WIDE_BOTTOM: f32 = 324.0;
const BELOW_WIDE: f32 = 362.0;
/// JPEG quality: text and hard edges stay clean, and a card with a photograph is far below the size limits of
/// messengers.
const QUALITY: u8 = 88;

/// Draws a card as a JPEG; none if it cannot be drawn. Without its picture it is a card of text.
pub(super) fn draw(card: &SocialCard, branding: &Branding, picture: Option<&DynamicImage>) -> Option<Vec<u8>> {
    let card = &with_drawable_texts(card);
    let palette = Palette::of_section(card.tone.filter(|_| card.layout == Layout::Words || picture.is_none()));
    let mut canvas = Canvas::new(palette.dark)?;
    match (card.layout, picture) {
        (Layout::Festival, _) => draw_festival(&mut canvas, branding, picture)?,
        (Layout::Poster, Some(picture)) => {
            canvas.fill(&beam(0.0, HEIGHT as f32)?, LIGHT, 255);
            canvas.picture(picture, (POSTER_LEFT, 0.0, WIDTH as f32 - POSTER_LEFT, HEIGHT as f32), None, 0.2);
            draw_texts(&mut canvas, card, branding, &palette, (TOP, POSTER_LEFT - 32.0));
        }
        (Layout::Wide, Some(picture)) => {
            canvas.picture(picture, (0.0, 0.0, WIDTH as f32, WIDE_BOTTOM), Some(&beam(0.0, WIDE_BOTTOM)?), 0.35);
            canvas.fill(&beam(WIDE_BOTTOM, HEIGHT as f32)?, LIGHT, 255);
            draw_texts(&mut canvas, &card.clone().condensed(), branding, &palette, (BELOW_WIDE, RIGHT));
        }
        _ => {
            canvas.fill(&beam(0.0, HEIGHT as f32)?, palette.light, 255);
            if card.tone.is_none() {
                draw_ordinal(&mut canvas, branding);
            }
            draw_texts(&mut canvas, card, branding, &palette, (TOP, RIGHT));
        }
    }
    if card.layout != Layout::Festival {
        draw_branding(&mut canvas, branding, &palette);
    }
    canvas.jpeg(QUALITY)
}

/// Returns the card without texts that no font can draw, Chinese or Korean for example. Such a title is replaced by the
/// title in the other language, else by the first line, else by the text above the title.
fn with_drawable_texts(card: &SocialCard) -> SocialCard {
    let mut card = card.clone();
    // Digits that are left of a title (the "2" of a second part) are no title.
    let has_letters = |text: &str| text.chars().any(char::is_alphabetic);
    let is_drawable = |text: &String| drawable(text).is_some_and(|left| has_letters(&left) || !has_letters(text));
    card.lines.retain(|line| drawable(line).is_some());
    if is_drawable(&card.title) {
        return card;
    }
    if let Some(second) = card.second.take().filter(is_drawable) {
        card.title = second;
    } else if let Some(line) = card.lines.iter().position(is_drawable) {
        card.title = card.lines.remove(line);
    } else if let Some(above) = card.above.take().filter(is_drawable) {
        card.title = above;
    } else {
        card.title.clear();
    }
    card
}

/// Returns the part of the beam between two heights.
fn beam(top: f32, bottom: f32) -> Option<tiny_skia::Path> {
    let right = WIDTH as f32;
    let start = if top > LAMP.1 { (edge(top), top) } else { LAMP };
    polygon(&[start, (right, top), (right, bottom), (edge(bottom), bottom)])
}

/// Returns the x of the beam's lower edge at height `y`.
fn edge(y: f32) -> f32 {
    LAMP.0 + (EDGE_AT_BOTTOM - LAMP.0) * (y - LAMP.1) / (HEIGHT as f32 - LAMP.1)
}

/// Draws the card's texts below `top`, between the left edge of the text and `right`.
fn draw_texts(
    canvas: &mut Canvas,
    card: &SocialCard,
    branding: &Branding,
    palette: &Palette,
    (top, right): (f32, f32),
) {
    let width = right - LEFT;
    let height_available = BOTTOM - top;
    let line = |cut, text: &str, sizes, height| TextBlock::fit(cut, text, TextBox { width, height, sizes });
    let mut top = top;
    if let Some(above) = card.above.as_deref().and_then(|text| line(Cut::Text, text, (30.0, 22.0), 32.0)) {
        top = canvas.write(Some(&above), LEFT, top, palette.accent) + 26.0;
    }
    // The lines from the bottom upwards; the title gets the rest.
    let mut bottom = BOTTOM;
    for (index, text) in card.lines.iter().enumerate().rev() {
        let sizes = if index == 0 { (36.0, 26.0) } else { (30.0, 24.0) };
        if let Some(block) = line(Cut::Text, text, sizes, if index == 0 { 84.0 } else { 66.0 }) {
            bottom -= block.height;
            canvas.write(Some(&block), LEFT, bottom, if index == 0 { palette.ink } else { palette.muted });
            bottom -= 18.0;
        }
    }
    let is_title_only = card.lines.is_empty();
    let second_sizes = if is_title_only { (84.0, 36.0) } else { (52.0, 32.0) };
    let second = card.second.as_deref().and_then(|text| line(Cut::Open, text, second_sizes, height_available * 0.24));
    let second_height = second.as_ref().map_or(0.0, |block| block.height + 30.0);
    let largest = match (height_available > 300.0, is_title_only) {
        (true, true) => 250.0,
        (true, false) => 150.0,
        _ => 96.0,
    };
    let title_height = bottom - top - second_height - 14.0;
    let heading = |text: &str| line(Cut::Closed, text, (largest, 30.0), title_height);
    let Some(title) = heading(&card.title).or_else(|| heading(&branding.full_name)) else { return };
    if is_title_only {
        top += ((bottom - top - second_height - title.height) / 2.0).max(0.0);
    }
    let title_bottom = canvas.write(Some(&title), LEFT, top, palette.ink);
    canvas.write(second.as_ref(), LEFT, title_bottom + 30.0, palette.accent);
}

/// Draws the festival's own card: its name fills the beam.
fn draw_festival(canvas: &mut Canvas, branding: &Branding, picture: Option<&DynamicImage>) -> Option<()> {
    let light = beam(0.0, HEIGHT as f32)?;
    if let Some(picture) = picture {
        canvas.picture(picture, (0.0, 0.0, WIDTH as f32, HEIGHT as f32), Some(&light), 0.5);
        canvas.fill(&light, LIGHT, 143); // 56 per cent opaque, as on the home page.
    } else {
        canvas.fill(&light, LIGHT, 255);
    }
    if let Some(name) = wordmark_path(&branding.name, LEFT, 44.0, RIGHT - LEFT, 300.0) {
        canvas.fill(&name, NIGHT, 255);
    }
    let text_box = |height, sizes| TextBox { width: RIGHT - LEFT, height, sizes };
    let dates = TextBlock::fit(Cut::Text, &branding.dates, text_box(44.0, (42.0, 24.0)));
    let bottom = BOTTOM - dates.as_ref().map_or(0.0, |block| block.height);
    canvas.write(dates.as_ref(), LEFT, bottom, NIGHT);
    let name = TextBlock::fit(Cut::Closed, &branding.full_name, text_box(150.0, (76.0, 30.0)))?;
    canvas.write(Some(&name), LEFT, bottom - 24.0 - name.height, NIGHT);
    Some(())
}

/// Draws the number of the edition to the right of the text.
fn draw_ordinal(canvas: &mut Canvas, branding: &Branding) {
    let text_box = TextBox { width: 226.0, height: 300.0, sizes: (400.0, 40.0) };
    if let Some(block) = branding.ordinal.and_then(|number| TextBlock::fit(Cut::Closed, &number.to_string(), text_box))
    {
        canvas.write(Some(&block), RIGHT + 38.0, BOTTOM - block.height, TURMERIC);
    }
}

/// Draws the festival's name and dates in the dark part on the left.
fn draw_branding(canvas: &mut Canvas, branding: &Branding, palette: &Palette) {
    let (left, width) = (LAMP.0, 168.0);
    if let Some(name) = wordmark_path(&branding.name, left, 462.0, width, 70.0) {
        canvas.fill(&name, palette.light, 255);
    }
    let text_box = TextBox { width: 196.0, height: 48.0, sizes: (22.0, 16.0) };
    let dates = TextBlock::fit(Cut::Text, &branding.dates, text_box);
    let height = dates.as_ref().map_or(0.0, |block| block.height);
    canvas.write(dates.as_ref(), left, BOTTOM + 12.0 - height, PAPER);
}

/// Height of a capital letter, in ems.
const CAP_HEIGHT: f32 = 0.639;
/// Ratio of the heights of the wall's near and far ends.
const DEPTH: f32 = 4.0;

/// Returns the outlines of `name` on a wall that recedes to the left, `height` pixels high at its right end; none if no
/// letter of the name can be drawn.
fn wordmark_path(name: &str, left: f32, top: f32, width: f32, height: f32) -> Option<Path> {
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
