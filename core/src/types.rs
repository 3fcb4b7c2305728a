//! Writes the TypeScript types of API responses for the frontend, generated from the Rust types.

use std::path::Path;

use festival_web::types::write;
use ts_rs::Config;

use crate::registry::Registry;
use festival_base::error::{ErrorBody, Result};

/// Writes the types of every endpoint into `directory`, also those of modules that are switched off.
///
/// # Errors
/// If a file cannot be written.
pub fn write_all(registry: &Registry, directory: &Path) -> Result<()> {
    let config = Config::new().with_out_dir(directory);
    write::<ErrorBody>(&config)?;
    let contributions = registry.contributions();
    contributions.iter().flat_map(|c| &c.site.endpoints).try_for_each(|endpoint| endpoint.write_types(&config))?;
    contributions.iter().flat_map(|c| &c.site.facts).try_for_each(|facts| facts.write_types(&config))?;
    for (name, print) in contributions.iter().flat_map(|c| &c.types) {
        std::fs::write(directory.join(name), print())?;
    }
    contributions.iter().flat_map(|c| &c.site.posts).try_for_each(|post| post.write_types(&config))
}
