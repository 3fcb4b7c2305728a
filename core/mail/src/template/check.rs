//! Checks whether a subject and a text can be sent, with messages that say what to do if not.

use super::parts::{Part, in_single_braces, parts};
use super::{Template, Texts, Variable};
use festival_base::error::FieldError;
use festival_base::settings::did_you_mean;

impl Template {
    /// The errors of a subject and a text, at the inputs `subject` and `text`; none if they can be sent.
    pub fn check(&self, texts: &Texts) -> Vec<FieldError> {
        let mut problems = Vec::new();
        let mut add = |input: &str, message: String| {
            if !problems.iter().any(|problem: &FieldError| problem.field == input && problem.message == message) {
                problems.push(FieldError::new(input, message));
            }
        };
        if texts.subject.trim().is_empty() {
            add("subject", "Write a subject.".to_owned());
        }
        if texts.text.trim().is_empty() {
            add("text", "Write a text.".to_owned());
            return problems;
        }
        for (input, text) in [("subject", &texts.subject), ("text", &texts.text)] {
            for line in text.lines() {
                for message in wrong_in_line(self, line, input == "subject") {
                    add(input, message);
                }
            }
        }
        for variable in self.variables().filter(|variable| variable.is_required && !has(&texts.text, variable)) {
            let meaning = variable.meaning.trim_end_matches('.');
            add("text", format!("{} is missing: this mail must have it ({meaning}).", variable.written()));
        }
        problems
    }
}

fn wrong_in_line(template: &Template, line: &str, is_subject: bool) -> Vec<String> {
    let parts = match parts(line) {
        Ok(parts) => parts,
        Err(message) => return vec![message],
    };
    let is_alone = parts.iter().all(|part| match part {
        Part::Text(text) => text.trim().is_empty(),
        Part::Variable(_) => true,
    }) && parts.iter().filter(|part| matches!(part, Part::Variable(_))).count() == 1;
    let mut messages = Vec::new();
    for part in parts {
        match part {
            Part::Variable(name) => match template.variables().find(|variable| variable.name == name) {
                None => messages.push(unknown(template, name)),
                Some(variable) if variable.is_block && is_subject => {
                    messages.push(format!("{} belongs in the text, not in the subject.", variable.written()));
                }
                Some(variable) if variable.is_block && !is_alone => {
                    messages.push(format!("{} needs a line of its own.", variable.written()));
                }
                Some(_) => {}
            },
            Part::Text(text) => {
                let known = |name: &&str| template.variables().any(|variable| variable.name == *name);
                let single = in_single_braces(text).filter(known);
                messages.extend(single.map(|name| format!("Write two braces on each side: {{{{{name}}}}}.")));
            }
        }
    }
    messages
}

fn unknown(template: &Template, name: &str) -> String {
    let near = did_you_mean(&name.to_lowercase(), template.variables().map(|variable| variable.name));
    match near {
        Some(near) => format!("There is no {{{{{name}}}}} in this mail. Did you mean {{{{{near}}}}}?"),
        None => format!("There is no {{{{{name}}}}} in this mail. Use one of the variables that are listed."),
    }
}

fn has(text: &str, variable: &Variable) -> bool {
    text.lines().filter_map(|line| parts(line).ok()).flatten().any(|part| part == Part::Variable(variable.name))
}
