//! A progress bar on the terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// Minimum number of steps for a bar; fewer are done at once.
const MIN_STEPS: u64 = 1_000;

/// A progress bar, shown only on a terminal and for longer tasks. Messages go to standard error.
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Starts a bar of `length` steps; `unit` is their name in the plural.
    pub fn new(length: u64, unit: &str) -> Self {
        if length < MIN_STEPS { Self { bar: ProgressBar::hidden() } } else { Self::slow(length, unit) }
    }

    /// Starts a bar of steps that each take noticeable time.
    pub fn slow(length: u64, unit: &str) -> Self {
        let style = ProgressStyle::with_template(&format!("{{bar:40}} {{pos}} of {{len}} {unit}, {{eta}} left"));
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        Self { bar: ProgressBar::new(length).with_style(style) }
    }

    /// Advances the bar by one step.
    pub fn step(&self) {
        self.advance(1);
    }

    /// Advances the bar by some steps.
    pub fn advance(&self, steps: usize) {
        self.bar.inc(steps as u64);
    }

    /// Starts anew, after something that needs the terminal for itself.
    pub fn restart_after<T>(&self, action: impl FnOnce() -> T) -> T {
        self.bar.reset();
        self.bar.suspend(action)
    }

    /// Prints a message above the bar.
    pub fn print(&self, message: &str) {
        self.bar.suspend(|| eprintln!("{message}"));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
