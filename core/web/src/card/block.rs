//! Blocks of text: broken into lines and made smaller until they fit their box.

use super::letters::{Cut, Shaped, drawable, is_rtl, shape};

/// What a text has room for, in pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    pub(super) width: f32,
    pub(super) height: f32,
    /// The largest and the smallest size of its letters.
    pub(super) sizes: (f32, f32),
}

/// Lines of one size.
pub(super) struct Block {
    lines: Vec<Shaped>,
    size: f32,
    leading: f32,
    /// From the top of the highest ink to the first baseline, in ems.
    rise: f32,
    /// From the top of the highest ink to the foot of the lowest, in pixels.
    pub(super) height: f32,
    /// How wide the lines may be, in pixels, where they end at the right: what is read from right to left.
    rtl: Option<f32>,
}

/// How much smaller the next try is.
const STEP: f32 = 0.95;
/// Down to this size words stay whole; where that is not enough, a little larger text with broken ones is better.
const WHOLE_WORDS: f32 = 44.0;

impl Block {
    /// The text as large as its room allows; nothing where no letter of it can be drawn.
    pub(super) fn fit(cut: Cut, text: &str, room: Room) -> Option<Self> {
        let text = drawable(text)?;
        let (largest, smallest) = room.sizes;
        let floor = smallest.max(WHOLE_WORDS.min(largest * 0.7));
        for (whole, from, to) in [(true, largest, floor), (false, floor.max(largest * 0.6), smallest)] {
            let mut size = from;
            while size >= to {
                let width = room.width / size;
                if let Some(lines) = lines(cut, &text, width, whole)
                    && Self::new(cut, &lines, size).height <= room.height
                {
                    return Some(Self::new(cut, &balanced(cut, &text, width, lines), size).turned(&text, room));
                }
                size *= STEP;
            }
        }
        Some(Self::cut_off(cut, &text, room).turned(&text, room))
    }

    /// As much of the text as there is room for at the smallest size, with an ellipsis.
    fn cut_off(cut: Cut, text: &str, room: Room) -> Self {
        let size = room.sizes.1;
        let mut lines = lines(cut, text, room.width / size, false).unwrap_or_default();
        let all = lines.len();
        while lines.len() > 1 && Self::new(cut, &lines, size).height > room.height {
            lines.pop();
        }
        let shortened = lines.len() < all;
        if let Some(last) = lines.last_mut().filter(|_| shortened) {
            while shape(cut, &format!("{last}…")).width > room.width / size {
                let joint = || shape(cut, last).joints.pop().map(|(at, _)| at);
                let letter = || last.char_indices().next_back().map(|(at, _)| at);
                let Some(at) = last.rfind(' ').or_else(joint).or_else(letter).filter(|at| *at > 0) else { break };
                last.truncate(at);
            }
            *last = format!("{}…", last.trim_end());
        }
        Self::new(cut, &lines, size)
    }

    fn new(cut: Cut, lines: &[String], size: f32) -> Self {
        let tall =
            lines.iter().any(|line| line.contains(|c| matches!(c, '\u{600}'..='\u{77F}' | '\u{900}'..='\u{D7F}')));
        let leading = match (tall, cut) {
            (true, _) => 1.22,
            (false, Cut::Closed) => 0.92,
            (false, _) => 1.2,
        };
        let lines = lines.iter().map(|line| shape(cut, line)).collect();
        let mut block = Self { lines, size, leading, rise: 0.0, height: 0.0, rtl: None };
        if let Some(bounds) = block.path(0.0, 0.0).map(|path| path.bounds()) {
            block.rise = -bounds.top() / size;
            block.height = bounds.height();
        }
        block
    }

    /// With its lines at the right where the text is read from there.
    fn turned(self, text: &str, room: Room) -> Self {
        Self { rtl: is_rtl(text).then_some(room.width), ..self }
    }

    /// The outlines, the highest ink at `top`.
    pub(super) fn path(&self, left: f32, top: f32) -> Option<tiny_skia::Path> {
        let mut pen = tiny_skia::PathBuilder::new();
        let mut baseline = top + self.rise * self.size;
        for line in &self.lines {
            let left = left + self.rtl.map_or(0.0, |width| (width - line.width * self.size).max(0.0));
            line.outline(&|x, y| (left + x * self.size, baseline + y * self.size), &mut pen);
            baseline += self.leading * self.size;
        }
        pen.finish()
    }
}

/// The text in lines of at most `width` ems; `None` where a word is wider and has to stay whole.
fn lines(cut: Cut, text: &str, width: f32, whole: bool) -> Option<Vec<String>> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
        if shape(cut, &longer).width <= width {
            line = longer;
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
            if whole {
                return None;
            }
            let fits = |(at, reach): &&(usize, f32)| *at > 0 && *reach <= width;
            let joint = shaped.joints.iter().rev().find(fits).map(|(at, _)| *at);
            let Some(at) = joint.or_else(|| longest(cut, rest, width)) else { break };
            lines.push(rest[..at].to_owned());
            rest = &rest[at..];
        }
        line = rest.to_owned();
    }
    lines.push(line);
    Some(lines)
}

/// Where a word without joints has to end so that it fits; at least one letter stays.
fn longest(cut: Cut, word: &str, width: f32) -> Option<usize> {
    let ends: Vec<usize> = word.char_indices().map(|(at, _)| at).skip(1).collect();
    let fitting = ends.partition_point(|end| shape(cut, &word[..*end]).width <= width);
    ends.get(fitting.saturating_sub(1)).copied()
}

/// As many lines, but of about the same length.
fn balanced(cut: Cut, text: &str, width: f32, lines_now: Vec<String>) -> Vec<String> {
    let mut best = lines_now;
    for share in [0.92, 0.84, 0.76, 0.68, 0.6] {
        match lines(cut, text, width * share, true) {
            Some(narrow) if narrow.len() == best.len() => best = narrow,
            _ => break,
        }
    }
    best
}
