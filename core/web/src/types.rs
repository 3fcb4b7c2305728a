//! The TypeScript types of answers, for the frontend: written from the Rust types.

use ts_rs::{Config, TS, TypeVisitor};

use festival_base::error::{Error, Result};

/// Writes the type `T` and those that it is made of.
pub fn write<T: TS + ?Sized + 'static>(config: &Config) -> Result<()> {
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
