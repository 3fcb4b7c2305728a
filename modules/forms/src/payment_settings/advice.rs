//! Settings that are missing before fees can be paid, for the dashboard and `festival check --deploy`.

use festival_core::Result;
use festival_core::admin::dashboard::{DashboardContext, PendingTask};
use festival_core::settings::Settings;

use super::payment::Payment;

pub(super) async fn pending_tasks(context: DashboardContext) -> Result<Vec<PendingTask>> {
    let payment = Payment::of(&*context.site.in_force().await?);
    if !(payment.bank.account_number.is_empty() && payment.upi.id.is_empty()) {
        return Ok(Vec::new());
    }
    let text = "Payment is not possible: enter bank details or a UPI ID.".to_owned();
    Ok(vec![PendingTask { text, href: "/admin/settings/payment".into(), is_urgent: true }])
}

/// Finds payment details that are missing, and those of the demonstration.
pub(super) fn deploy_problems(settings: &Settings) -> Vec<String> {
    let Payment { bank, upi } = Payment::of(settings);
    let mut problems = Vec::new();
    if bank.account_number.is_empty() || upi.id.is_empty() {
        problems.push("P002: the forms ask for fees, but payment.bank or payment.upi is empty".to_owned());
    }
    let is_example = |text: &str| text.to_lowercase().contains("example");
    let examples = [
        ("bank.account_name", is_example(&bank.account_name)),
        ("bank.account_number", !bank.account_number.is_empty() && bank.account_number.chars().all(|c| c == '0')),
        ("bank.bank", is_example(&bank.bank)),
        ("bank.branch", is_example(&bank.branch)),
        ("bank.ifsc", bank.ifsc.starts_with("EXMP")),
        ("upi.id", is_example(&upi.id)),
        ("upi.payee", is_example(&upi.payee)),
    ];
    let examples: Vec<&str> = examples.into_iter().filter_map(|(name, wrong)| wrong.then_some(name)).collect();
    if !examples.is_empty() {
        let names = examples.join(", ");
        problems.push(format!(
            "P011: payment details of a demonstration: {names}; set your own at /admin/settings/payment"
        ));
    }
    problems
}
