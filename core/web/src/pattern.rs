//! Path patterns with parameters: "/categories/{id}/films/", "/upcoming-events/{id}.ics". Shared by endpoints, pages,
//! OpenAPI and Rocket's routes.

use std::collections::BTreeMap;

/// The values of a pattern's parameters, by name.
pub type Params = BTreeMap<&'static str, String>;

/// A path in which `{name}` matches any one segment, and `{name}.ics` any one segment with this suffix. Trailing
/// slashes are ignored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pattern(Vec<Segment>);

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Segment {
    Fixed(String),
    /// The parameter's name, and the fixed suffix of its segment.
    Parameter(&'static str, &'static str),
}

impl Pattern {
    /// Parses a pattern like "/categories/{id}/films/".
    pub fn new(path: &'static str) -> Self {
        Self(
            split(path)
                .map(|part| match part.strip_prefix('{').and_then(|part| part.split_once('}')) {
                    Some((name, suffix)) => Segment::Parameter(name, suffix),
                    None => Segment::Fixed(part.to_owned()),
                })
                .collect(),
        )
    }

    /// A pattern without parameters, for a path that is only known at start ("/twenty-festival").
    pub fn fixed(path: &str) -> Self {
        Self(split(path).map(|part| Segment::Fixed(part.to_owned())).collect())
    }

    /// A fixed prefix that is only known at start, followed by a pattern: "/admin/films" and "{id}".
    pub fn below(prefix: &str, rest: &'static str) -> Self {
        let mut pattern = Self::fixed(prefix);
        pattern.0.extend(Self::new(rest).0);
        pattern
    }

    /// Returns the values of the parameters if `path` matches.
    pub fn matches(&self, path: &str) -> Option<Params> {
        let mut params = Params::new();
        let mut parts = split(path);
        for segment in &self.0 {
            match (segment, parts.next()?) {
                (Segment::Fixed(text), part) if text == part => {}
                (Segment::Parameter(name, suffix), part) => {
                    params.insert(name, part.strip_suffix(suffix)?.to_owned());
                }
                _ => return None,
            }
        }
        parts.next().is_none().then_some(params)
    }

    /// Fills in the parameters; one without a value stays as it is.
    pub fn fill(&self, params: &Params) -> String {
        self.render(|name, suffix| match params.get(name) {
            Some(value) => format!("{value}{suffix}"),
            None => format!("{{{name}}}{suffix}"),
        })
    }

    /// The pattern in Rocket's notation: "/categories/<id>/films". Rocket has no suffixes, so a handler must check
    /// [`Pattern::matches`].
    pub fn for_rocket(&self) -> String {
        self.render(|name, _| format!("<{name}>"))
    }

    /// The pattern in OpenAPI's notation: "/categories/{id}/films".
    pub fn for_openapi(&self) -> String {
        self.render(|name, suffix| format!("{{{name}}}{suffix}"))
    }

    /// The names of the parameters, from left to right.
    pub fn parameter_names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.0.iter().filter_map(|segment| match segment {
            Segment::Parameter(name, _) => Some(*name),
            Segment::Fixed(_) => None,
        })
    }

    fn render(&self, parameter: impl Fn(&'static str, &'static str) -> String) -> String {
        let mut out = String::new();
        for segment in &self.0 {
            out.push('/');
            match segment {
                Segment::Fixed(text) => out.push_str(text),
                Segment::Parameter(name, suffix) => out.push_str(&parameter(name, suffix)),
            }
        }
        if out.is_empty() { "/".to_owned() } else { out }
    }
}

fn split(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameter_matches_one_segment_and_trailing_slashes_are_ignored() {
        let pattern = Pattern::new("/categories/{id}/films/");
        assert_eq!(pattern.matches("/categories/7/films").and_then(|p| p.get("id").cloned()), Some("7".to_owned()));
        assert!(pattern.matches("/categories/7/films/").is_some());
        assert!(pattern.matches("/categories/7/8/films").is_none());
        assert!(pattern.matches("/categories/films").is_none());
        assert_eq!(pattern.for_rocket(), "/categories/<id>/films");
        assert_eq!(Pattern::new("/").for_rocket(), "/");
    }

    #[test]
    fn parameter_may_have_a_suffix() {
        let pattern = Pattern::new("/upcoming-events/{id}.ics");
        let params = pattern.matches("/upcoming-events/7.ics").unwrap_or_default();
        assert_eq!(params.get("id").map(String::as_str), Some("7"));
        assert_eq!(pattern.fill(&params), "/upcoming-events/7.ics");
        assert!(pattern.matches("/upcoming-events/7").is_none());
        assert_eq!(
            (pattern.for_rocket(), pattern.for_openapi()),
            ("/upcoming-events/<id>".into(), "/upcoming-events/{id}.ics".into())
        );
    }
}
