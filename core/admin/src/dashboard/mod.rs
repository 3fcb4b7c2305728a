//! The dashboard: pending tasks, charts of the last 30 days, state of storage and mail.
//!
//! Modules register widgets with `Registry::pending_task` and `Registry::metric`, each with the permission to see it.

mod content;
mod context;
mod mails;
mod page;
mod sparkline;
mod storage;
mod task;

pub use context::{DashboardContext, Days, LastBackup};
pub(crate) use page::{show, tasks_left_behind};
pub use sparkline::Metric;
pub use task::PendingTask;
