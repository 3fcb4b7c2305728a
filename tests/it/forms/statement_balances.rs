//! Balances of bank statements: sums that do not follow from the lines refuse the file.

use super::statements::read;
use crate::admin::records_command::run;
use crate::support::{Database, TestApp};

on_both!(balances_that_do_not_follow_refuse_the_file, each_account_of_a_file_has_its_own_balances);

async fn balances_that_do_not_follow_refuse_the_file(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    let write = |rows: &str| {
        let list = format!("Date,Particulars,Debit,Credit,Balance\n{rows}");
        std::fs::write(folder.path().join("bank.csv"), list).unwrap();
        run(&app, folder.path(), &["payments", "import", "bank.csv", "--dry-run"])
    };
    let oldest_first = "01/10/2025,a,,100.00,100.00\n02/10/2025,b,40.00,,60.00\n03/10/2025,c,,5.00,65.00\n";
    let newest_first = "03/10/2025,c,,5.00,65.00\n02/10/2025,b,40.00,,60.00\n01/10/2025,a,,100.00,100.00\n";
    for rows in [oldest_first, newest_first] {
        assert_eq!(write(rows).code, 0, "{rows}");
    }
    let changed = write(&oldest_first.replace("40.00", "30.00"));
    assert!(changed.code == 1, "{}", changed.transcript());
    assert!(
        changed.out.contains("line 3      error: the balance is ₹60, but -₹30 after ₹100 makes ₹70"),
        "{}",
        changed.transcript()
    );
    // Some banks write a balance beside the last line of a day only.
    let of_days = "01/10/2025,a,,100.00,100.00\n02/10/2025,b,40.00,,\n02/10/2025,c,,5.00,65.00\n";
    assert_eq!(write(of_days).code, 0);
    let changed = write(&of_days.replace("40.00", "30.00"));
    assert!(
        changed.out.contains("line 4      error: the balance is ₹65, but -₹25 after ₹100 makes ₹75"),
        "{}",
        changed.transcript()
    );
    let closed = write(&format!("{of_days}Closing balance,,,,60.00\n"));
    assert!(
        closed.out.contains("line 4      error: the balance is ₹60, but ₹0 after ₹65 makes ₹65"),
        "{}",
        closed.transcript()
    );
}

async fn each_account_of_a_file_has_its_own_balances(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    let expected: Vec<(String, String, String)> =
        [("2025-10-20", "5000.00", "ASHA"), ("2025-10-21", "-1300.00", "PRINTERS")]
            .map(|(day, amount, text)| (day.into(), amount.into(), text.into()))
            .into();
    let mt940 = ":20:A\n:25:SBIN/1\n:60F:C251019INR1000,\n:61:2510201020C5000,NTRFNONREF\n:86:ASHA\n:62F:C251020INR6000,\n-\n\
                 :20:B\n:25:SBIN/2\n:60F:C251020INR2000,\n:61:2510211021D1300,NTRFNONREF\n:86:PRINTERS\n:62F:C251021INR700,\n-\n";
    let balance = |kind: &str, amount: &str| {
        format!(
            "<Bal><Tp><CdOrPrtry><Cd>{kind}</Cd></CdOrPrtry></Tp><Amt Ccy=\"INR\">{amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>"
        )
    };
    let statement = |account: &str, [opening, closing]: [&str; 2], [amount, direction, day, text]: [&str; 4]| {
        format!(
            "<Stmt><Acct><Id><Othr><Id>{account}</Id></Othr></Id></Acct>{}{}<Ntry><Amt Ccy=\"INR\">{amount}</Amt>\
             <CdtDbtInd>{direction}</CdtDbtInd><BookgDt><Dt>{day}</Dt></BookgDt><AddtlNtryInf>{text}</AddtlNtryInf></Ntry></Stmt>",
            balance("OPBD", opening),
            balance("CLBD", closing)
        )
    };
    let camt = |second: &str, balances: [&str; 2]| {
        format!(
            "<Document><BkToCstmrStmt>{}{}</BkToCstmrStmt></Document>",
            statement("1", ["1000", "6000"], ["5000", "CRDT", "2025-10-20", "ASHA"]),
            statement(second, balances, ["1300", "DBIT", "2025-10-21", "PRINTERS"])
        )
    };
    let csv = "Account No: 1,,,,\nDate,Narration,Debit,Credit,Balance\n20/10/2025,ASHA,,5000,6000\n\
               Account No: 2,,,,\nDate,Narration,Debit,Credit,Balance\n21/10/2025,PRINTERS,1300,,700\n";
    for (file, content) in [
        ("bank.sta", mt940.to_owned()),
        ("accounts.xml", camt("2", ["2000", "700"])),
        ("days.xml", camt("1", ["6000", "4700"])),
        ("bank.csv", csv.to_owned()),
    ] {
        std::fs::write(folder.path().join(file), content).unwrap();
        assert_eq!(read(&app, folder.path(), file), expected, "{file}");
    }
    std::fs::write(folder.path().join("days.xml"), camt("1", ["6000", "4800"])).unwrap();
    let refused = run(&app, folder.path(), &["payments", "import", "days.xml", "--dry-run"]);
    assert!(refused.code == 1 && refused.out.contains("a line is missing or was changed"), "{}", refused.transcript());
}
