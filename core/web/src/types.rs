//! Export of the API's Rust types as TypeScript, for the frontend.

use ts_rs::{Config, TS, TypeVisitor};

use festival_base::error::{Error, Result};

/// Exports `T` and every type that it refers to.
///
/// # Errors
/// If a file cannot be written.
pub fn write<T: TS + ?Sized + 'static>(config: &Config) -> Result<()> {
    let mut exporter = Exporter { config, result: Ok(()) };
    exporter.visit::<T>();
    exporter.result
}

/// Exports each visited type; keeps the first error.
struct Exporter<'a> {
    config: &'a Config,
    result: Result<()>,
}

impl TypeVisitor for Exporter<'_> {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        if self.result.is_err() {
            return;
        }
        if T::output_path().is_some() {
            self.result = T::export_all(self.config).map_err(Error::internal);
        }
        // A list or another generic type has no file of its own, but its type arguments have.
        T::visit_generics(self);
    }
}
