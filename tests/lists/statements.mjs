// Statements as banks lay them out, with days and amounts as cells of their types, for office.mjs.

/** Day, narration, amount (negative: it went out) and balance. */
const LINES = [
  ["2025-10-20", "UPI/CR/529012345678/ASHA NAIR/SBIN/asha@oksbi/Fee", 5000, 105000],
  ["2025-10-21", "NEFT DR-HDFC0000123-PRINTERS-N294252345678901", -1300, 103700],
  ["2025-10-21", "RTGS CR-ICICR52025102112345678-A SPONSOR", 100000, 203700],
  ["2025-10-22", "IMPS-529112345679-BINU THOMAS-SIBL", 1300.5, 205000.5],
];

/** What an import reports of them: day, amount, narration. */
export const EXPECTED = [
  ["2025-10-20", "5000.00", "UPI/CR/529012345678/ASHA NAIR/SBIN/asha@oksbi/Fee"],
  ["2025-10-21", "-1300.00", "NEFT DR-HDFC0000123-PRINTERS-N294252345678901"],
  ["2025-10-21", "100000.00", "RTGS CR-ICICR52025102112345678-A SPONSOR"],
  ["2025-10-22", "1300.50", "IMPS-529112345679-BINU THOMAS-SIBL"],
];

/** The headers of each bank. */
export const BANKS = {
  SBI: ["Txn Date", "Value Date", "Description", "Ref No./Cheque No.", "Debit", "Credit", "Balance"],
  HDFC: ["Date", "Narration", "Chq./Ref.No.", "Value Dt", "Withdrawal Amt.", "Deposit Amt.", "Closing Balance"],
  ICICI: ["S No.", "Value Date", "Transaction Date", "Cheque Number", "Transaction Remarks", "Withdrawal Amount (INR )", "Deposit Amount (INR )", "Balance (INR )"],
  Axis: ["Tran Date", "CHQNO", "PARTICULARS", "DR", "CR", "BAL", "SOL"],
  Federal: ["Date", "Value Date", "Particulars", "Tran Type", "Tran ID", "Cheque Details", "Withdrawals", "Deposits", "Balance", "DR/CR"],
  Canara: ["Txn Date", "Value Date", "Cheque No.", "Description", "Branch Code", "Debit", "Credit", "Balance"],
  "South Indian": ["DATE", "PARTICULARS", "CHQ.NO.", "WITHDRAWALS", "DEPOSITS", "BALANCE"],
  "one column": ["Sl. No.", "Date", "Details", "Amount", "Dr / Cr", "Balance"],
};

/** What the cells of a line hold, by a part of their header; the first that fits. */
const CELLS = [
  [/^dr \/ cr$/i, ([, , amount]) => (amount < 0 ? "Dr" : "Cr")],
  [/^dr\/cr$/i, () => "CR"],
  [/^(s|sl\.) no\.$/i, (_, at) => at + 1],
  [/date|value dt/i, ([day]) => ({ date: day })],
  [/narration|description|remarks|particulars|^details/i, ([, narration]) => narration],
  [/debit|withdrawal|^dr$/i, ([, , amount]) => (amount < 0 ? -amount : null)],
  [/credit|deposit|^cr$/i, ([, , amount]) => (amount > 0 ? amount : null)],
  [/^amount$/i, ([, , amount]) => Math.abs(amount)],
  [/^bal/i, ([, , , balance]) => balance],
  [/closing balance/i, ([, , , balance]) => balance],
];

/** The rows of a bank's statement: an address above the header, a sentence below the lines. Each is as wide as the header. */
export function statement(bank) {
  const header = BANKS[bank];
  const wide = (cells) => [...cells, ...Array(header.length - cells.length).fill(null)];
  const cell = (name, line, at) => CELLS.find(([words]) => words.test(name))?.[1](line, at) ?? null;
  return [
    wide(["Account Name", "THE FESTIVAL"]),
    wide(["Address", "12 Lake Road, Kochi, 682001"]),
    header,
    ...LINES.map((line, at) => header.map((name) => cell(name, line, at))),
    wide(["** This is a computer generated statement, and needs no signature **"]),
  ];
}
