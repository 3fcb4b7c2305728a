//! Payments of bank statements and the submissions that they settle: what is verified by itself, what waits for a person,
//! and the way back.

use super::requests::{FormRequest, assert_received, lift_limits};
use crate::admin::records_command::run;
use crate::support::{CommandOutput, Database, TestApp};

on_both!(
    honest_payments_are_verified_and_every_fraud_is_flagged,
    overlapping_statements_change_nothing_and_undo_restores_everything,
    uncertain_payments_wait_with_their_reason,
    numbers_are_found_as_banks_and_people_write_them,
    numbers_of_several_payments_prove_none,
    repeated_and_reversed_payments_flag_what_was_verified_before,
);

/// A payment code with its check character.
fn code(number: usize) -> String {
    const ALPHABET: &[u8; 31] = b"23456789ABCDEFGHJKMNPQRSTUVWXYZ";
    let places: Vec<usize> = (0..5).map(|place| number / 31_usize.pow(place) % 31).collect();
    let sum = |check: usize| {
        (1..).zip(places.iter().chain([&check])).map(|(position, place)| position * place).sum::<usize>()
    };
    let check = (0..31).find(|check| sum(*check) % 31 == 0).unwrap();
    places.iter().chain([&check]).map(|place| char::from(ALPHABET[*place])).collect()
}

/// Stores registrations like a first one, which is removed: name, transaction details, payment code. Each owes ₹1,300.
pub(super) async fn store_claims(site: &TestApp, claims: &[(String, String, String)]) {
    assert_received(&FormRequest::delegate().post(site, "/api/delegate-form/").await);
    let row = |(index, (name, details, code)): (usize, &(String, String, String))| {
        format!("('DL-2025-{:04}', '{name}', 'person{index}@example.org', '{details}', '{code}')", 1001 + index)
    };
    let rows: Vec<String> = claims.iter().enumerate().map(row).collect();
    site.write(&format!(
        "WITH claims (reference, name, email, details, code) AS (VALUES {}) \
         INSERT INTO delegates (edition_id, reference, name, email, mobile, address, age, occupation, category, \
         transaction_details, category_key, fee_inr, status, payment_code, is_quarantined, is_late, is_possible_duplicate, \
         over_long, consent_notice, consented_at, fingerprint, subject_hash, created_at, updated_at) \
         SELECT d.edition_id, c.reference, c.name, c.email, d.mobile, d.address, d.age, d.occupation, d.category, c.details, \
         d.category_key, d.fee_inr, d.status, c.code, 0, 0, 0, d.over_long, d.consent_notice, d.consented_at, c.reference, \
         c.reference, d.created_at, d.updated_at FROM delegates d, claims c WHERE d.reference = 'DL-2025-0001' \
         ORDER BY c.reference",
        rows.join(", ")
    ))
    .await;
    site.write("UPDATE delegates SET is_quarantined = 1 WHERE reference = 'DL-2025-0001'").await;
}

const FIRST: [&str; 20] = [
    "Asha", "Binu", "Chandra", "Deepa", "Elias", "Faizal", "Geetha", "Hari", "Indu", "Jomon", "Kavitha", "Latha",
    "Manoj", "Nisha", "Omana", "Prasad", "Reshma", "Suresh", "Thara", "Usha",
];
const LAST: [&str; 15] = [
    "Nair", "Thomas", "Varma", "Pillai", "Menon", "Kurian", "Das", "Iyer", "Mathew", "Rajan", "Babu", "George",
    "Warrier", "Joseph", "Panicker",
];

pub(super) fn name(number: usize) -> String {
    format!("{} {}", FIRST[number % 20], LAST[number / 20 % 15])
}

pub(super) fn utr(number: usize) -> String {
    format!("5293{:08}", 10_000_019 + number * 7_919)
}

pub(super) const HEADER: &str = "Txn Date,Value Date,Description,Ref No./Cheque No.,Debit,Credit,Balance\n";

/// A line of a statement without balances.
pub(super) fn line(day: &str, narration: &str, debit: &str, credit: &str) -> String {
    format!("{day},{day},{narration},,\"{debit}\",\"{credit}\",\n")
}

pub(super) fn upi(number: &str, name: &str, note: &str) -> String {
    line("26 Oct 2025", &format!("UPI/CR/{number}/{}/SBIN/x@oksbi/{note}", name.to_uppercase()), "", "1,300.00")
}

/// The id of an import, as the command prints it.
fn import_id(output: &CommandOutput) -> String {
    let (_, rest) = output.err.split_once("This is import ").unwrap_or_else(|| panic!("{}", output.transcript()));
    rest.split('.').next().unwrap().to_owned()
}

/// The references of the verified registrations.
pub(super) async fn verified(site: &TestApp) -> Vec<String> {
    site.texts("SELECT reference FROM delegates WHERE payment = 'verified' ORDER BY reference").await
}

async fn honest_payments_are_verified_and_every_fraud_is_flagged(database: Database) {
    let site = TestApp::with(database, lift_limits).await;
    let folder = tempfile::tempdir().unwrap();
    let (mut claims, mut list) = (Vec::new(), HEADER.to_owned());
    // 270 honest: two of three by the number, one by the code.
    for number in 0..270 {
        let (utr, code, name) = (utr(number), code(number + 40), name(number));
        let claims_number = number % 3 != 2;
        claims.push((
            name.clone(),
            if claims_number { format!("UPI {utr}") } else { "Google Pay".to_owned() },
            code.clone(),
        ));
        list += &upi(&utr, &name, if claims_number { "fee" } else { &code });
    }
    // 30 frauds, six of each kind.
    for fraud in 0..30 {
        let (number, who) = (270 + fraud, name(270 + fraud));
        let own = utr(number);
        let details = match fraud / 6 {
            0 => utr(fraud * 3),
            1 => {
                list += &line("26 Oct 2025", &format!("UPI/CR/{own}/{}/SBIN", who.to_uppercase()), "", "130.00");
                own
            }
            2 => {
                list += &upi(&own, &who, "fee");
                list += &line("26 Oct 2025", &format!("REV-UPI/{own}/RETURN"), "1,300.00", "");
                own
            }
            3 => {
                list += &upi(&own, &format!("Zubin Wadia{}", ["Q", "W", "Z", "X", "Y", "V"][fraud % 6]), "fee");
                own
            }
            _ => {
                list += &upi(&own, &format!("Yezdi Quill{}", ["Q", "W", "Z", "X", "Y", "V"][fraud % 6]), "fee");
                let wrong = if own.ends_with('7') { '3' } else { '7' };
                format!("{}{wrong}", &own[..11])
            }
        };
        claims.push((who, details, String::new()));
    }
    // Others pay into the same account.
    for number in 0..706 {
        list += &line("25 Oct 2025", &format!("UPI/CR/{}/SHOP {number}/HDFC", utr(5_000 + number)), "", "250.00");
    }
    store_claims(&site, &claims).await;
    std::fs::write(folder.path().join("bank.csv"), &list).unwrap();
    let import = run(&site, folder.path(), &["payments", "import", "bank.csv", "--report", "report.json"]);
    assert_eq!(import.code, 0, "{}", import.transcript());
    assert_eq!(site.number("SELECT count(*) FROM statement_lines WHERE hundredths > 0").await, 1_000);
    let verified = verified(&site).await;
    let wrong: Vec<&String> =
        verified.iter().filter(|reference| reference[8..].parse::<usize>().unwrap() > 1_270).collect();
    assert!(wrong.is_empty(), "verified by itself: {wrong:?}");
    // Six of the honest wait, because a fraud copied their number.
    assert_eq!(verified.len(), 264);
    let flagged = site
        .texts(
            "SELECT DISTINCT d.reference FROM delegates d LEFT JOIN statement_matches m ON m.delegate_id = d.id \
             LEFT JOIN statement_lines l ON l.id = m.line_id WHERE d.reference > 'DL-2025-1270' \
             AND (l.status IN ('twice', 'short', 'reversed', 'payer', 'proposed') OR l.id IS NULL) ORDER BY d.reference",
        )
        .await;
    assert_eq!(flagged.len(), 30, "{flagged:?}");
    let queues = site
        .texts("SELECT status || ' ' || CAST(count(*) AS TEXT) FROM statement_lines GROUP BY status ORDER BY status")
        .await;
    assert_eq!(
        queues,
        ["outgoing 6", "payer 6", "proposed 6", "reversed 6", "settled 264", "short 6", "twice 6", "unclaimed 706"]
    );
    // Each decision is in the history, with its reason.
    let reasons = site
        .texts("SELECT e.after_text FROM submission_events e JOIN delegates d ON d.id = e.delegate_id WHERE d.reference = 'DL-2025-1002' ORDER BY e.id")
        .await;
    assert_eq!(reasons.len(), 2, "{reasons:?}");
    assert!(
        reasons.iter().any(|text| text.contains("Settled (The transaction number and the fee agree)")),
        "{reasons:?}"
    );
}

async fn overlapping_statements_change_nothing_and_undo_restores_everything(database: Database) {
    let site = TestApp::with(database, lift_limits).await;
    let folder = tempfile::tempdir().unwrap();
    let claim = |number: usize| (name(number), utr(number), String::new());
    store_claims(&site, &[claim(1), claim(2), claim(3)]).await;
    let state = "SELECT reference || payment || payment_transaction || payment_amount || payment_reason FROM delegates ORDER BY id";
    let before = site.texts(state).await;
    let write = |name: &str, list: &str| std::fs::write(folder.path().join(name), list).unwrap();
    // Two equal lines of one day are two payments.
    let same = line("25 Oct 2025", "CASH DEPOSIT", "", "500.00");
    let first = format!("{HEADER}{same}{same}{}", upi(&utr(1), &name(1), "fee"));
    write("first.csv", &first);
    write("second.csv", &format!("{first}{}", upi(&utr(2), &name(2), "fee")));
    let import = |file: &str, more: &[&str]| run(&site, folder.path(), &[&["payments", "import", file], more].concat());
    let dry = import("first.csv", &["--dry-run"]);
    assert!(dry.out.contains("3 lines: 3 new, 0 known. 1 payment verified."), "{}", dry.transcript());
    assert_eq!(site.texts(state).await, before);
    assert_eq!(site.number("SELECT count(*) FROM statement_lines").await, 0);
    let first_id = import_id(&import("first.csv", &[]));
    let after_first = site.texts(state).await;
    let events = site.number("SELECT count(*) FROM submission_events").await;
    assert!(import("first.csv", &[]).out.contains("3 lines: 0 new, 3 known. 0 payments verified."));
    assert_eq!(site.texts(state).await, after_first);
    assert_eq!(site.number("SELECT count(*) FROM submission_events").await, events);
    let second = import("second.csv", &[]);
    assert!(second.out.contains("4 lines: 1 new, 3 known. 1 payment verified."), "{}", second.transcript());
    assert_eq!(verified(&site).await, ["DL-2025-1001", "DL-2025-1002"]);
    // The second import is undone as a whole, and then the first.
    assert_eq!(run(&site, folder.path(), &["payments", "undo", &import_id(&second)]).code, 0);
    assert_eq!(site.texts(state).await, after_first);
    let undone = run(&site, folder.path(), &["payments", "undo", &first_id]);
    assert!(undone.out.contains("is undone: 1 verified payments are as they were."), "{}", undone.transcript());
    assert_eq!(site.texts(state).await, before);
    assert_eq!(site.number("SELECT count(*) FROM statement_lines").await, 0);
    assert_eq!(run(&site, folder.path(), &["payments", "undo", &first_id]).code, 2, "it was undone before");
    // What a person decided since stays.
    let third_id = import_id(&import("first.csv", &[]));
    site.write("UPDATE delegates SET payment_reason = 'checked by eye' WHERE reference = 'DL-2025-1001'").await;
    let kept = run(&site, folder.path(), &["payments", "undo", &third_id]);
    assert!(kept.code == 0 && kept.err.contains("1 stay as they are"), "{}", kept.transcript());
    assert_eq!(verified(&site).await, ["DL-2025-1001"]);
}

async fn uncertain_payments_wait_with_their_reason(database: Database) {
    let site = TestApp::with(database, lift_limits).await;
    let folder = tempfile::tempdir().unwrap();
    let claims: Vec<(String, String, String)> =
        (0..9).map(|number| (name(number * 21), utr(number), code(number + 40))).collect();
    store_claims(&site, &claims).await;
    let list = [
        line("26 Oct 2025", &format!("UPI/{}", utr(0)), "", "1,000.00"),
        line("26 Oct 2025", &format!("UPI/{}", utr(1)), "", "1,301.00"),
        line("26 Oct 2025", "NEFT CR dl 2025 1003", "", "1,300.00"),
        line("26 Oct 2025", &format!("IMPS {} {}", utr(3), utr(4)), "", "2,600.00"),
        line("26 Oct 2025", &format!("UPI/{}/{}", utr(5), code(46)), "", "1,300.00"),
        line("26 Oct 2025", &format!("NEFT/{}", name(7 * 21)), "", "1,300.00"),
        line("26 Oct 2025", "BY CASH", "", "1,300.00"),
    ];
    std::fs::write(folder.path().join("bank.csv"), format!("{HEADER}{}", list.concat())).unwrap();
    let import = run(&site, folder.path(), &["payments", "import", "bank.csv"]);
    assert_eq!(import.code, 0, "{}", import.transcript());
    for expected in [
        "₹1,000: Less than is due. ₹300 less than is due [DL-2025-1001]",
        "₹1,301: More than is due. ₹1 more than is due [DL-2025-1002]",
        "₹1,300: Proposed. The reference and the fee agree, but no transaction number or code [DL-2025-1003]",
        "₹2,600: Several entries in one transfer. It is the sum of DL-2025-1004, DL-2025-1005 [DL-2025-1004, DL-2025-1005]",
        "₹1,300: Claimed twice. DL-2025-1006, DL-2025-1007 claim it [DL-2025-1006, DL-2025-1007]",
        "₹1,300: Proposed. Amount, payer and day agree, but no number, code or reference [DL-2025-1008]",
        "₹1,300: Nobody claims it.",
        "1  submissions without a payment: DL-2025-1009",
    ] {
        assert!(import.out.contains(expected), "{expected}: {}", import.transcript());
    }
    assert_eq!(verified(&site).await, Vec::<String>::new());
}

async fn numbers_are_found_as_banks_and_people_write_them(database: Database) {
    let site = TestApp::with(database, lift_limits).await;
    let folder = tempfile::tempdir().unwrap();
    let claim = |name: &str, details: &str| (name.to_owned(), details.to_owned(), String::new());
    store_claims(
        &site,
        &[
            claim("Asha Nair", "5293123O5678"),
            claim("Binu Thomas", "529312345679"),
            claim("Deepa Pillai", "529312345671"),
            claim("Elias Kurian", "by Google Pay"),
            claim("Faizal Menon", "529312345690"),
            claim("Geetha Das", "529312345691"),
            claim("Hari Iyer", "529312345692"),
            claim("ആശ നായർ", "529312345693"),
            claim("Ravi Varma", "529312345694"),
            claim("Omana Rajan", "0484 2345678"),
        ],
    )
    .await;
    let list = [
        upi("529312305678", "Asha Nair", "fee"),
        // The bank breaks its lines after so many letters, also inside a number.
        line("26 Oct 2025", "UPI-BINU THOMAS-529312345 679-UPI", "", "1,300.00"),
        line("26 Oct 2025", "UPI-DEEPA PILLAI-5 29312345671-UPI", "", "1,300.00"),
        line("26 Oct 2025", "UPI/CR/529312345680/DL-2O25-1OO4/OKSBI", "", "1,300.00"),
        // No payer's name is beside a masked account, the bank of an address, or a remark.
        line("26 Oct 2025", "BY TRANSFER-INB IMPS529312345690/9847012345/XX1234/fee--", "", "1,300.00"),
        line("26 Oct 2025", "UPI IN/529312345691/9847012345@superyes/Short film/HDFCBANK", "", "1,300.00"),
        // She sounds like "reg".
        upi("529312345692", "Rekha", "fee"),
        // A short name is a name, in any script.
        upi("529312345693", "Asha", "fee"),
        upi("529312345694", "Jay", "fee"),
        // A telephone at home is no transaction.
        line("26 Oct 2025", "UPI/04842345678/OMANA RAJAN/fee", "", "1,300.00"),
    ];
    std::fs::write(folder.path().join("bank.csv"), format!("{HEADER}{}", list.concat())).unwrap();
    let import = run(&site, folder.path(), &["payments", "import", "bank.csv"]);
    let found = ["DL-2025-1001", "DL-2025-1002", "DL-2025-1003", "DL-2025-1005", "DL-2025-1006", "DL-2025-1008"];
    assert_eq!(verified(&site).await, found, "{}", import.transcript());
    for expected in [
        "₹1,300: Proposed. The reference and the fee agree, but no transaction number or code [DL-2025-1004]",
        "but the payer is not named like the sender of DL-2025-1007 [DL-2025-1007]",
        "but the payer is not named like the sender of DL-2025-1009 [DL-2025-1009]",
    ] {
        assert!(import.out.contains(expected), "{}", import.transcript());
    }
}

/// Codes of branches, the festival's account, and addresses of UPI, each in a claim and beside the payment of somebody else.
async fn numbers_of_several_payments_prove_none(database: Database) {
    let site = TestApp::with(database, lift_limits).await;
    let folder = tempfile::tempdir().unwrap();
    let settings = "[payment.bank]\naccount_number = '0011 2233 4455 66'\n";
    std::fs::create_dir(folder.path().join("config")).unwrap();
    std::fs::write(folder.path().join("config/local.toml"), settings).unwrap();
    let details = ["from SBIN0000123", "to 00112233445566", "by GPay to Q123456789@ybl", "98470 12345"];
    let claim = |(index, text): (usize, &&str)| (name(index), (*text).to_owned(), String::new());
    store_claims(&site, &details.iter().enumerate().map(claim).collect::<Vec<_>>()).await;
    let list = [
        line("26 Oct 2025", "UPI-SBIN0000123-529312345671-UPI", "", "1,300.00"),
        line("26 Oct 2025", "NEFT TO 00112233445566", "", "1,300.00"),
        line("26 Oct 2025", "UPI/529312345672/To:Q123456789@ybl", "", "1,300.00"),
        line("26 Oct 2025", "UPI/529312345673/9847012345@ybl", "", "1,300.00"),
    ];
    std::fs::write(folder.path().join("bank.csv"), format!("{HEADER}{}", list.concat())).unwrap();
    let import = run(&site, folder.path(), &["payments", "import", "bank.csv"]);
    assert_eq!(import.out.matches("₹1,300: Nobody claims it.").count(), 4, "{}", import.transcript());
    assert_eq!(verified(&site).await, Vec::<String>::new());
}

async fn repeated_and_reversed_payments_flag_what_was_verified_before(database: Database) {
    let site = TestApp::with(database, lift_limits).await;
    let folder = tempfile::tempdir().unwrap();
    store_claims(&site, &[(name(1), utr(1), String::new()), (name(2), utr(2), String::new())]).await;
    let import = |list: String| {
        std::fs::write(folder.path().join("bank.csv"), format!("{HEADER}{list}")).unwrap();
        run(&site, folder.path(), &["payments", "import", "bank.csv"])
    };
    let queue = |number: usize| {
        let sql =
            format!("SELECT status FROM statement_lines WHERE hundredths > 0 AND narration LIKE '%{}%'", utr(number));
        let site = &site;
        async move { site.texts(&sql).await }
    };
    assert_eq!(import(format!("{}{}", upi(&utr(1), &name(1), "fee"), upi(&utr(2), &name(2), "fee"))).code, 0);
    assert_eq!(verified(&site).await, ["DL-2025-1001", "DL-2025-1002"]);
    // It goes back a day later, and somebody else claims the other.
    store_second_claim(&site).await;
    let reversal = import(line("27 Oct 2025", &format!("UPI-REVERSAL {}", utr(1)), "1,300.00", ""));
    assert_eq!((queue(1).await, queue(2).await), (vec!["reversed".to_owned()], vec!["twice".to_owned()]));
    assert_eq!(verified(&site).await, ["DL-2025-1001", "DL-2025-1002"], "a person decides what follows");
    assert_eq!(run(&site, folder.path(), &["payments", "undo", &import_id(&reversal)]).code, 0);
    assert_eq!(queue(1).await, ["settled"]);
}

async fn store_second_claim(site: &TestApp) {
    site.write("UPDATE delegates SET is_quarantined = 0 WHERE reference = 'DL-2025-0001'").await;
    let number = utr(2);
    site.write(&format!("UPDATE delegates SET transaction_details = '{number}' WHERE reference = 'DL-2025-0001'"))
        .await;
}
