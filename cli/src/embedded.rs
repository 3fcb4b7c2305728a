//! Files embedded in the program: the built frontend and the demonstration edition. A development
//! build reads frontend and edition from the checkout instead.

use festival_core::seed::Seed;
use festival_core::site::FrontendFiles;
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../frontend/dist/"]
struct Frontend;

#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../config/editions/"]
struct Editions;

/// The built frontend.
pub const FRONTEND: FrontendFiles =
    FrontendFiles { get: Frontend::get, names: || Frontend::iter().map(std::borrow::Cow::into_owned).collect() };

/// The name of the demonstration edition's seed.
pub const DEMONSTRATION: &str = "2025.toml";

/// Returns the seed with this name, if it is embedded.
pub fn edition(name: &str) -> Option<Seed> {
    let file = Editions::get(name)?;
    Some(Seed {
        text: String::from_utf8_lossy(&file.data).into_owned(),
        read: Box::new(|name| Editions::get(name).map(|file| file.data.into_owned())),
    })
}
