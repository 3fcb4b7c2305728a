//! The public address of a row that organisers edit.

/// Where visitors find the rows of an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PublicUrl {
    /// At this address; its `{placeholders}` are the row's id and fields.
    Address(&'static str),
    /// On the page that shows this API response; placeholders as above.
    OnPageShowing(&'static str),
}

impl PublicUrl {
    /// Returns the fragment of the address: "venues" for "/#venues".
    pub fn fragment(self) -> Option<&'static str> {
        match self {
            Self::Address(address) => address.split_once('#').map(|(_, fragment)| fragment),
            Self::OnPageShowing(_) => None,
        }
    }
}
