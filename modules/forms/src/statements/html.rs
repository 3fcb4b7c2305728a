//! Tables of web pages and of XML workbooks of 2003, which banks name `.xls`.

use std::cell::RefCell;

use festival_core::sheet::Row;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::{Rawtext, ScriptData};
use html5ever::tokenizer::{BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};

/// Maximum number of columns that one cell spans.
const MAX_SPAN: usize = 50;

/// Returns the rows of all tables of a page, numbered from 1. Line breaks inside a cell are spaces.
///
/// # Errors
/// If the page has no table.
pub(super) fn rows(page: &str) -> Result<Vec<Row>, String> {
    let tokenizer = Tokenizer::new(Tables::default(), TokenizerOpts::default());
    let input = BufferQueue::default();
    input.push_back(StrTendril::from(page));
    let _ = tokenizer.feed(&input); // It stops nowhere, because the sink runs no scripts.
    tokenizer.end();
    let mut tables = tokenizer.sink.0.into_inner();
    tables.end_row();
    match tables.rows.is_empty() {
        true => Err("the web page has no table; download the statement as CSV or as a workbook".to_owned()),
        false => Ok(tables.rows),
    }
}

#[derive(Default)]
struct Tables(RefCell<Reading>);

impl TokenSink for Tables {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        let mut reading = self.0.borrow_mut();
        match token {
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => match &*tag.name {
                "script" => return TokenSinkResult::RawData(ScriptData),
                "style" => return TokenSinkResult::RawData(Rawtext),
                _ => reading.start(&tag),
            },
            Token::TagToken(tag) => reading.end(local(&tag.name)),
            Token::CharacterTokens(text) => reading.text(&text),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

/// A name without its prefix: `ss:Index`.
fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

#[derive(Default)]
struct Reading {
    rows: Vec<Row>,
    cells: Vec<String>,
    /// The text of the open cell.
    open: Option<String>,
    /// Columns that the open cell spans.
    span: usize,
}

impl Reading {
    fn start(&mut self, tag: &Tag) {
        let number = |name: &str| {
            let attribute = tag.attrs.iter().find(|attribute| local(&attribute.name.local) == name)?;
            attribute.value.trim().parse::<usize>().ok().filter(|number| (1..=MAX_SPAN).contains(number))
        };
        match local(&tag.name) {
            "table" | "tr" | "row" => self.end_row(),
            "td" | "th" | "cell" => {
                self.end_cell();
                if let Some(index) = number("index") {
                    self.cells.resize((index - 1).max(self.cells.len()), String::new());
                }
                self.span = number("colspan").unwrap_or(1);
                self.open = Some(String::new());
                if tag.self_closing {
                    self.end_cell();
                }
            }
            "br" | "p" | "div" => self.text(" "),
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        match name {
            "td" | "th" | "cell" => self.end_cell(),
            "table" | "tr" | "row" => self.end_row(),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        self.open.iter_mut().for_each(|open| open.push_str(text));
    }

    fn end_cell(&mut self) {
        if let Some(text) = self.open.take() {
            self.cells.push(text);
            self.cells.resize(self.cells.len() + self.span - 1, String::new());
        }
    }

    fn end_row(&mut self) {
        self.end_cell();
        if !self.cells.is_empty() {
            let line = self.rows.len() as u64 + 1;
            self.rows.push(Row { line, cells: self.cells.drain(..).collect() });
        }
    }
}
