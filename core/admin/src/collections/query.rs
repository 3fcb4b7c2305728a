//! The query of a list: edition, status, search, filters, order and page, read from the query string, so that every list
//! can be linked to, paged through and exported.

use serde_json::{Map, Value};
use sqlx::AnyConnection;

use super::collection::{Collection, Found};
use crate::back_office::AdminRequest;
use crate::identity::scope::{EDITIONS, Scope};
use crate::serving::input::{Choice, Input};
use festival_base::db::{Datum, Order, Select, Test};
use festival_base::error::Result;
use festival_records::edition::{self, EDITION};
use festival_records::entity::table;

/// Maximum length of a search, in characters.
const MAX_SEARCH: usize = 200;
/// Maximum page number.
const MAX_PAGE: i64 = 1_000_000;

/// The query of a list.
pub struct ListQuery {
    /// Selects the rows of the chosen status.
    pub select: Select,
    /// Selects the rows of any status.
    pub(super) of_any_status: Select,
    /// The order of the rows.
    pub order: Order,
    /// The key of the column that they are sorted by, and whether descending; `None`: the default order.
    pub(super) sort: Option<(&'static str, bool)>,
    /// Key of the chosen status; "" for any.
    pub status: &'static str,
    /// The words of the search.
    pub search: String,
    /// Whether the rows have only words that are similar to these.
    pub(super) is_similar: bool,
    /// The shown edition; `None` if the list does not belong to editions.
    pub edition: Option<ChosenEdition>,
    /// The inputs of the filters.
    pub filters: Vec<Input>,
    /// Page number, from 1.
    pub(super) page: i64,
}

impl ListQuery {
    /// Parses the query string of a request.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn read(
        request: &AdminRequest,
        connection: &mut AnyConnection,
        collection: &impl Collection,
    ) -> Result<Self> {
        let (query, viewer, entity) = (&request.query, request.viewer()?, collection.entity());
        let scope = collection.scope(viewer);
        let edition = match entity.per_edition {
            true => Some(ChosenEdition::read(request, connection, &scope).await?),
            false => None,
        };
        let edition_id = edition.as_ref().map(|edition| edition.id);
        let mut select = collection.select(connection, &scope, edition_id).await?;
        let search: String = query.get("q").chars().take(MAX_SEARCH).collect();
        let mut is_similar = false;
        if !search.is_empty() {
            Found { select, is_similar } = collection.search(viewer, connection, select, &search).await?;
        }
        let mut filters = collection.filters(viewer, connection, edition_id).await?;
        for filter in &mut filters {
            let present = query.get(&filter.name);
            filter.choices.iter_mut().for_each(|choice| choice.chosen = choice.key == present);
            if filter.choices.iter().any(|choice| choice.chosen) {
                present.clone_into(&mut filter.value);
                select = collection.filter(viewer, select, &filter.name, present);
            }
        }
        let status = query.get("status");
        let status = collection.states().iter().find(|state| state.key == status).map_or("", |state| state.key);
        let of_any_status = select.clone();
        if !status.is_empty() {
            select = select.filter("status", Test::Is, Datum::Text(status.to_owned()));
        }
        let is_descending = query.get("down") == "1";
        let columns = collection.columns(viewer).into_iter();
        let sorted = columns.filter(|column| column.key == query.get("sort")).find_map(|column| {
            let order = column.order?.descending(is_descending);
            Some((order, (column.key, is_descending)))
        });
        let (order, sort) = match sorted {
            Some((order, sort)) => (order, Some(sort)),
            None => (collection.default_order(), None),
        };
        let page = query.get(collection.page_parameter()).parse::<i64>().unwrap_or(1).clamp(1, MAX_PAGE);
        Ok(Self { select, of_any_status, order, sort, status, search, is_similar, edition, filters, page })
    }

    /// The year of the shown edition; "" if the list does not belong to editions.
    pub fn year(&self) -> &str {
        self.edition.as_ref().map_or("", |edition| &edition.year)
    }

    /// Whether the list is narrowed by search, status or filter.
    pub fn is_narrow(&self) -> bool {
        !self.search.is_empty() || !self.status.is_empty() || self.filters.iter().any(|filter| !filter.value.is_empty())
    }

    /// Returns the query for the audit log, without the search, which may be somebody's name.
    pub fn for_audit(&self) -> Value {
        let filters = self.filters.iter().filter(|filter| !filter.value.is_empty());
        let filters = filters.map(|filter| (filter.name.clone(), Value::from(filter.value.as_str())));
        let mut query: Map<String, Value> = filters.collect();
        query.insert("edition".to_owned(), Value::from(self.year()));
        query.insert("status".to_owned(), Value::from(self.status));
        query.insert("searched".to_owned(), Value::from(!self.search.is_empty()));
        query.into()
    }
}

/// The edition that a list shows.
pub struct ChosenEdition {
    /// Row id; 0 before the first edition: then there is nothing to list.
    pub id: i64,
    /// Year; "" before the first edition.
    pub year: String,
    /// The editions to choose from; none if there are fewer than two.
    pub choices: Vec<Choice>,
}

impl ChosenEdition {
    /// Reads the edition that `request` names or the current one, as far as `scope` allows.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn read(request: &AdminRequest, connection: &mut AnyConnection, scope: &Scope) -> Result<Self> {
        let mut editions = table::choices(connection, &EDITION, None).await?;
        editions.retain(|edition| scope.allows(EDITIONS, &edition.key));
        let current = edition::find_current(connection).await?.map(|edition| edition.id);
        let chosen = editions.iter().find(|choice| choice.key == request.query.get("edition"));
        let chosen = chosen.or_else(|| editions.iter().find(|choice| Some(choice.id) == current)).or(editions.first());
        let (id, year) = chosen.map_or((0, String::new()), |choice| (choice.id, choice.key.clone()));
        let choices = editions.iter().filter(|_| editions.len() > 1);
        let choices = choices.map(|edition| Choice::new(&edition.key, &edition.name, &year)).collect();
        Ok(Self { id, year, choices })
    }
}
