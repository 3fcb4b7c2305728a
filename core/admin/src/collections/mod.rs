//! Lists of the back office: records, and what modules list. A [`Collection`] describes one; its page, search, saved
//! filters, export, and actions on chosen rows are the same for all.

mod collection;
mod column;
mod export;
mod list;
mod pager;
mod query;
mod search;
mod selected;
mod view;
mod viewer;

pub use collection::{Collection, Heading};
pub use column::{Cell, Column, State, label_of, shortened, tone_of};
pub use export::{chosen_format, content_type, download};
pub use list::show;
pub(crate) use pager::Pager;
pub use query::{ChosenEdition, ListQuery};
pub use search::find;
pub use selected::{RowAction, Versions, submit};
pub(crate) use view::{PATH, save};
pub use viewer::Viewer;
