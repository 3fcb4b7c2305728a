//! Statements as banks lay them out: the same lines in the columns, signs and dates of each.

/// The lines of a statement: day as its bank writes it is made of it, narration, paise, balance.
pub(super) const LINES: [(&str, &str, i64, i64); 4] = [
    ("2025-10-20", "UPI/CR/529012345678/ASHA NAIR/SBIN/asha@oksbi/Fee", 500_000, 10_500_000),
    ("2025-10-21", "NEFT DR-HDFC0000123-PRINTERS-N294252345678901", -130_000, 10_370_000),
    ("2025-10-21", "RTGS CR-ICICR52025102112345678-A SPONSOR", 10_000_000, 20_370_000),
    ("2025-10-22", "IMPS-529112345679-BINU THOMAS-SIBL wrapped into the next row", 130_050, 20_500_050),
];

/// Paise with Indian grouping: "1,00,000.00".
fn grouped(paise: i64) -> String {
    let digits = (paise / 100).to_string();
    let (head, tail) = digits.split_at(digits.len().saturating_sub(3));
    let mut text = tail.to_owned();
    let mut head = head.to_owned();
    while !head.is_empty() {
        let group = head.split_off(head.len().saturating_sub(2));
        text = format!("{group},{text}");
    }
    format!("{text}.{:02}", paise % 100)
}

/// How a bank writes a day, for strftime.
pub(super) struct Bank {
    pub(super) name: &'static str,
    header: &'static [&'static str],
    day: &'static str,
    /// What stands in an empty amount.
    none: &'static str,
    /// Behind the balance.
    balance: &'static str,
}

pub(super) const BANKS: [Bank; 10] = [
    Bank {
        name: "SBI",
        header: &["Txn Date", "Value Date", "Description", "Ref No./Cheque No.", "        Debit", "Credit", "Balance"],
        day: "%-d %b %Y",
        none: " ",
        balance: "",
    },
    Bank {
        name: "HDFC",
        header: &[
            "Date",
            "Narration",
            "Chq./Ref.No.",
            "Value Dt",
            "Withdrawal Amt.",
            "Deposit Amt.",
            "Closing Balance",
        ],
        day: "%d/%m/%y",
        none: "",
        balance: "",
    },
    Bank {
        name: "ICICI",
        header: &[
            "S No.",
            "Value Date",
            "Transaction Date",
            "Cheque Number",
            "Transaction Remarks",
            "Withdrawal Amount (INR )",
            "Deposit Amount (INR )",
            "Balance (INR )",
        ],
        day: "%d/%m/%Y",
        none: "0.00",
        balance: "",
    },
    Bank {
        name: "Axis",
        header: &["Tran Date", "CHQNO", "PARTICULARS", "DR", "CR", "BAL", "SOL"],
        day: "%d-%m-%Y",
        none: "",
        balance: "",
    },
    Bank {
        name: "Federal",
        header: &[
            "Date",
            "Value Date",
            "Particulars",
            "Tran Type",
            "Tran ID",
            "Cheque Details",
            "Withdrawals",
            "Deposits",
            "Balance",
            "DR/CR",
        ],
        day: "%d-%b-%Y",
        none: "",
        balance: "",
    },
    Bank {
        name: "Canara",
        header: &["Txn Date", "Value Date", "Cheque No.", "Description", "Branch Code", "Debit", "Credit", "Balance"],
        day: "%d-%m-%Y 00:10:00",
        none: "",
        balance: "",
    },
    Bank {
        name: "South Indian",
        header: &["DATE", "PARTICULARS", "CHQ.NO.", "WITHDRAWALS", "DEPOSITS", "BALANCE"],
        day: "%d-%m-%y",
        none: "",
        balance: "Cr",
    },
    // One column of amounts with a sign.
    Bank {
        name: "Kotak",
        header: &[
            "#",
            "TRANSACTION DATE",
            "VALUE DATE",
            "TRANSACTION DETAILS",
            "CHQ/REF NO.",
            "DEBIT/CREDIT(₹)",
            "BALANCE(₹)",
        ],
        day: "%d %b %Y 11:10 AM",
        none: "",
        balance: "",
    },
    // The value date behind the day, in one cell.
    Bank {
        name: "IOB",
        header: &["Date (Value Date)", "Particulars", "Ref No./Cheque No", "Debit (Rs)", "Credit (Rs)", "Balance (Rs)"],
        day: "%d-%b-%y (%d-%b-%y)",
        none: "",
        balance: "",
    },
    Bank {
        name: "one column",
        header: &["Sl. No.", "Date", "Details", "Amount", "Dr / Cr", "Balance", "Dr / Cr"],
        day: "%d.%m.%Y",
        none: "",
        balance: "",
    },
];

/// The rows of a statement as a bank writes it: with an address, pages, a wrapped narration, sums and a footer.
pub(super) fn statement(bank: &Bank) -> Vec<Vec<String>> {
    let owned = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
    let narration = bank
        .header
        .iter()
        .position(|h| {
            [
                "Description",
                "Narration",
                "Transaction Remarks",
                "PARTICULARS",
                "Particulars",
                "TRANSACTION DETAILS",
                "Details",
            ]
            .contains(h)
        })
        .unwrap();
    let row = |(index, (day, text, paise, balance)): (usize, &(&str, &str, i64, i64))| {
        let day = day.parse::<jiff::civil::Date>().unwrap().strftime(bank.day).to_string();
        let amount = |is_wanted: bool| if is_wanted { grouped(paise.abs()) } else { bank.none.to_owned() };
        let mut signs = [if *paise < 0 { "DR" } else { "CR" }, "CR"].into_iter();
        let cell = |header: &&str| match header.trim() {
            "Txn Date" | "Value Date" | "Date" | "Value Dt" | "Transaction Date" | "Tran Date" | "DATE"
            | "TRANSACTION DATE" | "VALUE DATE" | "Date (Value Date)" => day.clone(),
            "Description"
            | "Narration"
            | "Transaction Remarks"
            | "PARTICULARS"
            | "Particulars"
            | "Details"
            | "TRANSACTION DETAILS" => text.split(" wrapped").next().unwrap().to_owned(),
            "Debit"
            | "Withdrawal Amt."
            | "Withdrawal Amount (INR )"
            | "DR"
            | "Withdrawals"
            | "WITHDRAWALS"
            | "Debit (Rs)" => amount(*paise < 0),
            "Credit" | "Deposit Amt." | "Deposit Amount (INR )" | "CR" | "Deposits" | "DEPOSITS" | "Credit (Rs)" => {
                amount(*paise > 0)
            }
            "Amount" => grouped(paise.abs()),
            "DEBIT/CREDIT(₹)" => format!("{}{}", if *paise < 0 { "-" } else { "+" }, grouped(paise.abs())),
            "Balance" | "Closing Balance" | "Balance (INR )" | "BAL" | "BALANCE" | "BALANCE(₹)" | "Balance (Rs)" => {
                format!("{}{}", grouped(*balance), bank.balance)
            }
            "Dr / Cr" => signs.next().unwrap().to_owned(),
            "DR/CR" => "CR".to_owned(),
            "S No." | "Sl. No." => (index + 1).to_string(),
            "Tran Type" => "TFR".to_owned(),
            "SOL" | "Branch Code" => "1234".to_owned(),
            _ => String::new(),
        };
        bank.header.iter().map(cell).collect::<Vec<_>>()
    };
    let in_narration = |text: &str| {
        let mut cells = vec![String::new(); bank.header.len()];
        cells[narration] = text.to_owned();
        cells
    };
    let mut rows = vec![
        owned(&["Account Name", "THE FESTIVAL"]),
        owned(&["Address", "12 Lake Road, Kochi, 682001"]),
        owned(&["Account Number", "00000012345678901"]),
        owned(&["Closing Balance", "Rs. 2,05,000.50"]),
        owned(bank.header),
        vec!["********".to_owned(); bank.header.len()],
    ];
    rows.extend(LINES[..2].iter().enumerate().map(row));
    rows.push(owned(&["Page 1 of 2"]));
    rows.push(owned(bank.header));
    rows.extend(LINES[2..].iter().enumerate().map(|(index, line)| row((index + 2, line))));
    rows.push(in_narration("wrapped into the next row"));
    rows.push(in_narration("Closing Balance"));
    // Sums below headers like those of the lines.
    let mut sums = |first: &str, others: [&str; 3]| {
        let mut cells = vec![String::new(); bank.header.len()];
        first.clone_into(&mut cells[0]);
        cells.iter_mut().rev().zip(others).for_each(|(cell, text)| text.clone_into(cell));
        rows.push(cells);
    };
    sums("Opening Balance", ["Closing Balance", "Total Credits", "Total Debits"]);
    sums("1,00,000.00", ["2,05,000.50", "1,06,300.50", "1,300.00"]);
    rows.push(owned(&["** This is a computer generated statement, and needs no signature **"]));
    rows
}
