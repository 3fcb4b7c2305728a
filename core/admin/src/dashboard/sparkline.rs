//! Bar charts of the dashboard, with the same numbers as text.

use jiff::civil::Date;
use serde::Serialize;

use super::Days;

/// Width of a day, in units of the drawing. With narrower gaps the bars would merge on small screens.
const DAY_WIDTH: i64 = 10;
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

/// A chart for the template.
#[derive(Serialize)]
pub(super) struct Sparkline {
    label: String,
    href: String,
    total: i64,
    today: i64,
    width: i64,
    height: i64,
    bars: Vec<Bar>,
    /// The first day.
    first: Option<String>,
    /// The last day.
    last: Option<String>,
    /// The day with the highest count: "most on 3 Dec: 12".
    peak: Option<String>,
    /// The days with counts, the latest first.
    table: Vec<Row>,
}

#[derive(Serialize)]
struct Bar {
    x: i64,
    y: i64,
    width: i64,
    height: i64,
}

#[derive(Serialize)]
struct Row {
    day: String,
    count: i64,
}

impl Sparkline {
    pub(super) fn new(metric: &Metric, days: &Days) -> Self {
        let max = metric.counts.iter().copied().max().unwrap_or_default();
        let counted: Vec<(&Date, i64)> =
            days.dates().iter().zip(metric.counts.iter().copied()).filter(|(_, count)| *count > 0).collect();
        let label = |day: &Date| day.strftime("%-d %b").to_string();
        let peak = counted.iter().rev().find(|(_, count)| *count == max);
        Self {
            label: metric.label.clone(),
            href: metric.href.clone(),
            total: metric.counts.iter().sum(),
            today: metric.counts.last().copied().unwrap_or_default(),
            width: DAY_WIDTH * metric.counts.len() as i64,
            height: HEIGHT,
            bars: bars(&metric.counts, max),
            first: days.dates().first().map(label),
            last: days.dates().last().map(label),
            peak: peak.map(|(day, count)| format!("most on {}: {count}", label(day))),
            table: counted.iter().rev().map(|(day, count)| Row { day: label(day), count: *count }).collect(),
        }
    }
}

/// Returns a bar for each day with a count. Every bar is high enough to be seen.
fn bars(counts: &[i64], max: i64) -> Vec<Bar> {
    let bar = |(index, count): (i64, i64)| {
        let height = (count * HEIGHT / max.max(1)).max(2);
        Bar { x: index * DAY_WIDTH, y: HEIGHT - height, width: BAR_WIDTH, height }
    };
    (0..).zip(counts.iter().copied()).filter(|(_, count)| *count > 0).map(bar).collect()
}
