//! Asks on a terminal what only a person can decide.

use std::io::{BufRead, Write};

use super::{Decision, Decisions, OnConflict, Question};
use festival_base::error::Result;

/// Asks each open question and adds the answers to `decisions`. Returns `false` if the person stops.
///
/// # Errors
/// If the terminal cannot be read or written.
pub fn ask<'a>(
    questions: impl Iterator<Item = &'a Question>,
    decisions: &mut Decisions,
    mut input: impl BufRead,
    mut output: impl Write,
) -> Result<bool> {
    let mut rest: Option<OnConflict> = None;
    for question in questions {
        if let Some(policy) = rest {
            let decision = if policy == OnConflict::Update { question.proposal } else { Decision::Skip };
            decisions.chosen.insert(question.key.clone(), decision);
            continue;
        }
        let lines: Vec<String> = question.lines.iter().map(u64::to_string).collect();
        let noun = if lines.len() == 1 { "line" } else { "lines" };
        writeln!(output, "\n{noun} {}: {}", lines.join(", "), question.text)?;
        if question.candidates.len() > 1 {
            for (number, candidate) in (1..).zip(&question.candidates) {
                writeln!(output, "  {number} {}", candidate.label)?;
            }
        }
        loop {
            let answers = match question.candidates.len() {
                0 => format!("n a new {}", question.noun),
                1 => "y yes, n no, it is new".to_owned(),
                _ => "its number, n no, it is new".to_owned(),
            };
            write!(output, "{answers}, s skip, a as proposed for all, sa skip all, q quit [{}]: ", hint(question))?;
            output.flush()?;
            let mut line = String::new();
            if input.read_line(&mut line)? == 0 {
                return Ok(false);
            }
            let answer = line.trim().to_lowercase();
            let decision = match (answer.as_str(), &question.candidates[..]) {
                ("", _) => question.proposal,
                ("y" | "yes", [only]) => Decision::Same(only.id),
                ("n" | "no", _) => Decision::New,
                ("s" | "skip", _) => Decision::Skip,
                ("a" | "all", _) => {
                    rest = Some(OnConflict::Update);
                    question.proposal
                }
                ("sa" | "skip all", _) => {
                    rest = Some(OnConflict::Skip);
                    Decision::Skip
                }
                ("q" | "quit", _) => return Ok(false),
                (number, candidates) => {
                    let index = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
                    let Some(candidate) = index.and_then(|index| candidates.get(index)) else { continue };
                    Decision::Same(candidate.id)
                }
            };
            decisions.chosen.insert(question.key.clone(), decision);
            break;
        }
    }
    Ok(true)
}

/// The answer that Enter gives.
fn hint(question: &Question) -> String {
    match question.proposal {
        Decision::Same(id) => match question.candidates.iter().position(|candidate| candidate.id == id) {
            Some(index) if question.candidates.len() > 1 => (index + 1).to_string(),
            _ => "y".to_owned(),
        },
        Decision::New => "n".to_owned(),
        Decision::Skip => "s".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::importing::Candidate;

    fn question(key: &str, candidates: &[i64], proposal: Decision) -> Question {
        let candidate = |id: &i64| Candidate { id: *id, label: format!("film {id}") };
        Question {
            key: key.to_owned(),
            lines: vec![2],
            text: "Is it film 1?".to_owned(),
            noun: "film",
            candidates: candidates.iter().map(candidate).collect(),
            proposal,
            decision: None,
        }
    }

    fn answers(input: &str) -> (bool, Vec<Decision>, String) {
        let questions = [
            question("a", &[1], Decision::Same(1)),
            question("b", &[2, 3], Decision::Skip),
            question("c", &[4], Decision::New),
            question("d", &[5], Decision::Same(5)),
        ];
        let (mut decisions, mut output) = (Decisions::default(), Vec::new());
        let is_complete = ask(questions.iter(), &mut decisions, input.as_bytes(), &mut output).unwrap();
        (is_complete, decisions.chosen.into_values().collect(), String::from_utf8(output).unwrap())
    }

    #[test]
    fn every_answer_is_understood() {
        use Decision::{New, Same, Skip};
        assert_eq!(answers("y\n2\nn\ns\n").1, [Same(1), Same(3), New, Skip]);
        assert_eq!(answers("\n\n\n\n").1, [Same(1), Skip, New, Same(5)], "Enter takes the proposal");
        assert_eq!(answers("n\na\n").1, [New, Skip, New, Same(5)]);
        assert_eq!(answers("y\nsa\n").1, [Same(1), Skip, Skip, Skip]);
        let (is_complete, chosen, output) = answers("perhaps\ny\n9\ny\n1\nq\n");
        assert!(!is_complete && chosen == [Same(1), Same(2)], "{output}");
        assert_eq!(output.matches("Is it film 1?").count(), 3, "an invalid answer is asked again: {output}");
        assert!(!answers("").0, "the end of the input stops");
    }
}
