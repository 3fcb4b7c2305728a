//! What the site serves, apart from the files of its frontend.

use std::collections::BTreeMap;
use std::sync::Arc;

use smart_default::SmartDefault;

use super::added_facts::AddedFacts;
use crate::document::Document;
use crate::endpoint::Endpoint;
use crate::json_ld::About;
use crate::page::{DataDependency, Page};
use crate::pattern::{Params, Pattern};
use crate::post::Post;
use crate::public_url::PublicUrl;
use crate::submissions::{ReceiptPart, Submissions};

use festival_base::error::Result;
use festival_base::{AsyncFn, extend_fields};
use festival_records::entity::Entity;

/// What one module contributes to a site `S`, or all enabled modules together. Its handlers get a context `C`.
#[derive(Clone, SmartDefault)]
pub struct Contents<C, S: Send + Sync + 'static> {
    /// GET endpoints under the API's mount.
    pub endpoints: Vec<Arc<Endpoint<C>>>,
    /// POST endpoints under the API's mount.
    pub posts: Vec<Arc<Post<S>>>,
    /// The pages.
    pub pages: Vec<Arc<Page<C>>>,
    /// API responses that are added to pages of other modules: path of the page, dependency.
    pub dependencies: Vec<(&'static str, DataDependency)>,
    /// Structured data that is added to pages of other modules: path of the page, description.
    pub json_ld: Vec<(&'static str, AsyncFn<C, Result<About>>)>,
    /// The documents: feeds, calendars.
    pub documents: Vec<Arc<Document<C>>>,
    /// Facts that `GET /site/` returns in addition to those of core.
    pub facts: Vec<AddedFacts>,
    /// Where visitors find the rows of entities, by the entity's table.
    pub public_urls: BTreeMap<&'static str, PublicUrl>,
    /// The submissions of forms.
    pub submissions: Vec<Arc<dyn Submissions<S>>>,
    /// What modules add to receipts of submissions.
    pub receipt_parts: Vec<Arc<dyn ReceiptPart<S>>>,
}

impl<C: 'static, S: Send + Sync + 'static> Contents<C, S> {
    /// Adds the contents of `other`.
    pub fn extend(&mut self, other: Self) {
        extend_fields! { self, other,
            endpoints, posts, pages, dependencies, json_ld, documents, facts, public_urls, submissions,
            receipt_parts
        }
    }

    /// Finds the endpoint at `path`, without the API's mount, and the values of its path parameters.
    pub fn endpoint_at(&self, path: &str) -> Option<(&Arc<Endpoint<C>>, Params)> {
        self.endpoints.iter().find_map(|endpoint| Some((endpoint, endpoint.path.matches(path)?)))
    }

    /// Finds the page at `path`, and the values of its path parameters.
    pub fn page_at(&self, path: &str) -> Option<(&Arc<Page<C>>, Params)> {
        self.pages.iter().find_map(|page| Some((page, page.path.matches(path)?)))
    }

    /// Returns the submissions in `table`, if their module is switched on.
    pub fn submissions_in(&self, table: &str) -> Option<&dyn Submissions<S>> {
        self.submissions.iter().map(Arc::as_ref).find(|submissions| submissions.entity().table == table)
    }

    /// Returns where visitors find the rows of `entity`; none if they are not shown.
    pub fn public_url_of(&self, entity: &Entity) -> Option<PublicUrl> {
        self.public_urls.get(entity.table).copied()
    }

    /// Structured data of `page`: its own, then what other modules added.
    pub(crate) fn json_ld_of<'a>(&'a self, page: &'a Page<C>) -> impl Iterator<Item = &'a AsyncFn<C, Result<About>>> {
        let added = self.json_ld.iter().filter(|(at, _)| Pattern::new(at) == page.path).map(|(_, describe)| describe);
        page.json_ld.iter().chain(added)
    }

    /// Whether `page` has different content for another edition: it depends on an endpoint that does, or is below such
    /// a page.
    pub(crate) fn is_of_edition(&self, page: &Page<C>) -> bool {
        let is_per_edition =
            |path: &Pattern| self.endpoints.iter().any(|endpoint| endpoint.path == *path && endpoint.is_per_edition());
        let depends = self.dependencies_of(page).any(|dependency| match dependency {
            DataDependency::One(path) => is_per_edition(path),
            DataDependency::Each { list, .. } => is_per_edition(list),
        });
        let parent = || self.pages.iter().find(|other| Some(other.path.for_openapi().as_str()) == page.parent);
        depends || parent().is_some_and(|parent| self.is_of_edition(parent))
    }

    /// Dependencies of `page`: its own, then those that other modules added.
    pub(crate) fn dependencies_of<'a>(&'a self, page: &'a Page<C>) -> impl Iterator<Item = &'a DataDependency> {
        let path = page.path.for_openapi();
        let added = self.dependencies.iter().filter(move |(at, _)| Pattern::new(at).for_openapi() == path);
        page.dependencies.iter().chain(added.map(|(_, dependency)| dependency))
    }
}
