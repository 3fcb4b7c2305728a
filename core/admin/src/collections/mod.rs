//! Lists of the back office: records, and what modules list. A [`Collection`] describes one; its page, search, saved
//! filters, export, and actions on chosen rows are the same for all.

mod cell;
mod chosen_edition;
mod collection;
mod column;
mod export;
mod list;
mod pager;
mod query;
mod search;
mod selected;
mod state;
mod view;
mod viewer;

pub use cell::Cell;
pub use chosen_edition::ChosenEdition;
pub use collection::{Collection, Heading};
pub use column::{Column, shortened};
pub use export::{chosen_format, content_type, download};
pub use list::show;
pub(crate) use pager::Pager;
pub use query::ListQuery;
pub use search::find;
pub use selected::{RowAction, Versions, submit};
pub use state::{State, label_of, tone_of};
pub(crate) use view::{PATH, save};
pub use viewer::Viewer;
