//! QR codes as images.

use qrcode::render::svg;
use qrcode::{EcLevel, QrCode};

use festival_base::error::{Error, Result};

/// Returns the QR code of `text` as a `data:` URL of an SVG image.
///
/// # Errors
/// If the text is too long for a QR code.
pub fn data_url(text: &str) -> Result<String> {
    let code = QrCode::with_error_correction_level(text, EcLevel::M).map_err(|e| Error::internal(e.to_string()))?;
    let drawing = code.render::<svg::Color<'_>>().min_dimensions(240, 240).quiet_zone(true).build();
    Ok(format!("data:image/svg+xml;base64,{}", data_encoding::BASE64.encode(drawing.as_bytes())))
}
