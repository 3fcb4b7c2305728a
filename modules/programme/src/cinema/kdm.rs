//! Key delivery messages (KDM, SMPTE ST 430-1): which server may play which playlist from when to when.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use super::xml::{Element, uuid};

const MESSAGE: &str = "http://www.smpte-ra.org/schemas/430-3/2006/ETM";
const KEYS: &str = "http://www.smpte-ra.org/schemas/430-1/2006/KDM";

/// What a message says.
#[derive(Debug)]
pub(super) struct Kdm {
    /// The UUID of the playlist, in small letters.
    pub(super) cpl_id: String,
    pub(super) title: String,
    /// The common name in the certificate of the server: "CS.1234.Kairali".
    pub(super) device: String,
    /// What the laboratory calls the server.
    pub(super) description: Option<String>,
    pub(super) from: Timestamp,
    pub(super) until: Timestamp,
    /// Whether a time has no offset, so that it was read as UTC.
    pub(super) is_without_offset: bool,
}

impl Kdm {
    /// Whether the root is that of a message.
    pub(super) fn is_one(root: Element<'_>) -> bool {
        root.is(MESSAGE, "DCinemaSecurityMessage")
    }

    pub(super) fn read(root: Element<'_>) -> Result<Self, String> {
        let extensions = root.child("AuthenticatedPublic").and_then(|public| public.child("RequiredExtensions"));
        let required = extensions.and_then(|list| list.children().find(|it| it.is(KEYS, "KDMRequiredExtensions")));
        let required = required.ok_or("is a security message without keys")?;
        let recipient = required.child("Recipient").ok_or("has no Recipient")?;
        let time = |name| moment(&required.required(name)?).ok_or_else(|| format!("has no time in {name}"));
        let (from, has_offset) = time("ContentKeysNotValidBefore")?;
        let (until, ends_with_offset) = time("ContentKeysNotValidAfter")?;
        if until <= from {
            return Err("has a key that ends before it begins".into());
        }
        let devices = required.child("AuthorizedDeviceInfo");
        Ok(Self {
            cpl_id: uuid(&required.required("CompositionPlaylistId")?)?,
            title: required.text_of("ContentTitleText").unwrap_or_default(),
            device: common_name(&recipient.required("X509SubjectName")?),
            description: devices.and_then(|list| list.text_of("DeviceListDescription")),
            from,
            until,
            is_without_offset: !has_offset || !ends_with_offset,
        })
    }
}

/// A time of a key, and whether it has an offset. Servers read one without as UTC.
fn moment(text: &str) -> Option<(Timestamp, bool)> {
    match text.parse::<Timestamp>() {
        Ok(time) => Some((time, true)),
        // A day alone is no time.
        Err(_) if !text.contains('T') => None,
        Err(_) => Some((text.parse::<DateTime>().ok()?.to_zoned(TimeZone::UTC).ok()?.timestamp(), false)),
    }
}

/// The common name in "dnQualifier=…,CN=…,OU=…", where a backslash keeps the comma after it; else the whole text.
fn common_name(subject: &str) -> String {
    let mut parts = vec![String::new()];
    let mut letters = subject.chars();
    while let Some(letter) = letters.next() {
        match letter {
            ',' => parts.push(String::new()),
            letter => {
                let kept = if letter == '\\' { letters.next() } else { Some(letter) };
                parts.last_mut().into_iter().for_each(|part| part.extend(kept));
            }
        }
    }
    let name = parts.iter().find_map(|part| part.trim().strip_prefix("CN="));
    name.unwrap_or(subject).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_keys_have_an_offset_or_are_utc() {
        let read = |text| moment(text).map(|(time, has_offset)| (time.to_string(), has_offset));
        let utc = |has_offset| Some(("2026-12-10T18:30:00Z".to_owned(), has_offset));
        for text in ["2026-12-11T00:00:00+05:30", "2026-12-10T18:30:00Z", "2026-12-10T18:30:00.000+00:00"] {
            assert_eq!(read(text), utc(true), "{text}");
        }
        assert_eq!(read("2026-12-10T18:30:00"), utc(false));
        assert_eq!([read("2026-12-10"), read("soon"), read("")], [None, None, None]);
    }

    #[test]
    fn servers_are_called_by_their_common_name() {
        let subject = r"dnQualifier=1u9TlD4x32jl1c\+kSIKukb7ZZqA=,CN=CS.Hall 1\, Kairali,OU=example.org";
        assert_eq!(common_name(subject), "CS.Hall 1, Kairali");
        assert_eq!(common_name("Kairali"), "Kairali");
    }
}
