//! Texts of a row in one allocation: tables have many rows of short cells.

use std::ops::Index;

/// Texts in their order. Together they have less than 4 GiB.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    text: Box<str>,
    /// Where each text ends in `text`.
    ends: Box<[u32]>,
}

impl Texts {
    /// Number of texts.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// A text by its index.
    pub fn get(&self, index: usize) -> Option<&str> {
        (index < self.len()).then(|| &self[index])
    }

    /// The texts in their order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &str> {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    /// Removes texts from the end, or adds empty ones.
    pub fn resize(&mut self, length: usize) {
        if length != self.len() {
            *self = self.iter().chain(std::iter::repeat("")).take(length).collect();
        }
    }
}

impl Index<usize> for Texts {
    type Output = str;

    /// # Panics
    /// If there is no such text.
    fn index(&self, index: usize) -> &str {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start as usize..self.ends[index] as usize]
    }
}

impl<T: AsRef<str>> FromIterator<T> for Texts {
    fn from_iter<I: IntoIterator<Item = T>>(texts: I) -> Self {
        let mut builder = TextsBuilder::default();
        texts.into_iter().for_each(|text| builder.push(text.as_ref()));
        builder.build()
    }
}

impl<T: AsRef<str>, const N: usize> PartialEq<[T; N]> for Texts {
    fn eq(&self, other: &[T; N]) -> bool {
        self.iter().eq(other.iter().map(AsRef::as_ref))
    }
}

/// Builds [`Texts`] piece by piece.
#[derive(Debug, Default)]
pub struct TextsBuilder {
    text: String,
    ends: Vec<u32>,
}

impl TextsBuilder {
    /// Appends to the text that is being written.
    pub fn write(&mut self, piece: &str) {
        self.text.push_str(piece);
    }

    /// The text that is being written.
    pub fn current(&self) -> &str {
        &self.text[self.ends.last().map_or(0, |end| *end as usize)..]
    }

    /// Completes the text that is being written.
    pub fn end(&mut self) {
        self.ends.push(u32::try_from(self.text.len()).unwrap_or(u32::MAX));
    }

    /// Drops the text that is being written.
    pub fn discard(&mut self) {
        self.text.truncate(self.ends.last().map_or(0, |end| *end as usize));
    }

    /// Adds a whole text.
    pub fn push(&mut self, text: &str) {
        self.write(text);
        self.end();
    }

    /// Returns the completed texts.
    pub fn build(self) -> Texts {
        Texts { text: self.text.into(), ends: self.ends.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_by_index_and_resized() {
        let mut texts: Texts = ["നദി", "", "River"].into_iter().collect();
        assert_eq!((texts.len(), &texts[0], &texts[1], &texts[2], texts.get(3)), (3, "നദി", "", "River", None));
        assert_eq!(texts.iter().rev().collect::<Vec<_>>(), ["River", "", "നദി"]);
        texts.resize(5);
        assert_eq!(texts, ["നദി", "", "River", "", ""]);
        texts.resize(1);
        assert_eq!(texts, ["നദി"]);
        assert!(Texts::default().is_empty());
    }

    #[test]
    fn builder_writes_texts_in_pieces() {
        let mut builder = TextsBuilder::default();
        builder.push("one");
        builder.write("tw");
        builder.write("o");
        assert_eq!(builder.current(), "two");
        builder.end();
        builder.write("lost");
        builder.discard();
        assert_eq!(builder.build(), ["one", "two"]);
    }
}
