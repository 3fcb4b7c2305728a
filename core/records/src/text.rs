//! Text for reports.

/// A value short enough for one line of a report.
pub fn shortened(value: &str) -> String {
    const LONGEST: usize = 60;
    let mut letters = value.trim().chars();
    let short: String = letters.by_ref().take(LONGEST).collect();
    if letters.next().is_some() { short + "…" } else { short }
}
