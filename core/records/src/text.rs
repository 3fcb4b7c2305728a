//! Shortening texts for reports.

/// The trimmed value, cut to 60 characters and an ellipsis.
pub fn shortened(value: &str) -> String {
    const MAX_CHARS: usize = 60;
    let mut letters = value.trim().chars();
    let short: String = letters.by_ref().take(MAX_CHARS).collect();
    if letters.next().is_some() { short + "…" } else { short }
}
