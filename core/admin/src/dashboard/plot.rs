//! A curve as a small drawing of bars, with the same in words.

use jiff::civil::Date;
use serde_json::{Value, json};

use super::{Days, Metric};

/// The drawing, in its own units: wide bars without gaps that a narrow telephone swallows.
const STEP: i64 = 10;
const BAR: i64 = 7;
const HEIGHT: i64 = 64;

pub(super) fn drawn(metric: &Metric, days: &Days) -> Value {
    let most = metric.counts.iter().copied().max().unwrap_or_default();
    let total: i64 = metric.counts.iter().sum();
    let today = metric.counts.last().copied().unwrap_or_default();
    let counted: Vec<(&Date, i64)> = days.dates().iter().zip(metric.counts.iter().copied()).collect();
    let bars: Vec<Value> = counted
        .iter()
        .zip(0_i64..)
        .filter(|((_, count), _)| *count > 0)
        .map(|((_, count), place)| {
            // A day with anything at all is seen.
            let height = (count * HEIGHT / most.max(1)).max(2);
            json!({ "x": place * STEP, "y": HEIGHT - height, "width": BAR, "height": height })
        })
        .collect();
    let said = |day: &Date| day.strftime("%-d %b").to_string();
    let best = counted.iter().rev().find(|(_, count)| *count == most && most > 0);
    json!({
        "label": metric.label,
        "href": metric.href,
        "total": total,
        "today": today,
        "bars": bars,
        "width": STEP * metric.counts.len() as i64,
        "height": HEIGHT,
        "first": days.dates().first().map(said),
        "last": days.dates().last().map(said),
        "best": best.map(|(day, count)| format!("most on {}: {count}", said(day))),
        "table": counted
            .iter()
            .rev()
            .filter(|(_, count)| *count > 0)
            .map(|(day, count)| json!({ "day": said(day), "count": count }))
            .collect::<Vec<_>>(),
    })
}
