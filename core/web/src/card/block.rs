//! Blocks of text: broken into lines and shrunk until they fit their box.

use std::iter::successors;

use super::shaping::{Cut, ShapedLine, drawable, is_rtl, shape};

/// The space for a text, in pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextBox {
    pub(super) width: f32,
    pub(super) height: f32,
    /// The largest and the smallest font size.
    pub(super) sizes: (f32, f32),
}

/// Lines of one font size.
pub(super) struct TextBlock {
    lines: Vec<ShapedLine>,
    size: f32,
    /// Distance between baselines, in ems.
    leading: f32,
    /// From the top of the ink to the first baseline, in ems.
    ascent: f32,
    /// From the top to the bottom of the ink, in pixels.
    pub(super) height: f32,
    /// The width that the lines are right-aligned in, in pixels; none for text that is read from left to right.
    right_aligned_in: Option<f32>,
}

/// Factor from one font size to the next smaller one that is tried.
const SHRINK_FACTOR: f32 = 0.95;
/// Font size down to which words are not broken, in pixels. Below it, slightly larger text with broken words is
/// preferred.
const MIN_UNBROKEN_SIZE: f32 = 44.0;

impl TextBlock {
    /// Sets the text as large as its box allows; none if no letter of it can be drawn.
    pub(super) fn fit(cut: Cut, text: &str, bounds: TextBox) -> Option<Self> {
        let text = drawable(text)?;
        let (largest, smallest) = bounds.sizes;
        let floor = smallest.max(MIN_UNBROKEN_SIZE.min(largest * 0.7));
        for (unbroken, from, to) in [(true, largest, floor), (false, floor.max(largest * 0.6), smallest)] {
            let fitting_lines = |size: f32| {
                lines(cut, &text, bounds.width / size, unbroken)
                    .filter(|lines| Self::new(cut, lines, size).height <= bounds.height)
            };
            let sizes = successors(Some(from), |size| Some(size * SHRINK_FACTOR)).take_while(|size| *size >= to);
            let sizes: Vec<f32> = sizes.collect();
            // What fits at one size fits at every smaller one.
            let first_fitting = sizes.partition_point(|size| fitting_lines(*size).is_none());
            if let Some(size) = sizes.get(first_fitting).copied()
                && let Some(lines) = fitting_lines(size)
            {
                let lines = balanced(cut, &text, bounds.width / size, lines);
                return Some(Self::new(cut, &lines, size).aligned(&text, bounds));
            }
        }
        Some(Self::truncated(cut, &text, bounds).aligned(&text, bounds))
    }

    /// Sets as much of the text as fits at the smallest size, followed by an ellipsis.
    fn truncated(cut: Cut, text: &str, bounds: TextBox) -> Self {
        let size = bounds.sizes.1;
        let mut lines = lines(cut, text, bounds.width / size, false).unwrap_or_default();
        let total = lines.len();
        while lines.len() > 1 && Self::new(cut, &lines, size).height > bounds.height {
            lines.pop();
        }
        let shortened = lines.len() < total;
        if let Some(last) = lines.last_mut().filter(|_| shortened) {
            while shape(cut, &format!("{last}…")).width > bounds.width / size {
                let last_break = || shape(cut, last).breaks.pop().map(|(at, _)| at);
                let last_char = || last.char_indices().next_back().map(|(at, _)| at);
                let Some(at) = last.rfind(' ').or_else(last_break).or_else(last_char).filter(|at| *at > 0) else {
                    break;
                };
                last.truncate(at);
            }
            *last = format!("{}…", last.trim_end());
        }
        Self::new(cut, &lines, size)
    }

    fn new(cut: Cut, lines: &[String], size: f32) -> Self {
        let is_tall =
            lines.iter().any(|line| line.contains(|c| matches!(c, '\u{600}'..='\u{77F}' | '\u{900}'..='\u{D7F}')));
        let leading = match (is_tall, cut) {
            (true, _) => 1.22,
            (false, Cut::Closed) => 0.92,
            (false, _) => 1.2,
        };
        let lines = lines.iter().map(|line| shape(cut, line)).collect();
        let mut block = Self { lines, size, leading, ascent: 0.0, height: 0.0, right_aligned_in: None };
        if let Some(bounds) = block.path(0.0, 0.0).map(|path| path.bounds()) {
            block.ascent = -bounds.top() / size;
            block.height = bounds.height();
        }
        block
    }

    /// Right-aligns the lines if the text is read from right to left.
    fn aligned(self, text: &str, bounds: TextBox) -> Self {
        Self { right_aligned_in: is_rtl(text).then_some(bounds.width), ..self }
    }

    /// Returns the outlines, with the top of the ink at `top`; none if there is no ink.
    pub(super) fn path(&self, left: f32, top: f32) -> Option<tiny_skia::Path> {
        let mut pen = tiny_skia::PathBuilder::new();
        let mut baseline = top + self.ascent * self.size;
        for line in &self.lines {
            let left = left + self.right_aligned_in.map_or(0.0, |width| (width - line.width * self.size).max(0.0));
            line.outline(&|x, y| (left + x * self.size, baseline + y * self.size), &mut pen);
            baseline += self.leading * self.size;
        }
        pen.finish()
    }
}

/// Breaks the text into lines of at most `width` ems; none if a word is wider and must stay `unbroken`.
fn lines(cut: Cut, text: &str, width: f32, unbroken: bool) -> Option<Vec<String>> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        let candidate = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
        if shape(cut, &candidate).width <= width {
            line = candidate;
            continue;
        }
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        let mut rest = word;
        loop {
            let shaped = shape(cut, rest);
            if shaped.width <= width {
                break;
            }
            if unbroken {
                return None;
            }
            let fits = |(at, offset): &&(usize, f32)| *at > 0 && *offset <= width;
            let last_break = shaped.breaks.iter().rev().find(fits).map(|(at, _)| *at);
            let Some(at) = last_break.or_else(|| longest_prefix(cut, rest, width)) else { break };
            lines.push(rest[..at].to_owned());
            rest = &rest[at..];
        }
        line = rest.to_owned();
    }
    lines.push(line);
    Some(lines)
}

/// Returns the length in bytes of the longest prefix that fits in `width`, at least one character.
fn longest_prefix(cut: Cut, word: &str, width: f32) -> Option<usize> {
    let ends: Vec<usize> = word.char_indices().map(|(at, _)| at).skip(1).collect();
    let fitting = ends.partition_point(|end| shape(cut, &word[..*end]).width <= width);
    ends.get(fitting.saturating_sub(1)).copied()
}

/// Evens out the length of the lines without adding one.
fn balanced(cut: Cut, text: &str, width: f32, initial: Vec<String>) -> Vec<String> {
    let mut best = initial;
    for share in [0.92, 0.84, 0.76, 0.68, 0.6] {
        match lines(cut, text, width * share, true) {
            Some(narrow) if narrow.len() == best.len() => best = narrow,
            _ => break,
        }
    }
    best
}
