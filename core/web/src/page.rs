//! Pages: their template, the API responses that they show, and how both are rendered to HTML.
//!
//! The frontend's build produces a document template for each page, and one script that renders all of them. A
//! JavaScript engine runs the script with the JSON of the API, which the document also carries, so that the browser
//! hydrates the page without further requests.

mod answer;
mod engine;
mod gathered;
mod requested;
mod templates;

use crate::card::SocialCard;
use crate::json_ld::About;
use crate::pattern::Pattern;
use festival_base::error::Result;
use festival_base::{AsyncFn, AsyncFunction};
use smart_default::SmartDefault;
use std::collections::BTreeMap;

pub use answer::{answer, not_found, prepare, preview};
pub use templates::Templates;

/// An API response that a page shows.
#[derive(Clone, Debug)]
pub enum DataDependency {
    /// The response at this path, with the page's path parameters filled in.
    One(Pattern),
    /// For each element of a list, the response at a path with the element's id.
    Each {
        /// The path of the list.
        list: Pattern,
        /// The path of one element's response; `{id}` is the element's.
        item: Pattern,
        /// How many elements of that response the page embeds, from its beginning. The browser requests the others when
        /// a visitor gets that far.
        first: usize,
    },
}

impl DataDependency {
    /// The response at `path`.
    pub fn one(path: &'static str) -> Self {
        Self::One(Pattern::new(path))
    }
}

/// A numeric query parameter of a page. It fills the path parameter of the same name in the path of an API response
/// that the page shows.
#[derive(Clone, Debug)]
pub struct QueryParameter {
    /// The name, in the query and in `path`.
    pub name: &'static str,
    /// The path of the response. A value without a response is ignored.
    pub path: Pattern,
    /// The value if the query has none. Without a default, that response is then not shown.
    pub default: Option<&'static str>,
}

/// An address that search engines should know.
#[derive(Clone, Debug)]
pub struct Address {
    /// The path with its query, from the first slash on.
    pub path: String,
    /// When its content was last changed, as a timestamp of the database; none if unknown.
    pub changed_at: Option<String>,
}

/// A page of the site.
#[must_use]
#[derive(Clone, SmartDefault)]
pub struct Page<C> {
    /// Its path.
    pub path: Pattern,
    /// Its template in the built frontend.
    pub template: &'static str,
    /// The API responses that it shows.
    pub dependencies: Vec<DataDependency>,
    /// Its name in breadcrumbs.
    pub name: Option<&'static str>,
    /// The path of its parent page in breadcrumbs; none for one directly below the home page.
    pub parent: Option<&'static str>,
    /// The query parameters that it reads; the first one that a query has identifies the page's subject.
    pub reads: Vec<QueryParameter>,
    /// The names of query parameters with a text that it is rendered with, such as a search.
    pub texts: Vec<&'static str>,
    /// Its addresses for the sitemap. A page with path parameters that does not list its addresses is left out.
    pub listed: Option<AsyncFn<C, Result<Vec<Address>>>>,
    /// Its structured data (JSON-LD).
    pub json_ld: Option<AsyncFn<C, Result<About>>>,
    /// Its social card; none for the festival's own card.
    pub card: Option<AsyncFn<C, Result<SocialCard>>>,
    /// Whether it is in the sitemap and open to crawlers.
    #[default = true]
    pub in_sitemap: bool,
    /// Whether menus link to it only once it lists an address.
    pub is_linked_once_listed: bool,
    /// The year of the edition that an address of it is about.
    pub year: Option<AsyncFn<C, Result<Option<i64>>>>,
    /// Whether it may embed the hosts of `frontend.frame_hosts` in a frame.
    pub frames: bool,
    /// Whether `festival check` warns if organisers assigned no document to it.
    pub expects_document: bool,
}

impl<C: 'static> Page<C> {
    /// A page at a path pattern.
    pub fn new(path: &'static str, template: &'static str) -> Self {
        Self::at(Pattern::new(path), template)
    }

    /// A page at a path that is only known at start.
    pub fn at(path: Pattern, template: &'static str) -> Self {
        Self { path, template, ..Self::default() }
    }

    /// Adds API responses that the page shows.
    pub fn depends_on(mut self, paths: impl IntoIterator<Item = &'static str>) -> Self {
        self.dependencies.extend(paths.into_iter().map(DataDependency::one));
        self
    }

    /// Adds, for each element of the list at `list`, the `first` elements of the response at `item`.
    pub fn depends_on_first_of_each(mut self, first: usize, list: &'static str, item: &'static str) -> Self {
        self.dependencies.push(DataDependency::Each { list: Pattern::new(list), item: Pattern::new(item), first });
        self
    }

    /// The paths of the API responses that it shows at its first address: for paginated lists the first page.
    pub fn first_data(&self) -> Vec<String> {
        let dependencies = self.dependencies.iter().map(|dependency| match dependency {
            DataDependency::One(path) | DataDependency::Each { list: path, .. } => path.for_openapi() + "/",
        });
        let parts = self.reads.iter().filter_map(|parameter| {
            let hole = format!("{{{}}}", parameter.name);
            Some(parameter.path.for_openapi().replace(&hole, parameter.default?) + "/")
        });
        dependencies.chain(parts).collect()
    }

    /// Sets the page's name in breadcrumbs.
    pub fn breadcrumb(mut self, name: &'static str) -> Self {
        self.name = Some(name);
        self
    }

    /// Sets the parent page in breadcrumbs.
    pub fn parent(mut self, path: &'static str) -> Self {
        self.parent = Some(path);
        self
    }

    /// Reads the query parameter `name`, and shows the API response at `path` for its value.
    pub fn record_parameter(mut self, name: &'static str, path: &'static str) -> Self {
        self.reads.push(QueryParameter { name, path: Pattern::new(path), default: None });
        self
    }

    /// Shows one page of a list whose pages are at `path`: the one in the query parameter `name`, or the first.
    pub fn paginated(mut self, name: &'static str, path: &'static str) -> Self {
        self.reads.push(QueryParameter { name, path: Pattern::new(path), default: Some("1") });
        self
    }

    /// Renders the page with the texts of these query parameters, such as a search.
    pub fn reads_texts(mut self, names: impl IntoIterator<Item = &'static str>) -> Self {
        self.texts.extend(names);
        self
    }

    /// Returns the query parameter that identifies what the page is about, added by [`Page::record_parameter`]: its name and
    /// value.
    pub fn selected_record<'a>(&self, query: &'a BTreeMap<&'static str, String>) -> Option<(&'static str, &'a str)> {
        let parameters = self.reads.iter().filter(|parameter| parameter.default.is_none());
        parameters.map(|parameter| parameter.name).find_map(|name| Some((name, query.get(name)?.as_str())))
    }

    /// Sets the function that lists the page's addresses for the sitemap.
    pub fn listed(mut self, list: impl AsyncFunction<C, Result<Vec<Address>>>) -> Self {
        self.listed = Some(AsyncFn::new(list));
        self
    }

    /// Leaves the page out of the menus while it lists no address: there is nothing yet that it could show.
    pub fn linked_once_listed(mut self) -> Self {
        self.is_linked_once_listed = true;
        self
    }

    /// Sets the function that describes the page as structured data.
    pub fn json_ld(mut self, describe: impl AsyncFunction<C, Result<About>>) -> Self {
        self.json_ld = Some(AsyncFn::new(describe));
        self
    }

    /// Sets the function that returns the year of the edition that an address of the page is about. Once that edition
    /// is in the archive, its address on the site leads there.
    pub fn of_year(mut self, year: impl AsyncFunction<C, Result<Option<i64>>>) -> Self {
        self.year = Some(AsyncFn::new(year));
        self
    }

    /// Warns the operator if organisers assigned no document to the page.
    pub fn expects_document(mut self) -> Self {
        self.expects_document = true;
        self
    }

    /// Allows the page to embed the hosts of `frontend.frame_hosts` in a frame.
    pub fn frames(mut self) -> Self {
        self.frames = true;
        self
    }

    /// Sets the function that describes the page's social card. Where it returns `NotFound`, the page has no card.
    pub fn card(mut self, card: impl AsyncFunction<C, Result<SocialCard>>) -> Self {
        self.card = Some(AsyncFn::new(card));
        self
    }

    /// Sets a social card with the title in both languages.
    pub fn titled(self, title: &'static str, malayalam: &'static str) -> Self {
        self.card(move |_| async move { Ok(SocialCard::new(title).second(Some(malayalam))) })
    }

    /// Leaves the page out of the sitemap and disallows it for crawlers.
    pub fn unlisted(mut self) -> Self {
        self.in_sitemap = false;
        self
    }
}
