//! Amounts of money as text.

/// Formats an amount in rupees with Indian grouping: ₹1,00,000.
pub fn rupees(amount: i64) -> String {
    let digits = amount.unsigned_abs().to_string();
    let (head, tail) = digits.split_at(digits.len().saturating_sub(3));
    let mut groups: Vec<String> = Vec::new();
    let mut head = head.to_owned();
    while head.len() > 2 {
        groups.insert(0, head.split_off(head.len() - 2));
    }
    if !head.is_empty() {
        groups.insert(0, head);
    }
    groups.push(tail.to_owned());
    format!("{}₹{}", if amount < 0 { "-" } else { "" }, groups.join(","))
}

#[cfg(test)]
mod tests {
    use super::rupees;

    #[test]
    fn rupees_are_grouped_as_in_india() {
        assert_eq!(
            [0, 500, 1300, 25000, 100000, 12345678].map(rupees).join(" "),
            "₹0 ₹500 ₹1,300 ₹25,000 ₹1,00,000 ₹1,23,45,678"
        );
    }
}
