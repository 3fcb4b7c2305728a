//! The names of columns in people's lists, in many languages, from files that can be edited without programming.

/// The names in a file: lines `Language: name, name` below headings `[field]`. Lines that begin with `#` are comments.
pub struct HeaderNames(Vec<(&'static str, Vec<&'static str>)>);

impl HeaderNames {
    /// Reads the text of a file.
    pub fn parse(text: &'static str) -> Self {
        let mut section = "";
        let mut lines = Vec::new();
        for line in text.lines().map(str::trim) {
            if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                section = name;
            } else if let Some((_, names)) = line.split_once(": ").filter(|_| !line.starts_with('#')) {
                let separators = [',', '،', '、', '，'];
                lines.push((section, names.split(separators).map(str::trim).filter(|name| !name.is_empty()).collect()));
            }
        }
        Self(lines)
    }

    /// The names below a heading, in the order of the file.
    pub fn of<'n>(&'n self, section: &'n str) -> impl Iterator<Item = &'static str> + 'n {
        self.0.iter().filter(move |(name, _)| *name == section).flat_map(|(_, names)| names.iter().copied())
    }

    /// The headings, each repeated for every line below it.
    pub fn sections(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|(section, _)| *section)
    }
}
