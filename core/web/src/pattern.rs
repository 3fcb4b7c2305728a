//! Paths with holes: "/categories/{id}/films/", "/upcoming-events/{id}.ics". Shared by endpoints, pages, OpenAPI and Rocket's routes.

use std::collections::BTreeMap;

/// The values of a pattern's holes.
pub type Params = BTreeMap<&'static str, String>;

/// A path whose `{name}` segments stand for any one segment, `{name}.ics` for one with this ending. A slash at the end
/// makes no difference.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pattern(Vec<Segment>);

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Segment {
    Fixed(String),
    /// Its name, and what follows it in the segment.
    Hole(&'static str, &'static str),
}

impl Pattern {
    /// Reads "/categories/{id}/films/". Names of holes must be `'static`, fixed segments need not be.
    pub fn new(path: &'static str) -> Self {
        Self(
            split(path)
                .map(|part| match part.strip_prefix('{').and_then(|part| part.split_once('}')) {
                    Some((name, ending)) => Segment::Hole(name, ending),
                    None => Segment::Fixed(part.to_owned()),
                })
                .collect(),
        )
    }

    /// A path without holes that is only known at start ("/twenty-festival").
    pub fn fixed(path: &str) -> Self {
        Self(split(path).map(|part| Segment::Fixed(part.to_owned())).collect())
    }

    /// A path whose beginning is only known at start, with a rest that may have holes: "/admin/films" and "{id}".
    pub fn below(beginning: &str, rest: &'static str) -> Self {
        let mut pattern = Self::fixed(beginning);
        pattern.0.extend(Self::new(rest).0);
        pattern
    }

    /// The values of the holes, if `path` fits.
    pub fn matches(&self, path: &str) -> Option<Params> {
        let mut params = Params::new();
        let mut parts = split(path);
        for segment in &self.0 {
            match (segment, parts.next()?) {
                (Segment::Fixed(text), part) if text == part => {}
                (Segment::Hole(name, ending), part) => {
                    params.insert(name, part.strip_suffix(ending)?.to_owned());
                }
                _ => return None,
            }
        }
        parts.next().is_none().then_some(params)
    }

    /// The path with its holes filled; a hole without a value stays as it is.
    pub fn fill(&self, params: &Params) -> String {
        self.render(|name, ending| match params.get(name) {
            Some(value) => format!("{value}{ending}"),
            None => format!("{{{name}}}{ending}"),
        })
    }

    /// As Rocket writes it: "/categories/<id>/films". It knows no endings: whoever answers asks [`Pattern::matches`].
    pub fn for_rocket(&self) -> String {
        self.render(|name, _| format!("<{name}>"))
    }

    /// As OpenAPI writes it: "/categories/{id}/films".
    pub fn for_openapi(&self) -> String {
        self.render(|name, ending| format!("{{{name}}}{ending}"))
    }

    /// The names of the holes, from left to right.
    pub fn holes(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.0.iter().filter_map(|segment| match segment {
            Segment::Hole(name, _) => Some(*name),
            Segment::Fixed(_) => None,
        })
    }

    fn render(&self, hole: impl Fn(&'static str, &'static str) -> String) -> String {
        let mut out = String::new();
        for segment in &self.0 {
            out.push('/');
            match segment {
                Segment::Fixed(text) => out.push_str(text),
                Segment::Hole(name, ending) => out.push_str(&hole(name, ending)),
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
    fn a_hole_takes_one_segment_and_slashes_at_the_end_do_not_matter() {
        let pattern = Pattern::new("/categories/{id}/films/");
        assert_eq!(pattern.matches("/categories/7/films").and_then(|p| p.get("id").cloned()), Some("7".to_owned()));
        assert!(pattern.matches("/categories/7/films/").is_some());
        assert!(pattern.matches("/categories/7/8/films").is_none());
        assert!(pattern.matches("/categories/films").is_none());
        assert_eq!(pattern.for_rocket(), "/categories/<id>/films");
        assert_eq!(Pattern::new("/").for_rocket(), "/");
    }

    #[test]
    fn a_hole_may_have_an_ending() {
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
