//! The answers' TypeScript types, for the frontend: one file a module, written from the Rust types.

use std::path::Path;

use ts_rs::{Config, TS, TypeVisitor};

use crate::error::{Error, ErrorBody, Result};
use crate::registry::Registry;

/// Writes the types of every endpoint, switched off or not, into `directory`.
pub fn write_all(registry: &Registry, directory: &Path) -> Result<()> {
    let config = Config::new().with_out_dir(directory);
    write::<ErrorBody>(&config)?;
    let contributions = registry.contributions();
    contributions.iter().flat_map(|c| &c.site.endpoints).try_for_each(|endpoint| endpoint.write_types(&config))?;
    for (name, print) in contributions.iter().flat_map(|c| &c.types) {
        std::fs::write(directory.join(name), print())?;
    }
    contributions.iter().flat_map(|c| &c.site.posts).try_for_each(|post| post.write_types(&config))
}

/// Writes the type `T` and those that it is made of.
pub(crate) fn write<T: TS + ?Sized + 'static>(config: &Config) -> Result<()> {
    let mut written = Written { config, result: Ok(()) };
    written.visit::<T>();
    written.result
}

struct Written<'a> {
    config: &'a Config,
    result: Result<()>,
}

impl TypeVisitor for Written<'_> {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        if self.result.is_err() {
            return;
        }
        if T::output_path().is_some() {
            self.result = T::export_all(self.config).map_err(Error::internal);
        }
        // A list has no file of its own, what it lists has; so has what a generic type is filled with.
        T::visit_generics(self);
    }
}
