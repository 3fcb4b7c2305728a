//! The API's Rust types as TypeScript, for the frontend.

use std::collections::BTreeMap;

use ts_rs::{Config, TS, TypeVisitor};

use festival_base::error::{Error, Result};

/// Returns how Rust types are written in TypeScript: the browser reads every number of JSON as a `number`.
#[must_use]
pub fn config() -> Config {
    Config::new().with_large_int("number")
}

/// Returns the declaration of `T`, with its documentation.
#[must_use]
pub fn declaration<T: TS + ?Sized>() -> String {
    format!("{}export {}\n\n", T::docs().unwrap_or_default(), T::decl(&config()))
}

/// The declarations of types by name, and of every type that they refer to.
#[derive(Default)]
pub struct Declarations {
    by_name: BTreeMap<String, String>,
    /// The name of two different types.
    ambiguous: Option<String>,
}

impl Declarations {
    /// Adds `T` and every type that it refers to.
    pub fn add<T: TS + ?Sized + 'static>(&mut self) {
        self.visit::<T>();
    }

    /// Returns all declarations, in the order of their names.
    ///
    /// # Errors
    /// If two different types have the same name.
    pub fn print(self) -> Result<String> {
        match self.ambiguous {
            Some(name) => Err(Error::internal(format!("two types of the API are named {name}"))),
            None => Ok(self.by_name.into_values().collect()),
        }
    }
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // A list or another type of the standard library is not declared, but its type arguments may be.
        if T::output_path().is_some() {
            let name = T::ident(&config());
            let text = declaration::<T>();
            match self.by_name.get(&name) {
                Some(known) if *known == text => {}
                Some(_) => self.ambiguous = Some(name),
                None => {
                    self.by_name.insert(name, text);
                    T::visit_dependencies(self);
                }
            }
        }
        T::visit_generics(self);
    }
}
