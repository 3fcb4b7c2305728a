//! camt.053, the statement of ISO 20022, in XML. Entities are refused, and the size is limited.

use std::collections::HashSet;

use festival_core::sheet::Row;
use roxmltree::{Document, Error, Node, ParsingOptions};

use super::grid;

/// Maximum number of elements, texts and attributes.
const MAX_NODES: u32 = 4_000_000;
/// Maximum depth of elements; banks nest a dozen.
const MAX_DEPTH: usize = 50;
/// Elements of an entry with the bank's words, and with numbers.
const WORDS: &[&str] = &["Ustrd", "AddtlNtryInf", "AddtlTxInf"];
const NUMBERS: &[&str] = &["AcctSvcrRef", "EndToEndId", "TxId", "InstrId", "UETR", "NtryRef", "ClrSysRef", "Ref"];
/// Elements with the payer's name.
const PAYERS: &[&str] = &["Dbtr", "UltmtDbtr"];

/// Whether a text is one.
pub(super) fn is_one(text: &str) -> bool {
    text.starts_with('<') && text.contains("BkToCstmrStmt")
}

/// Returns the booked entries of all statements of a file as rows of a table, numbered from 1.
///
/// # Errors
/// If it is not well-formed, or has what no bank writes: a document type, millions of elements.
pub(super) fn rows(text: &str) -> Result<Vec<Row>, String> {
    let options = ParsingOptions { nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| {
        let reason = if error == Error::DtdDetected { "it declares a document type".into() } else { error.to_string() };
        format!("the statement is no valid camt.053 ({reason}); download it again")
    })?;
    if document.descendants().any(|node| node.ancestors().nth(MAX_DEPTH).is_some()) {
        return Err("the statement is no valid camt.053 (elements are nested too deeply); download it again".to_owned());
    }
    let mut rows = vec![grid::header()];
    let mut line = 0;
    for statement in named(document.root(), "Stmt") {
        let balance = |kinds: &[&str], label: &str| {
            let mut balances =
                named(statement, "Bal").filter(|node| kinds.contains(&&*text_at(*node, "Tp/CdOrPrtry/Cd")));
            balances.next().map(|node| grid::row(0, ["", "", label, "", "", &amount_of(node)]))
        };
        rows.push(grid::account(&["IBAN", "Othr/Id"].map(|id| text_at(statement, &format!("Acct/Id/{id}"))).concat()));
        rows.extend(balance(&["OPBD", "PRCD"], "Opening balance"));
        for entry in named(statement, "Ntry") {
            line += 1;
            rows.push(entry_row(line, entry));
        }
        rows.extend(balance(&["CLBD"], "Closing balance"));
    }
    Ok(rows)
}

/// The elements of this name below a node.
fn named<'a, 'input>(node: Node<'a, 'input>, name: &'static str) -> impl Iterator<Item = Node<'a, 'input>> {
    node.descendants().filter(move |node| name_of(*node) == name)
}

fn entry_row(line: u64, entry: Node<'_, '_>) -> Row {
    let day = |name: &str| {
        let texts = ["Dt", "DtTm"].map(|kind| text_at(entry, &format!("{name}/{kind}")));
        texts.iter().find_map(|text| text.get(..10)).unwrap_or_default().to_owned()
    };
    let (booked, value_day) = (day("BookgDt"), day("ValDt"));
    let is_payer = |node: &Node<'_, '_>| node.ancestors().any(|above| PAYERS.contains(&name_of(above)));
    let is_narration =
        |node: &Node<'_, '_>| WORDS.contains(&name_of(*node)) || name_of(*node) == "Nm" && is_payer(node);
    let number = texts(entry, |node| NUMBERS.contains(&name_of(*node)) && node.text() != Some("NOTPROVIDED"));
    let narration = texts(entry, is_narration);
    let is_pending = ["Sts/Cd", "Sts"].iter().any(|path| ["PDNG", "INFO"].contains(&&*text_at(entry, path)));
    // What is not booked yet moves no money.
    let amount = if is_pending { "+0".to_owned() } else { amount_of(entry) };
    let day = if booked.is_empty() { &value_day } else { &booked };
    let narration = if narration.is_empty() { &number } else { &narration };
    grid::row(line, [day, &value_day, narration, &number, &amount, ""])
}

fn name_of<'a>(node: Node<'a, '_>) -> &'a str {
    node.tag_name().name()
}

fn child<'a, 'input>(node: Node<'a, 'input>, name: &str) -> Option<Node<'a, 'input>> {
    node.children().find(|child| name_of(*child) == name)
}

/// The text of the element at a path, "" without one.
fn text_at(node: Node<'_, '_>, path: &str) -> String {
    let target = path.split('/').try_fold(node, child);
    target.and_then(|node| node.text()).unwrap_or_default().trim().to_owned()
}

/// The amount of an entry or a balance with currency and direction; the indicator says that of a reversal, too.
fn amount_of(node: Node<'_, '_>) -> String {
    let currency = child(node, "Amt").and_then(|amount| amount.attribute("Ccy")).unwrap_or_default();
    let direction = match &*text_at(node, "CdtDbtInd") {
        "CRDT" => "Cr",
        "DBIT" => "Dr",
        _ => "without direction",
    };
    format!("{currency} {} {direction}", grid::with_point(&text_at(node, "Amt")))
}

/// The texts of elements of an entry, each once.
fn texts(entry: Node<'_, '_>, is_wanted: impl Fn(&Node<'_, '_>) -> bool) -> String {
    let mut seen = HashSet::new();
    let texts = entry.descendants().filter(is_wanted).filter_map(|node| node.text()).map(str::trim);
    let texts = texts.filter(|text| !text.is_empty() && seen.insert(*text));
    texts.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::rows;

    fn statement(entries: &str) -> String {
        format!("<Document><BkToCstmrStmt><Stmt>{entries}</Stmt></BkToCstmrStmt></Document>")
    }

    #[test]
    fn elements_within_too_many_others_are_refused() {
        for (depth, is_read) in [(10, true), (60, false), (100_000, false)] {
            let nested = statement(&format!("{}{}", "<Ntry>".repeat(depth), "</Ntry>".repeat(depth)));
            assert_eq!(rows(&nested).is_ok(), is_read, "{depth}");
        }
    }

    #[test]
    fn texts_of_an_entry_are_listed_once_and_in_their_order() {
        let entry = "<Ntry><Ref>B</Ref><TxId>A</TxId><Ref>B</Ref><Ref> </Ref></Ntry>";
        let rows = rows(&statement(entry)).unwrap_or_default();
        // Behind the header and the account.
        assert_eq!(&rows[2].cells[3], "B A");
    }
}
