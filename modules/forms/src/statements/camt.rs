//! camt.053, the statement of ISO 20022, in XML. Entities are refused, and the depth is limited.

use jiff::civil::Date;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use super::html::character;
use super::mt940::currency_of;
use super::statement::{BankLine, Statement, decimal, one_line};
use crate::amount::Amount;

const MAX_DEPTH: usize = 40;
const MAX_ENTRIES: u64 = 100_000;

/// Whether a text is one.
pub(super) fn is_one(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').trim_start().starts_with('<') && text.contains("BkToCstmrStmt")
}

/// Reads the booked entries of all statements of a file.
///
/// # Errors
/// If it is not well-formed, or has what no bank writes: a document type, thousands of levels.
pub(super) fn read(text: &str) -> Result<Statement, String> {
    let broken =
        |error: &dyn std::fmt::Display| format!("the statement is no valid camt.053 ({error}); download it again");
    let mut reader = Reader::from_str(text);
    let mut parser = Parser::default();
    loop {
        match reader.read_event().map_err(|error| broken(&error))? {
            Event::Start(tag) => parser.start(&tag)?,
            Event::Empty(tag) => {
                parser.start(&tag)?;
                parser.end();
            }
            Event::End(_) => parser.end(),
            Event::Text(text) => parser.text.push_str(&text.xml_content(XmlVersion::Implicit1_0)),
            Event::CData(text) => parser.text.push_str(&text.xml_content(XmlVersion::Implicit1_0)),
            Event::GeneralRef(reference) => parser.text.push_str(&character(&reference)),
            Event::DocType(_) => return Err(broken(&"it declares a document type")),
            Event::Eof => break,
            _ => {}
        }
    }
    if !parser.path.is_empty() {
        return Err(broken(&"it ends too early"));
    }
    let mut statement = parser.statement;
    statement.check_balances();
    Ok(statement)
}

/// An entry, or a balance, while it is read.
#[derive(Default)]
struct Open {
    amount: String,
    currency: String,
    is_credit: Option<bool>,
    status: String,
    booked: String,
    value: String,
    kind: String,
    words: Vec<String>,
    numbers: Vec<String>,
}

#[derive(Default)]
struct Parser {
    statement: Statement,
    path: Vec<String>,
    text: String,
    open: Open,
    entries: u64,
}

impl Parser {
    fn start(&mut self, tag: &BytesStart<'_>) -> Result<(), String> {
        let name = tag.name().local_name().as_ref().to_owned();
        self.text.clear();
        if matches!(name.as_str(), "Ntry" | "Bal") {
            self.open = Open::default();
            self.entries += u64::from(name == "Ntry");
        }
        self.path.push(name);
        if self.is_at(&["Amt"]) {
            let currency = tag.attributes().flatten().find(|attribute| attribute.key.local_name().as_ref() == "Ccy");
            let currency = currency.and_then(|code| code.normalized_value(XmlVersion::Implicit1_0).ok());
            self.open.currency = currency.map(std::borrow::Cow::into_owned).unwrap_or_default();
        }
        match self.path.len() > MAX_DEPTH || self.entries > MAX_ENTRIES {
            true => Err("the statement is larger than what can be read at once; download a shorter period".to_owned()),
            false => Ok(()),
        }
    }

    /// Whether the path ends with these names below an entry or a balance.
    fn is_at(&self, names: &[&str]) -> bool {
        let path: Vec<&str> = self.path.iter().map(String::as_str).collect();
        path.strip_suffix(names).is_some_and(|above| matches!(above.last(), Some(&("Ntry" | "Bal"))))
    }

    fn end(&mut self) {
        let text = one_line(&std::mem::take(&mut self.text));
        let name = self.path.last().cloned().unwrap_or_default();
        let is_entry = self.path.iter().any(|name| name == "Ntry");
        let parent = self.path.iter().rev().nth(1).map(String::as_str).unwrap_or_default();
        match name.as_str() {
            "Amt" if self.is_at(&["Amt"]) => self.open.amount = text,
            "CdtDbtInd" if self.is_at(&["CdtDbtInd"]) => self.open.is_credit = Some(text == "CRDT"),
            "Sts" if self.is_at(&["Sts"]) && !text.is_empty() => self.open.status = text,
            "Cd" if self.is_at(&["Sts", "Cd"]) => self.open.status = text,
            "Cd" if self.is_at(&["Tp", "CdOrPrtry", "Cd"]) => self.open.kind = text,
            "Dt" | "DtTm" if parent == "BookgDt" => self.open.booked = text,
            "Dt" | "DtTm" if parent == "ValDt" => self.open.value = text,
            "Ustrd" | "AddtlNtryInf" | "AddtlTxInf" if is_entry => self.open.words.push(text),
            "Nm" if is_entry && self.path.iter().any(|name| matches!(name.as_str(), "Dbtr" | "UltmtDbtr")) => {
                self.open.words.push(text);
            }
            "AcctSvcrRef" | "EndToEndId" | "TxId" | "InstrId" | "UETR" | "NtryRef" | "ClrSysRef" | "Ref"
                if is_entry && text != "NOTPROVIDED" =>
            {
                self.open.numbers.push(text);
            }
            "Bal" => self.balance(),
            "Ntry" => self.entry(),
            _ => {}
        }
        self.path.pop();
    }

    fn signed(&self) -> Option<i64> {
        decimal(&self.open.amount).map(|amount| if self.open.is_credit == Some(false) { -amount } else { amount })
    }

    fn balance(&mut self) {
        let balance = self.signed();
        match self.open.kind.as_str() {
            "OPBD" | "PRCD" => self.statement.opening = self.statement.opening.or(balance),
            "CLBD" => self.statement.closing = balance.or(self.statement.closing),
            _ => {}
        }
    }

    /// The entry that has ended. The indicator says the direction of a reversal, too.
    fn entry(&mut self) {
        let line = self.entries;
        let day = |text: &str| text.get(..10).and_then(|day| day.parse::<Date>().ok());
        let (booked, value_day) = (day(&self.open.booked), day(&self.open.value));
        if self.open.status == "PDNG" || self.open.status == "INFO" {
            return self.statement.note(line, "is not booked yet and was left out");
        }
        let amount = self.signed().filter(|_| self.open.is_credit.is_some());
        let currency = currency_of(&self.open.currency);
        let (Some(hundredths), Some(day)) = (amount, booked.or(value_day)) else {
            let text = format!("entry {line} has no amount, no direction or no day; download the statement again");
            return self.statement.problem(line, text);
        };
        let currency = match currency {
            Ok(currency) => currency,
            Err(problem) => return self.statement.problem(line, problem),
        };
        let unique = |texts: &mut Vec<String>| {
            let mut unique: Vec<String> = Vec::new();
            for text in texts.drain(..).filter(|text| !text.is_empty()) {
                if !unique.contains(&text) {
                    unique.push(text);
                }
            }
            unique.join(" ")
        };
        let (narration, number) = (unique(&mut self.open.words), unique(&mut self.open.numbers));
        self.statement.lines.push(BankLine {
            line,
            day,
            value_day,
            narration: if narration.is_empty() { number.clone() } else { narration },
            number,
            amount: Amount { hundredths, currency },
            balance: None,
        });
    }
}
