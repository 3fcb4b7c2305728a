//! The mails that the site sends: the name, occasion, texts and variables of each.
//!
//! Organisers may change subject and text ([`Settings`]' `mail.texts`). A text has variables, but no conditions or
//! loops: anything conditional or repeated is a variable of several lines ([`Variable::block`]), which may be empty. A
//! line whose variables are all empty is left out, if there is nothing else on it.

mod check;
mod parts;

use std::collections::BTreeMap;

use jiff::Timestamp;

use self::parts::{Part, parts};
use super::{Mailbox, Message};
use festival_base::error::{Error, Result};
use festival_base::settings::Settings;

/// The values of variables, by name.
pub type Values = BTreeMap<&'static str, String>;

/// A mail that the site sends.
#[derive(Debug)]
pub struct Template {
    /// Stable identifier in settings and addresses: lower-case letters and hyphens, `film-receipt`.
    pub key: &'static str,
    /// What it is about, for the outbox and the log; mails that are treated alike there share it.
    pub kind: &'static str,
    /// Its name for organisers: "Receipt for a film".
    pub name: &'static str,
    /// When it is sent, as a sentence.
    pub when: &'static str,
    /// Who gets it: "The sender of the film".
    pub to: &'static str,
    /// The original subject.
    pub subject: &'static str,
    /// The original text.
    pub text: &'static str,
    /// The variables that subject and text may use.
    pub variables: &'static [&'static [Variable]],
    /// Why organisers cannot change it, as a sentence; `None` if they can.
    pub fixed: Option<&'static str>,
}

/// A placeholder for a text that differs in each mail: `{{reference}}`.
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    /// The name, without braces.
    pub name: &'static str,
    /// What it stands for.
    pub meaning: &'static str,
    /// A value to show where there is no real one.
    pub example: &'static str,
    /// Whether the text must have it.
    pub is_required: bool,
    /// Whether it must have a line of the text to itself, because it has several lines or must not be used in the
    /// subject for another reason.
    pub is_block: bool,
}

impl Variable {
    /// A variable of one line or a part of it.
    pub const fn new(name: &'static str, meaning: &'static str, example: &'static str) -> Self {
        Self { name, meaning, example, is_required: false, is_block: false }
    }

    /// A variable that has a line of the text to itself.
    pub const fn block(name: &'static str, meaning: &'static str, example: &'static str) -> Self {
        Self { is_block: true, ..Self::new(name, meaning, example) }
    }

    /// The same variable, without which no text of the mail is accepted.
    #[must_use]
    pub const fn required(self) -> Self {
        Self { is_required: true, ..self }
    }

    /// How it is written in a text.
    pub fn written(&self) -> String {
        format!("{{{{{}}}}}", self.name)
    }
}

/// The variables of mails that are about no edition: the names of the festival.
pub const FESTIVAL_NAMES: &[Variable] =
    &[Variable::new("festival", "The full name of the festival.", "Velicham International Film Festival"), SHORT_NAME];

const SHORT_NAME: Variable = Variable::new("short_name", "The short name of the festival.", "Velicham");

/// The variables that most mails have, see [`festival_values`].
pub const FESTIVAL: &[Variable] = &[
    Variable::new("festival", "The name of the edition.", "20th Velicham International Film Festival"),
    SHORT_NAME,
    Variable::new("year", "The year of the edition.", "2025"),
    Variable::block(
        "signature",
        "The full name of the festival, and how to reach the office: from the settings, Contact.",
        "Velicham International Film Festival\noffice@velicham.example\n+91 484 000 0000",
    ),
];

/// The values of [`FESTIVAL`]. `name` and `year` are those of the edition.
pub fn festival_values(settings: &Settings, name: &str, year: i64) -> Values {
    let signature = [&settings.product.full_name, &settings.contact.email, &settings.contact.phone];
    let signature: Vec<&str> = signature.into_iter().map(String::as_str).filter(|line| !line.is_empty()).collect();
    Values::from([
        ("festival", name.to_owned()),
        ("short_name", settings.product.name.clone()),
        ("year", year.to_string()),
        ("signature", signature.join("\n")),
    ])
}

/// Subject and text of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texts {
    /// The subject.
    pub subject: String,
    /// The text.
    pub text: String,
}

impl Template {
    /// The variables.
    pub fn variables(&self) -> impl Iterator<Item = &'static Variable> {
        self.variables.iter().flat_map(|group| group.iter())
    }

    /// The original subject and text.
    pub fn original(&self) -> Texts {
        Texts { subject: self.subject.to_owned(), text: self.text.trim_end().to_owned() }
    }

    /// Subject and text as changed by organisers, or else the original ones. [`Template::check`] says whether they can
    /// be sent.
    pub fn wanted(&self, settings: &Settings) -> Texts {
        let original = self.original();
        match settings.mail.texts.get(self.key).filter(|_| self.fixed.is_none()) {
            None => original,
            Some(changed) => {
                let of =
                    |changed: &str, original| if changed.trim().is_empty() { original } else { changed.to_owned() };
                Texts { subject: of(&changed.subject, original.subject), text: of(&changed.text, original.text) }
            }
        }
    }

    /// The examples of all variables.
    pub fn examples(&self) -> Values {
        self.variables().map(|variable| (variable.name, variable.example.to_owned())).collect()
    }

    /// Fills the texts of the settings with `values`. Texts that cannot be sent are replaced by the original ones, and
    /// the log says so: no mail is lost because of them.
    ///
    /// # Errors
    /// If the original text has a variable for which there is no value.
    pub fn fill(&self, settings: &Settings, values: &Values) -> Result<Texts> {
        let (wanted, original) = (self.wanted(settings), self.original());
        if wanted != original {
            let problem = self.check(&wanted).into_iter().next().map(|problem| problem.message);
            match problem.map_or_else(|| fill(&wanted, values), Err) {
                Ok(filled) => return Ok(filled),
                Err(problem) => {
                    tracing::warn!(
                        mail = self.key,
                        problem,
                        "sending the original text of a mail, not the changed one"
                    );
                }
            }
        }
        fill(&original, values).map_err(|problem| Error::internal(format!("the mail {}: {problem}", self.key)))
    }

    /// The mail with these values.
    ///
    /// # Errors
    /// Those of [`Template::fill`].
    pub fn message(
        &self,
        (settings, values): (&Settings, &Values),
        (to, reply_to): (Mailbox, Option<Mailbox>),
        created_at: Timestamp,
    ) -> Result<Message> {
        let Texts { subject, text } = self.fill(settings, values)?;
        Ok(Message { kind: self.kind, to, reply_to, subject, body: text, created_at })
    }
}

/// Replaces the variables of `texts`.
///
/// # Errors
/// A sentence if a variable has no value or is not written correctly.
pub fn fill(texts: &Texts, values: &Values) -> std::result::Result<Texts, String> {
    let subject = texts.subject.lines().map(|line| filled(line, values)).collect::<std::result::Result<Vec<_>, _>>()?;
    let subject = subject.into_iter().map(|(line, _)| line).collect::<Vec<_>>().join(" ");
    let mut lines: Vec<String> = Vec::new();
    let mut is_after_omitted = false;
    for line in texts.text.lines() {
        let (line, is_omitted) = filled(line, values)?;
        // One of the blank lines around omitted lines stays.
        let is_doubled = line.is_empty() && is_after_omitted && lines.last().is_none_or(String::is_empty);
        if is_omitted {
            is_after_omitted = true;
        } else if !is_doubled {
            is_after_omitted = false;
            lines.push(line);
        }
    }
    Ok(Texts { subject, text: format!("{}\n", lines.join("\n").trim_end()) })
}

/// Replaces the variables of a line, and returns whether it has nothing else and all of them are empty.
fn filled(line: &str, values: &Values) -> std::result::Result<(String, bool), String> {
    let (mut out, mut is_omitted, mut has_variable) = (String::new(), true, false);
    for part in parts(line)? {
        let text = match part {
            Part::Text(text) => text,
            Part::Variable(name) => {
                has_variable = true;
                values.get(name).ok_or_else(|| format!("there is no value for {{{{{name}}}}}"))?
            }
        };
        is_omitted &= text.trim().is_empty();
        out.push_str(text);
    }
    Ok((out.trim_end().to_owned(), is_omitted && has_variable))
}

#[cfg(test)]
mod tests;
