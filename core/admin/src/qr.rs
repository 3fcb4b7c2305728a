//! QR codes, for telephones that look at the screen.

use qrcode::render::svg;
use qrcode::{EcLevel, QrCode};

use festival_base::error::{Error, Result};

/// What a telephone reads as `text`, as an address that an `img` takes.
pub(super) fn picture(text: &str) -> Result<String> {
    let code = QrCode::with_error_correction_level(text, EcLevel::M).map_err(|e| Error::internal(e.to_string()))?;
    let drawing = code.render::<svg::Color<'_>>().min_dimensions(240, 240).quiet_zone(true).build();
    Ok(format!("data:image/svg+xml;base64,{}", data_encoding::BASE64.encode(drawing.as_bytes())))
}
