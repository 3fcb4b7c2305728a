//! Pages: which template, which API answers it shows, and how both become HTML.
//!
//! The frontend's build makes a document for each page and one script that renders them all. A JavaScript engine runs
//! it with the same JSON that the API answers, so that the browser takes over without asking again.

mod answer;
mod engine;
mod templates;

use std::collections::BTreeMap;
use std::future::Future;

use crate::card::{self, SocialCard};
use crate::compute::Compute;
use crate::endpoint::RequestContext;
use crate::json_ld::About;
use crate::pattern::Pattern;
use crate::sitemap::Address;
use festival_base::error::Result;

pub use answer::{answer, not_found, prepare, preview};
pub use templates::Templates;

/// An API answer that a page shows.
#[derive(Clone, Debug)]
pub enum DataDependency {
    /// The answer at this path; the page's own holes are filled in.
    One(Pattern),
    /// For each element of the list at the first path, the answer at the second with the element's id.
    Each {
        /// Where the list is.
        list: Pattern,
        /// Where one element's answer is; `{id}` is the element's.
        item: Pattern,
        /// So many elements of that answer are shown, from its beginning. The page asks for the others when a
        /// visitor gets that far.
        first: usize,
    },
}

impl DataDependency {
    /// The answer at `path`.
    pub fn one(path: &'static str) -> Self {
        Self::One(Pattern::new(path))
    }
}

/// A query parameter that a page reads. It is a number, and fills the hole of its own name in the path of an API answer
/// that the page shows.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The parameter's name, and the hole's.
    pub name: &'static str,
    /// Where the answer is. A value for which there is none is ignored.
    pub path: Pattern,
    /// The value where the address has none; where this is none either, that answer is not shown.
    pub otherwise: Option<&'static str>,
}

/// A page of the site.
#[derive(Clone, Debug)]
pub struct Page {
    /// Its path.
    pub path: Pattern,
    /// Its template in the built frontend.
    pub template: &'static str,
    /// What it shows.
    pub dependencies: Vec<DataDependency>,
    /// What it is called in the trail of pages that lead to another.
    pub name: Option<&'static str>,
    /// The page that it stands below; none for one right below the home page.
    pub under: Option<&'static str>,
    /// The query parameters that it reads; the first that an address has is what that address is about.
    pub reads: Vec<Parameter>,
    /// For the sitemap: the addresses that it has. A page with holes and without these is not in it.
    pub listed: Option<Compute<Vec<Address>>>,
    /// What it says about itself to programs.
    pub about: Option<Compute<About>>,
    /// What messengers show of it; none for the festival's own card.
    pub card: Option<Compute<SocialCard>>,
    /// Whether search engines should find it.
    pub in_sitemap: bool,
    /// Whether it may show the hosts of `frontend.frame_hosts` in a frame.
    pub frames: bool,
}

impl Page {
    /// A page at a path.
    pub fn new(path: &'static str, template: &'static str) -> Self {
        Self::at(Pattern::new(path), template)
    }

    /// A page at a path that is only known at start.
    pub fn at(path: Pattern, template: &'static str) -> Self {
        Self {
            path,
            template,
            dependencies: Vec::new(),
            name: None,
            under: None,
            reads: Vec::new(),
            listed: None,
            about: None,
            card: None,
            in_sitemap: true,
            frames: false,
        }
    }

    /// Shows these API answers.
    #[must_use]
    pub fn depends_on(mut self, paths: impl IntoIterator<Item = &'static str>) -> Self {
        self.dependencies.extend(paths.into_iter().map(DataDependency::one));
        self
    }

    /// Shows the `first` elements of the answer at `item` for each element of the list at `list`.
    #[must_use]
    pub fn depends_on_first_of_each(mut self, first: usize, list: &'static str, item: &'static str) -> Self {
        self.dependencies.push(DataDependency::Each { list: Pattern::new(list), item: Pattern::new(item), first });
        self
    }

    /// Is called `name` where pages are named.
    #[must_use]
    pub fn called(mut self, name: &'static str) -> Self {
        self.name = Some(name);
        self
    }

    /// Stands below the page at `path`.
    #[must_use]
    pub fn under(mut self, path: &'static str) -> Self {
        self.under = Some(path);
        self
    }

    /// Reads the query parameter `name`, and shows the one thing that the API answers at `path` with it.
    #[must_use]
    pub fn picks(mut self, name: &'static str, path: &'static str) -> Self {
        self.reads.push(Parameter { name, path: Pattern::new(path), otherwise: None });
        self
    }

    /// Shows a list in parts: the one that the query parameter `name` says, else the first. They are at `path`.
    #[must_use]
    pub fn in_parts(mut self, name: &'static str, path: &'static str) -> Self {
        self.reads.push(Parameter { name, path: Pattern::new(path), otherwise: Some("1") });
        self
    }

    /// The one thing that the query picks: the parameter's name and its value.
    pub fn picked<'a>(&self, query: &'a BTreeMap<&'static str, String>) -> Option<(&'static str, &'a str)> {
        let picks = self.reads.iter().filter(|parameter| parameter.otherwise.is_none());
        picks.map(|parameter| parameter.name).find_map(|name| Some((name, query.get(name)?.as_str())))
    }

    /// Has the addresses that `list` answers.
    #[must_use]
    pub fn listed<F, Fut>(mut self, list: F) -> Self
    where
        F: Fn(RequestContext) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Vec<Address>>> + Send + 'static,
    {
        self.listed = Some(Compute::new(list));
        self
    }

    /// Says what `about` answers to programs.
    #[must_use]
    pub fn about<F, Fut>(mut self, about: F) -> Self
    where
        F: Fn(RequestContext) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<About>> + Send + 'static,
    {
        self.about = Some(Compute::new(about));
        self
    }

    /// Shows another host in a frame.
    #[must_use]
    pub fn frames(mut self) -> Self {
        self.frames = true;
        self
    }

    /// Messengers show what `card` answers. Where it answers that there is nothing, there is no card.
    #[must_use]
    pub fn card<F, Fut>(mut self, card: F) -> Self
    where
        F: Fn(RequestContext) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<SocialCard>> + Send + 'static,
    {
        self.card = Some(Compute::new(card));
        self
    }

    /// Messengers show its title, in both languages.
    #[must_use]
    pub fn titled(self, title: &'static str, malayalam: &'static str) -> Self {
        self.card(move |_| async move { Ok(SocialCard::of_words(title).second(Some(malayalam))) })
    }

    /// Messengers show the title and the picture of the text at `path` in the API; `title` where there is no text.
    #[must_use]
    pub fn shows_text(self, path: &'static str, title: &'static str) -> Self {
        self.card(move |request| async move { Ok(card::of_text(&request, path, title).await) })
    }

    /// Not for search engines.
    #[must_use]
    pub fn unlisted(mut self) -> Self {
        self.in_sitemap = false;
        self
    }
}
