//! Tests of checking and filling texts.

use super::*;
use festival_base::settings::MailText;

static RECEIPT: Template = Template {
    key: "receipt",
    kind: "receipt",
    name: "Receipt",
    when: "",
    to: "",
    subject: "Received ({{reference}})",
    text: "Dear {{name}},\n\nReference: {{reference}}\n{{details}}\n\n{{files}}\n\n{{signature}}\n",
    variables: &[
        &[Variable::new("reference", "The reference.", "F-1").required(), Variable::new("name", "The name.", "Anu")],
        &[
            Variable::block("details", "Details.", "Award: A\nLate"),
            Variable::block("files", "Files.", ""),
            Variable::new("signature", "Who we are.", "The office"),
        ],
    ],
    fixed: None,
};

fn changed(subject: &str, text: &str) -> Settings {
    let mut settings = Settings::default();
    settings.mail.texts.insert("receipt".into(), MailText { subject: subject.into(), text: text.into() });
    settings
}

fn problems(subject: &str, text: &str) -> Vec<String> {
    let texts = Texts { subject: subject.into(), text: text.into() };
    RECEIPT.check(&texts).into_iter().map(|problem| format!("{}: {}", problem.field, problem.message)).collect()
}

#[test]
fn lines_of_empty_variables_are_left_out() -> Result<()> {
    let mut values = RECEIPT.examples();
    let filled = RECEIPT.fill(&Settings::default(), &values)?;
    assert_eq!(filled.subject, "Received (F-1)");
    assert_eq!(filled.text, "Dear Anu,\n\nReference: F-1\nAward: A\nLate\n\nThe office\n");
    values.insert("details", String::new());
    values.insert("files", "File: one".into());
    values.insert("signature", String::new());
    let filled = RECEIPT.fill(&Settings::default(), &values)?;
    assert_eq!(filled.text, "Dear Anu,\n\nReference: F-1\n\nFile: one\n");
    Ok(())
}

#[test]
fn values_are_not_read_as_variables() -> Result<()> {
    let mut values = RECEIPT.examples();
    values.insert("name", "{{signature}} {{#if x}} <b>&".into());
    assert!(RECEIPT.fill(&Settings::default(), &values)?.text.starts_with("Dear {{signature}} {{#if x}} <b>&,\n"));
    Ok(())
}

#[test]
fn changed_text_is_sent_and_blank_lines_in_it_stay() -> Result<()> {
    let settings = changed("", "Hello {{ name }}\n\n\n{{reference}}");
    let filled = RECEIPT.fill(&settings, &RECEIPT.examples())?;
    assert_eq!(filled, Texts { subject: "Received (F-1)".into(), text: "Hello Anu\n\n\nF-1\n".into() });
    Ok(())
}

#[test]
fn broken_text_is_replaced_by_the_original() -> Result<()> {
    let original = RECEIPT.fill(&Settings::default(), &RECEIPT.examples())?;
    for (subject, text) in [("", "{{refrence}}"), ("{{", "{{reference}}"), ("Hello", "No reference")] {
        assert_eq!(RECEIPT.fill(&changed(subject, text), &RECEIPT.examples())?, original, "{subject} {text}");
    }
    // A variable that is declared and was not given.
    let mut values = RECEIPT.examples();
    values.remove("details");
    assert!(RECEIPT.fill(&changed("Hello", "{{reference}}"), &values)?.subject == "Hello");
    assert!(RECEIPT.fill(&Settings::default(), &values).is_err());
    Ok(())
}

#[test]
fn problems_name_what_to_do() {
    assert_eq!(problems("Received", "{{reference}}"), Vec::<String>::new());
    for (subject, text, expected) in [
        ("", "{{reference}}", "subject: Write a subject."),
        ("Received", " \n", "text: Write a text."),
        (
            "{{Refrence}}",
            "{{reference}}",
            "subject: There is no {{Refrence}} in this mail. Did you mean {{reference}}?",
        ),
        (
            "{{xyz}}",
            "{{reference}}",
            "subject: There is no {{xyz}} in this mail. Use one of the variables that are listed.",
        ),
        ("{{details}}", "{{reference}}", "subject: {{details}} belongs in the text, not in the subject."),
        ("R", "{{reference}} {{details}}", "text: {{details}} needs a line of its own."),
        ("R", "{{reference}} and {name}", "text: Write two braces on each side: {{name}}."),
        ("R", "{{reference}}\n{{name", "text: There is no “}}” after “{{name”."),
        ("R", "{{reference}}\n name}}", "text: There is no “{{” before “ name}}”."),
        (
            "R",
            "{{reference}}\n{{#if name}}\n",
            "text: There is no {{#if name}} in this mail. Use one of the variables that are listed.",
        ),
        ("{{reference}}", "Hello", "text: {{reference}} is missing: this mail must have it (The reference)."),
    ] {
        assert_eq!(problems(subject, text), [expected]);
    }
}
