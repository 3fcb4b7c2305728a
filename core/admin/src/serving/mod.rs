//! How a request to the back office is answered: guarded, received, handed to its screen, framed, rendered.

pub(crate) mod cookie;
pub(crate) mod fields;
pub(crate) mod frame;
pub(crate) mod guard;
pub(crate) mod input;
pub(crate) mod maintenance;
pub(crate) mod mount;
pub(crate) mod receive;
pub(crate) mod reply;
pub(crate) mod request;
pub(crate) mod screen;
pub(crate) mod serve;
pub(crate) mod templates;
