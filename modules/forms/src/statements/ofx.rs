//! OFX, the format of accounting programs: SGML without end tags (version 1) or XML (version 2).

use jiff::civil::Date;

use super::mt940::currency_of;
use super::statement::{BankLine, Statement, decimal, one_line};
use crate::amount::Amount;

/// Whether a text is one.
pub(super) fn is_one(text: &str) -> bool {
    text.contains("<OFX>") || text.trim_start().starts_with("OFXHEADER")
}

/// Reads the transactions of all accounts of a file. Days are as written: the time zone behind a time moves none.
pub(super) fn read(text: &str) -> Statement {
    let mut statement = Statement::default();
    let currency = value(text, "CURDEF").map_or_else(|| "INR".to_owned(), |code| code.to_uppercase());
    let (mut rest, mut line) = (text, 1);
    while let Some(start) = rest.find("<STMTTRN>") {
        line += rest[..start].matches('\n').count() as u64;
        rest = &rest[start + "<STMTTRN>".len()..];
        let end = ["</STMTTRN>", "<STMTTRN>", "</BANKTRANLIST>"].iter().filter_map(|tag| rest.find(tag)).min();
        let end = end.unwrap_or(rest.len());
        match transaction(line, &rest[..end], &currency) {
            Ok(found) => statement.lines.push(found),
            Err(problem) => statement.problem(line, problem),
        }
        line += rest[..end].matches('\n').count() as u64;
        rest = &rest[end..];
    }
    statement
}

fn transaction(line: u64, text: &str, currency: &str) -> Result<BankLine, String> {
    let get = |tag: &str| value(text, tag).unwrap_or_default();
    let (posted, amount) = (get("DTPOSTED"), get("TRNAMT"));
    let part = |range: std::ops::Range<usize>| posted.get(range).and_then(|digits| digits.parse::<i16>().ok());
    let day = part(0..4)
        .zip(part(4..6))
        .zip(part(6..8))
        .and_then(|((year, month), day)| Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok());
    let day = day.ok_or_else(|| format!("“{posted}” is no date; download the statement again"))?;
    // Decimals after a comma or a point; some banks group all the same.
    let is_grouped =
        amount.contains(',') && (amount.contains('.') || amount.rsplit(',').next().is_some_and(|end| end.len() == 3));
    let hundredths = match is_grouped {
        true => Amount::read_signed(&amount).map(|(amount, _)| amount.hundredths),
        false => decimal(&amount),
    };
    let hundredths = hundredths.ok_or_else(|| format!("“{amount}” is no amount; download the statement again"))?;
    let words = |tags: &[&str]| {
        let texts = tags.iter().filter_map(|tag| value(text, tag)).filter(|text| !text.is_empty());
        texts.collect::<Vec<_>>().join(" ")
    };
    Ok(BankLine {
        line,
        day,
        value_day: None,
        narration: words(&["NAME", "MEMO"]),
        number: words(&["REFNUM", "CHECKNUM", "FITID"]),
        amount: Amount { hundredths, currency: currency_of(currency)? },
        balance: None,
    })
}

/// The value after the first tag of this name, up to the next tag or the end of the line.
fn value(text: &str, tag: &str) -> Option<String> {
    let open = format!("<{tag}>");
    let rest = &text[text.find(&open)? + open.len()..];
    let end = rest.find(['<', '\n', '\r']).unwrap_or(rest.len());
    let plain = [("&lt;", "<"), ("&gt;", ">"), ("&nbsp;", " "), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    Some(one_line(&plain.iter().fold(rest[..end].to_owned(), |text, (from, to)| text.replace(from, to))))
}
