//! OFX, the format of accounting programs: SGML without end tags (version 1) or XML (version 2).

use std::collections::HashMap;

use festival_core::sheet::Row;

use super::grid;

/// Whether a text is one.
pub(super) fn is_one(text: &str) -> bool {
    text.contains("<OFX>") || text.starts_with("OFXHEADER")
}

/// Returns the transactions of all accounts of a file as rows of a table. Days are as written: the time zone behind a time
/// moves none.
pub(super) fn rows(text: &str) -> Vec<Row> {
    let mut rows = vec![grid::header()];
    let (mut line, mut currency) = (1, String::new());
    let mut open: Option<(u64, HashMap<&str, String>)> = None;
    for part in text.split('<').chain(["/STMTTRN>"]) {
        let (tag, value) = part.split_once('>').unwrap_or_default();
        if matches!(tag, "STMTTRN" | "/STMTTRN" | "/BANKTRANLIST")
            && let Some((line, fields)) = open.take()
        {
            rows.push(transaction(line, &fields, &currency));
        }
        match (tag, &mut open) {
            ("STMTTRN", _) => open = Some((line, HashMap::new())),
            ("CURDEF", _) => currency = plain(value),
            (_, Some((_, fields))) => {
                fields.entry(tag).or_insert_with(|| plain(value));
            }
            _ => {}
        }
        line += part.matches('\n').count() as u64;
    }
    rows
}

/// A value up to the end of its line.
fn plain(value: &str) -> String {
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&nbsp;", " "), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    let line = value.lines().next().unwrap_or_default().trim().to_owned();
    entities.iter().fold(line, |text, (from, to)| text.replace(from, to))
}

fn transaction(line: u64, fields: &HashMap<&str, String>, currency: &str) -> Row {
    let get = |tag: &str| fields.get(tag).map_or("", String::as_str);
    let joined = |tags: &[&str]| tags.iter().map(|tag| get(tag)).collect::<Vec<_>>().join(" ");
    let (amount, posted) = (get("TRNAMT"), get("DTPOSTED"));
    // Decimals after a comma or a point; some banks group all the same.
    let is_grouped =
        amount.contains(',') && (amount.contains('.') || amount.rsplit(',').next().is_some_and(|end| end.len() == 3));
    let amount = if is_grouped { amount.to_owned() } else { grid::with_point(amount) };
    // The sign says where the money went; some banks leave it to the type. A plus says that it is known.
    let (sign, direction) = match get("TRNTYPE") {
        "DEBIT" => ("", " Dr"),
        "CREDIT" if amount.starts_with('-') => ("", " Cr"), // A contradiction.
        _ if amount.starts_with(['-', '+']) => ("", ""),
        _ => ("+", ""),
    };
    let [narration, number] = [joined(&["NAME", "MEMO"]), joined(&["REFNUM", "CHECKNUM", "FITID"])];
    let (day, amount) = (grid::day(posted.get(..8).unwrap_or(posted)), format!("{currency} {sign}{amount}{direction}"));
    grid::row(line, [&day, "", &narration, &number, &amount, ""])
}
