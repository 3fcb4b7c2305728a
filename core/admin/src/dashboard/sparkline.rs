//! Bar charts of the dashboard, with the same numbers as text.

use jiff::civil::Date;
use serde_json::{Value, json};

use super::Days;

/// Width of a day, in units of the drawing. With narrower gaps the bars would merge on small screens.
const DAY_WIDTH: usize = 10;
/// Width of a bar.
const BAR_WIDTH: i64 = 7;
/// Height of the drawing.
const HEIGHT: i64 = 64;

/// A chart: a count for each of the last 30 days.
#[derive(Clone, Debug)]
pub struct Metric {
    /// The label: "Delegates".
    pub label: String,
    /// The page that lists the rows.
    pub href: String,
    /// Counts in ascending order of days, today last; computed by [`Days::counts_by_day`].
    pub counts: Vec<i64>,
}

/// Returns a chart for the template.
pub(super) fn sparkline(metric: &Metric, days: &Days) -> Value {
    let max = metric.counts.iter().copied().max().unwrap_or_default();
    let label = |day: &Date| day.strftime("%-d %b").to_string();
    let (mut bars, mut table, mut peak) = (Vec::new(), Vec::new(), None);
    for (x, (day, count)) in (0..).step_by(DAY_WIDTH).zip(days.dates().iter().zip(&metric.counts)) {
        if *count > 0 {
            // Every bar is high enough to be seen.
            let height = (count * HEIGHT / max).max(2);
            bars.push(json!({ "x": x, "y": HEIGHT - height, "width": BAR_WIDTH, "height": height }));
            table.push(json!({ "day": label(day), "count": count }));
            if *count == max {
                peak = Some(format!("most on {}: {count}", label(day)));
            }
        }
    }
    // The latest first.
    table.reverse();
    json!({
        "label": metric.label,
        "href": metric.href,
        "total": metric.counts.iter().sum::<i64>(),
        "today": metric.counts.last(),
        "width": DAY_WIDTH * metric.counts.len(),
        "height": HEIGHT,
        "bars": bars,
        "first": days.dates().first().map(label),
        "last": days.dates().last().map(label),
        // The latest day with the highest count.
        "peak": peak,
        "table": table,
    })
}
