//! How far long work has come.

use indicatif::{ProgressBar, ProgressStyle};

/// Fewer steps than this are done before a bar could be read.
const WORTH_IT: u64 = 1_000;

/// A bar on a terminal, nothing elsewhere and nothing for short work. Words in between go to standard error.
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// For `length` steps of `things`.
    pub fn new(length: u64, things: &str) -> Self {
        if length < WORTH_IT {
            return Self { bar: ProgressBar::hidden() };
        }
        let style = ProgressStyle::with_template(&format!("{{bar:40}} {{pos}} of {{len}} {things}, {{eta}} left"));
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        Self { bar: ProgressBar::new(length).with_style(style) }
    }

    /// One step is done.
    pub fn step(&self) {
        self.bar.inc(1);
    }

    /// Says something without spoiling the bar.
    pub fn say(&self, words: &str) {
        self.bar.suspend(|| eprintln!("{words}"));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
