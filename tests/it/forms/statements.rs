//! Bank statements in the layouts of banks and in all formats: the same lines whatever wrote them.

use std::io::Write as _;
use std::path::Path;

use festival_core::export::{Cell, Column, Format, TableWriter};
use serde_json::Value;

use super::statement_banks::{BANKS, LINES, statement};
use crate::admin::records_command::run;
use crate::support::{Database, TestApp};

on_both!(
    layouts_of_seven_banks_are_read_alike_from_three_writers,
    text_formats_are_read_with_their_dates_and_signs,
    signs_of_one_column_are_read_and_unreadable_amounts_refuse_the_file,
    days_are_read_beside_times_of_either_clock,
    days_without_their_format_are_read,
    money_is_neither_invented_nor_turned_round,
    columns_that_somebody_assigned_are_remembered_for_the_bank,
    files_that_are_no_statements_are_refused_with_advice,
);

fn write_csv(path: &Path, rows: &[Vec<String>]) {
    let quoted = |cell: &String| if cell.contains(',') { format!("\"{cell}\"") } else { cell.clone() };
    let lines: Vec<String> = rows.iter().map(|row| row.iter().map(quoted).collect::<Vec<_>>().join(",")).collect();
    std::fs::write(path, lines.join("\r\n")).unwrap();
}

fn write_xlsx(path: &Path, rows: &[Vec<String>]) {
    let width = rows.iter().map(Vec::len).max().unwrap();
    let cells = |row: &Vec<String>| -> Vec<String> {
        (0..width).map(|index| row.get(index).cloned().unwrap_or_default()).collect()
    };
    let columns: Vec<Column> = cells(&rows[0]).iter().map(|title| Column::new(title, title)).collect();
    let file = std::fs::File::create(path).unwrap();
    let mut table = TableWriter::new(Format::Xlsx, file, &columns, false, path.parent().unwrap()).unwrap();
    for row in &rows[1..] {
        let cells: Vec<Cell> = cells(row).iter().map(Cell::text).collect();
        table.row(&cells).unwrap();
    }
    table.finish().unwrap();
}

fn write_html(path: &Path, rows: &[Vec<String>]) {
    let cell = |cell: &String| format!("<td nowrap>{}</td>", cell.replace('&', "&amp;").replace(' ', "&nbsp;"));
    let row = |row: &Vec<String>| format!("<tr class=row>{}\n", row.iter().map(cell).collect::<String>());
    let table: String = rows.iter().map(row).collect();
    std::fs::write(path, format!("<html><body><br><table border=1>{table}</table></body></html>")).unwrap();
}

/// Writes worksheets, each a name and rows in CSV, in which numbers are cells without a format, and moments in UTC dates, as
/// SheetJS writes days.
fn write_ods(path: &Path, sheets: &[(&str, &str)]) {
    let cell = |text: &str| match text.parse::<f64>() {
        Ok(_) => format!("<table:table-cell office:value-type=\"float\" office:value=\"{text}\"/>"),
        Err(_) if text.ends_with('Z') => {
            format!("<table:table-cell office:value-type=\"date\" office:date-value=\"{text}\"/>")
        }
        Err(_) => format!("<table:table-cell><text:p>{text}</text:p></table:table-cell>"),
    };
    let row =
        |row: &str| format!("<table:table-row>{}</table:table-row>", row.split(',').map(cell).collect::<String>());
    let table = |(name, rows): &(&str, &str)| {
        format!("<table:table table:name=\"{name}\">{}</table:table>", rows.lines().map(row).collect::<String>())
    };
    let mut archive = zip::ZipWriter::new(std::fs::File::create(path).unwrap());
    for (name, content) in [
        ("mimetype", "application/vnd.oasis.opendocument.spreadsheet".to_owned()),
        (
            "content.xml",
            format!("<office:spreadsheet>{}</office:spreadsheet>", sheets.iter().map(table).collect::<String>()),
        ),
    ] {
        archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(content.as_bytes()).unwrap();
    }
    archive.finish().unwrap();
}

/// Imports a file without keeping it, and returns the day, amount and narration of its lines.
pub(super) fn read(app: &TestApp, folder: &Path, file: &str) -> Vec<(String, String, String)> {
    let report = run(app, folder, &["payments", "import", file, "--dry-run", "--report", "report.json", "--force"]);
    assert_eq!(report.code, 0, "{file}: {}", report.transcript());
    let rows: Vec<Value> = serde_json::from_slice(&std::fs::read(folder.join("report.json")).unwrap()).unwrap();
    let text = |row: &Value, name: &str| row[name].as_str().unwrap_or_default().to_owned();
    rows.iter().map(|row| (text(row, "day"), text(row, "amount"), text(row, "narration"))).collect()
}

async fn layouts_of_seven_banks_are_read_alike_from_three_writers(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    let amounts = ["5000.00", "-1300.00", "100000.00", "1300.50"];
    let expected: Vec<(String, String, String)> = LINES
        .iter()
        .zip(amounts)
        .map(|((day, narration, ..), amount)| ((*day).to_owned(), amount.to_owned(), (*narration).to_owned()))
        .collect();
    for bank in &BANKS {
        let rows = statement(bank);
        write_csv(&folder.path().join("bank.csv"), &rows);
        write_xlsx(&folder.path().join("bank.xlsx"), &rows);
        write_html(&folder.path().join("bank.xls"), &rows);
        for file in ["bank.csv", "bank.xlsx", "bank.xls"] {
            assert_eq!(read(&app, folder.path(), file), expected, "{} {file}", bank.name);
        }
    }
    // One import of each bank's first writer; its other writers bring nothing new.
    let count = "SELECT count(*) FROM statement_lines";
    assert_eq!(run(&app, folder.path(), &["payments", "import", "bank.csv"]).code, 0);
    assert_eq!(app.number(count).await, 4);
    for file in ["bank.csv", "bank.xlsx", "bank.xls"] {
        let again = run(&app, folder.path(), &["payments", "import", file]);
        assert!(again.out.contains("4 lines: 0 new, 4 known."), "{file}: {}", again.transcript());
    }
    assert_eq!(app.number(count).await, 4);
}

const MT940: &str = "{1:F01SBININBBAXXX}{2:O940}{4:\r\n:20:STMT\r\n:25:SBIN/12345678901\r\n:28C:1/1\r\n:60F:C251019INR100000,00\r\n\
    :61:2510201020C5000,00NTRFNONREF//SBIN123\r\n:86:UPI/CR/529012345678/ASHA NAIR\r\n\
    :61:2510211021D1300,NCHGPRINT\r\n:86:115?00TRANSFER?20NEFT DR PRINTERS REF 529112?21345679\r\n\
    :61:2512310101RC5000,00NRTIREV\r\n:86:REV-UPI/529012345678\r\n:62F:C251022INR98700,00\r\n-}\r\n";

const CAMT: &str = r#"<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>
<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="INR">100000</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>
<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="INR">103700.00</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>
<Ntry><Amt Ccy="INR">5000.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><DtTm>2025-10-20T00:10:00+05:30</DtTm></BookgDt>
<NtryDtls><TxDtls><Refs><EndToEndId>529012345678</EndToEndId></Refs><RltdPties><Dbtr><Nm>Asha &amp; Co</Nm></Dbtr></RltdPties><RmtInf><Ustrd>Fee</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>
<Ntry><Amt Ccy="INR">1300</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2025-10-21</Dt></BookgDt><AddtlNtryInf>PRINTERS</AddtlNtryInf></Ntry>
<Ntry><Amt Ccy="INR">7</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>PDNG</Sts><BookgDt><Dt>2025-10-22</Dt></BookgDt></Ntry>
</Stmt></BkToCstmrStmt></Document>"#;

const OFX: &str = "OFXHEADER:100\r\nDATA:OFXSGML\r\n\r\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>INR<BANKACCTFROM><ACCTID>12345\r\n</BANKACCTFROM>\
    <BANKTRANLIST><STMTTRN><TRNTYPE>CREDIT\r\n<DTPOSTED>20251020001000[+5.5:IST]\r\n<TRNAMT>5,000.00\r\n<FITID>529012345678\r\n<NAME>ASHA &amp; CO\r\n<MEMO>Fee\r\n</STMTTRN>\
    <STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20251021<TRNAMT>-1300,00<FITID>2<NAME>PRINTERS</STMTTRN></BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>";

async fn text_formats_are_read_with_their_dates_and_signs(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    let line = |day: &str, amount: &str, narration: &str| (day.to_owned(), amount.to_owned(), narration.to_owned());
    for (file, content, expected) in [
        (
            "bank.sta",
            MT940,
            vec![
                line("2025-10-20", "5000.00", "UPI/CR/529012345678/ASHA NAIR"),
                line("2025-10-21", "-1300.00", "NEFT DR PRINTERS REF 529112345679"),
                line("2026-01-01", "-5000.00", "REV-UPI/529012345678"),
            ],
        ),
        (
            "bank.xml",
            CAMT,
            vec![line("2025-10-20", "5000.00", "Asha & Co Fee"), line("2025-10-21", "-1300.00", "PRINTERS")],
        ),
        (
            "bank.ofx",
            OFX,
            vec![line("2025-10-20", "5000.00", "ASHA & CO Fee"), line("2025-10-21", "-1300.00", "PRINTERS")],
        ),
    ] {
        std::fs::write(folder.path().join(file), content).unwrap();
        let read: Vec<_> = read(&app, folder.path(), file).into_iter().filter(|(day, ..)| !day.is_empty()).collect();
        assert_eq!(read, expected, "{file}");
    }
    let entity = CAMT.replace("<Document", "<!DOCTYPE Document [<!ENTITY a \"b\">]><Document");
    std::fs::write(folder.path().join("bank.xml"), entity).unwrap();
    let refused = run(&app, folder.path(), &["payments", "import", "bank.xml"]);
    assert!(refused.code == 2 && refused.err.contains("document type"), "{}", refused.transcript());
}

async fn signs_of_one_column_are_read_and_unreadable_amounts_refuse_the_file(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    let list = "Date;Narration;Amount\n01/10/2025;a;5,000.00 Cr\n02/10/2025;b;(1,300.00)\n03/10/2025;c;1,300.00-\n\
                04/10/2025;d;1,00,000.00 Dr\n05/10/2025;e;'250.50\n06/10/2025;f;-7\n";
    std::fs::write(folder.path().join("bank.csv"), list).unwrap();
    let amounts: Vec<String> = read(&app, folder.path(), "bank.csv").into_iter().map(|(_, amount, _)| amount).collect();
    assert_eq!(amounts, ["5000.00", "-1300.00", "-1300.00", "-100000.00", "250.50", "-7.00"]);
    for (broken, message) in [
        ("07/10/2025;g;5.123E+11\n", "line 8      error: “5.123E+11” is no amount"),
        ("07/10/2025;g;\n", "line 8      error: a date and no amount"),
        ("31/02/2025;g;5,000.00 Cr\n", "line 8      error: an amount beside “31/02/2025”, which is no date"),
        ("\n\n;g;5,000.00 Cr\n", "line 10     error: an amount beside no date"),
    ] {
        std::fs::write(folder.path().join("bank.csv"), format!("{list}{broken}")).unwrap();
        let refused = run(&app, folder.path(), &["payments", "import", "bank.csv"]);
        assert!(refused.code == 1 && refused.out.contains(message), "{broken}: {}", refused.transcript());
        assert_eq!(app.number("SELECT count(*) FROM statement_lines").await, 0);
    }
    // Nobody knows which of these came in.
    std::fs::write(folder.path().join("bank.csv"), "Date,Narration,Amount\n01/10/2025,a,5000\n").unwrap();
    let refused = run(&app, folder.path(), &["payments", "import", "bank.csv"]);
    assert!(
        refused.code == 1 && refused.out.contains("does not say which amounts are credits"),
        "{}",
        refused.transcript()
    );
}

async fn days_are_read_beside_times_of_either_clock(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    let list = "Date;Narration;Amount\n07/10/2025 00:10:12 AM;a;5,000.00 Cr\n08/10/2025 12:10 AM;b;1.00 Cr\n\
                09/10/2025 23:59:59 PM;c;2.00 Cr\n10/10/2025 00:10:12;d;3.00 Cr\n";
    std::fs::write(folder.path().join("bank.csv"), list).unwrap();
    let days: Vec<String> = read(&app, folder.path(), "bank.csv").into_iter().map(|(day, ..)| day).collect();
    assert_eq!(days, ["2025-10-07", "2025-10-08", "2025-10-09", "2025-10-10"]);
    for (days, expected) in [
        (["07-Oct-2025 10:11:12 IST", "08-Oct-2025 10:11:12 IST"], ["2025-10-07", "2025-10-08"]),
        // One day proves that the month is first.
        (["10/08/2025", "10/13/2025"], ["2025-10-08", "2025-10-13"]),
    ] {
        let list = format!("Value Date;Narration;Amount\n{};a;5,000.00 Cr\n{};b;1.00 Cr\n", days[0], days[1]);
        std::fs::write(folder.path().join("bank.csv"), list).unwrap();
        let read: Vec<String> = read(&app, folder.path(), "bank.csv").into_iter().map(|(day, ..)| day).collect();
        assert_eq!(read, expected, "{days:?}");
    }
}

/// A date that lost its format is the number of a day.
async fn days_without_their_format_are_read(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    let list =
        "Date;Narration;Debit;Credit\n45950;a;;5,000.00\n45951.25;b;1,300.00;\nGenerated on 22/10/2025 10:15;;;\n";
    std::fs::write(folder.path().join("bank.csv"), list).unwrap();
    let days: Vec<String> = read(&app, folder.path(), "bank.csv").into_iter().map(|(day, ..)| day).collect();
    assert_eq!(days, ["2025-10-20", "2025-10-21"]);
    let ods = "Date,Narration,Debit,Credit\n45950,a,,5000\n45951.25,b,1300,\n";
    write_ods(&folder.path().join("bank.ods"), &[("October", ods), ("Notes", "hello")]);
    let read = run(&app, folder.path(), &["payments", "import", "bank.ods", "--dry-run"]);
    assert!(read.out.contains("2025-10-20 ₹5,000") && read.code == 0, "{}", read.transcript());
    assert!(
        read.out.contains("only the worksheet “October” was read; save the others as files: Notes"),
        "{}",
        read.out
    );
    let ods = "Date,Narration,Debit,Credit\n2025-10-19T18:30:00.000Z,a,,5000\n2025-10-20T18:40:00.000Z,b,1300,\n";
    write_ods(&folder.path().join("utc.ods"), &[("October", ods)]);
    let days: Vec<String> = self::read(&app, folder.path(), "utc.ods").into_iter().map(|(day, ..)| day).collect();
    assert_eq!(days, ["2025-10-20", "2025-10-21"]);
    // Beside written days it may be an amount that slipped.
    std::fs::write(folder.path().join("bank.csv"), format!("{list}23/10/2025;c;;1.00\n")).unwrap();
    let refused = run(&app, folder.path(), &["payments", "import", "bank.csv"]);
    assert!(refused.code == 1 && refused.out.contains("“45950”, which is no date"), "{}", refused.transcript());
}

/// Failed payments, days to come, other currencies, commas without quotation marks, amounts without a sign.
async fn money_is_neither_invented_nor_turned_round(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    let import = |file: &str, content: &str| {
        std::fs::write(folder.path().join(file), content).unwrap();
        run(&app, folder.path(), &["payments", "import", file, "--dry-run"])
    };
    for (rows, message) in [
        (
            "Date,Narration,Debit,Credit,Status\n20/10/2025,ASHA,,5000,FAILED\n21/10/2025,BINU,,1300,Success\n",
            "line 2      is “failed” and was left out",
        ),
        (
            "Date,Narration,Debit,Credit,Status\n20/10/2025,ASHA,,5000,Refunded\n21/10/2025,BINU,,1300,Success\n",
            "line 2      is “refunded” and was left out",
        ),
        ("Date,Narration,Amount,CrDr\n20/10/2025,ASHA,5000,C\n", "2025-10-20 ₹5,000: "),
        ("Date,Narration,Receipts,Payments\n20/10/2025,ASHA,5000,\n", "2025-10-20 ₹5,000: "),
        ("'Date','Narration','Debit','Credit'\n'20/10/2025','ASHA','','5000'\n", "2025-10-20 ₹5,000: "),
        ("Date,Narration,Debit,Credit\n20/10/2099,ASHA,,5000\n", "line 2      error: 2099-10-20 is still to come"),
        ("Date,Narration,Debit,Credit,Currency\n20/10/2025,ASHA,,60,USD\n", "2025-10-20 $60: "),
        ("Date,Narration,Debit,Credit,Currency\n20/10/2025,ASHA,,60,EUR\n", "line 2      error: “EUR 60” is no amount"),
        ("Date,Narration,Debit (USD),Credit (USD)\n20/10/2025,ASHA,,60\n", "2025-10-20 $60: "),
        ("Currency: USD\nDate,Narration,Debit,Credit\n20/10/2025,ASHA,,60\n", "2025-10-20 $60: "),
        ("Currency: INR\nDate,Narration,Debit,Credit\n20/10/2025,ASHA,,60\n", "2025-10-20 ₹60: "),
        (
            "Currency,EUR\nDate,Narration,Debit,Credit\n20/10/2025,ASHA,,60\n",
            "line 3      error: “eur 60” is no amount",
        ),
        ("Date,Narration,Debit,Credit\n20/10/2025,ASHA,,60 Dr\n", "the signs of the amount contradict each other"),
        ("Date,Narration,Debit,Credit\nOct-25,ASHA,,60\n", "line 2      error: an amount beside “Oct-25”"),
        (
            "Date,Narration,Debit,Credit,Balance\n19/10/2025,B/F,,60,60\n20/10/2025,ASHA,,40,100\n",
            "1 line: 1 new, 0 known.",
        ),
        (
            "Date,Narration,Debit,Credit\n20/10/2025,ASHA,,5,000.00\n",
            "line 2      error: more cells than the header has",
        ),
        (
            "Date,Narration,Ref,Debit,Credit,Balance\n20/10/2025,UPI, ASHA,,1300.00,,103700.00\n",
            "line 2      error: more cells than the header has",
        ),
        (
            "Date,Narration,Debit,Credit\n20/10/2025,UPI/CR/6.28E+11/ASHA,,5000\n",
            "line 2      the number 6.28E+11 was rounded by a spreadsheet and is not used",
        ),
        ("Date,Narration,Amount,,Balance\n,,Debit,Credit,\n20/10/2025,ASHA,,5000.00,5000.00\n", "2025-10-20 ₹5,000: "),
    ] {
        let seen = import("bank.csv", rows);
        assert!(seen.out.contains(message), "{rows}: {}", seen.transcript());
    }
    let ofx = import("bank.ofx", &OFX.replace("-1300,00", "1300,00"));
    assert!(ofx.out.contains("Money that went out"), "{}", ofx.transcript());
    for (amount, contradictory) in [("-1300,00", "+1300,00"), ("5,000.00", "-5,000.00")] {
        let seen = import("bank.ofx", &OFX.replace(amount, contradictory));
        assert!(seen.code == 1 && seen.out.contains("is no amount"), "{contradictory}: {}", seen.transcript());
    }
}

async fn columns_that_somebody_assigned_are_remembered_for_the_bank(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    let list = "Date,Story,To us,From us\n01/10/2025,UPI 529012345678,5000,\n";
    std::fs::write(folder.path().join("bank.csv"), list).unwrap();
    let import = |more: &[&str]| {
        let arguments = [&["payments", "import", "bank.csv", "--bank", "Village bank"], more].concat();
        run(&app, folder.path(), &arguments)
    };
    let unknown = import(&[]);
    assert!(unknown.code == 2 && unknown.err.contains("--map"), "{}", unknown.transcript());
    let assigned = import(&["--map", "Story=narration", "--map", "To us=credit", "--map", "From us=debit"]);
    assert!(assigned.code == 0 && assigned.out.contains("1 line: 1 new, 0 known."), "{}", assigned.transcript());
    let later = format!("{list}02/10/2025,UPI 529012345679,1300,\n");
    std::fs::write(folder.path().join("bank.csv"), later).unwrap();
    let again = import(&[]);
    assert!(again.code == 0 && again.out.contains("2 lines: 1 new, 1 known."), "{}", again.transcript());
    // Payment apps list what came in.
    let received =
        "Creation time,Payer,Amount,Net amount,Status\n\"20 Oct 2025, 10:11\",ASHA,\"₹1,300.00\",1290.00,Completed\n";
    std::fs::write(folder.path().join("app.csv"), received).unwrap();
    let columns = ["Creation time=date", "Payer=narration", "Amount=credit"].map(|column| ["--map", column]).concat();
    let app_import = [&["payments", "import", "app.csv", "--bank", "App"][..], &columns].concat();
    let received = run(&app, folder.path(), &app_import);
    assert!(received.code == 0 && received.out.contains("2025-10-20 ₹1,300: "), "{}", received.transcript());
}

async fn files_that_are_no_statements_are_refused_with_advice(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    for (content, message) in [
        (&b""[..], "the file is empty"),
        (b"%PDF-1.7", "a PDF cannot be read without guessing"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 and no more", "the workbook"),
        (b"<html><p>Session expired</p></html>", "the web page has no table"),
        (b"Title,Director\nA,B\n", "no row has the headers of a statement"),
        (b"Date,Narration,Debit,Credit\n", "no transaction below its header"),
        (
            b"Date,Narration,Debit,Credit\n2025-12-10,a,,1\n13/10/2025,b,,1\n",
            "has taken some days for months, and the others for texts",
        ),
    ] {
        std::fs::write(folder.path().join("bank.xls"), content).unwrap();
        let refused = run(&app, folder.path(), &["payments", "import", "bank.xls"]);
        assert!(refused.code == 2 && refused.err.contains(message), "{message}: {}", refused.transcript());
    }
}
