//! The columns of lists of screenings, and what they are called.

use std::sync::{Arc, LazyLock};

use festival_core::entity::Reads;
use festival_core::importing::{ListField, ListHeaders};

use crate::entities::SCREENING;

/// The column of the day, for which [`SCREENING`] has no field.
pub(super) const DATE: &str = "date";
/// The column of the time of day.
pub(super) const TIME: &str = "time";
/// The column of the time at which a screening ends.
pub(super) const END: &str = "end";
/// The column of the hall, which a second one may complete.
pub(super) const HALL: &str = "hall";
/// The field that a word in another column may fill, too.
pub(super) const CANCELLED: &str = "is_cancelled";

/// The columns that lists may have, in their order.
pub(super) const COLUMNS: &[&str] = &[
    "film",
    HALL,
    DATE,
    TIME,
    END,
    "starts_at",
    "code",
    "kind",
    "title",
    "minutes",
    "talk_minutes",
    "guests",
    "language",
    "subtitles",
    "audience",
    "notes",
    CANCELLED,
];

/// The columns that lists may have, with their names.
pub(super) static HEADERS: LazyLock<Arc<ListHeaders>> = LazyLock::new(|| {
    let field = |name: &&'static str| match *name {
        DATE => ListField::extra(DATE, "Date"),
        TIME => ListField { separator: Some(" "), ..ListField::extra(TIME, "Time") },
        END => ListField::extra(END, "Ends"),
        HALL => ListField { separator: Some(" "), ..ListField::extra(HALL, "Hall") },
        CANCELLED => ListField { reads: Reads::Flag, ..ListField::extra(CANCELLED, "Cancelled") },
        name => ListField::extra(name, SCREENING.field(name).map_or(name, |field| field.label)),
    };
    ListHeaders::new(&SCREENING, COLUMNS.iter().map(field).collect()).into()
});

#[cfg(test)]
mod tests {
    use festival_core::importing::Meaning;

    use super::*;

    fn meaning(header: &str) -> Option<&'static str> {
        match HEADERS.meaning(header) {
            Meaning::Field { field, .. } => Some(field),
            _ => None,
        }
    }

    #[test]
    fn headers_mean_fields_of_screenings() {
        for field in COLUMNS.iter().filter(|field| ![DATE, TIME, END].contains(field)) {
            assert!(SCREENING.field(field).is_some(), "{field}");
        }
        assert_eq!(
            ["Film Title", "VENUE", "Show time", "Director"].map(meaning),
            [Some("film"), Some("hall"), Some(TIME), None]
        );
        assert_eq!(["Duration in Minutes", "Running time (mts)", "Min."].map(meaning), [Some("minutes"); 3]);
        assert_eq!(
            ["Screening No.", "Screening", "Minutes of the talk"].map(meaning),
            [Some("code"), Some("code"), Some("talk_minutes")]
        );
        for header in [
            "Film;Salle;Date;Heure",
            "FILMTITEL;Kino;Datum;Uhrzeit",
            "Película;Sala;Fecha;Hora",
            "Фильм;Зал;Дата;Время",
            "Film Adı;SALON;Tarih;Saat",
            "الفيلم;القاعة;التاريخ;الوقت",
            "片名;影厅;日期;时间",
            "फिल्म;हॉल;दिनांक;समय",
            "സിനിമ;വേദി;തീയതി;സമയം",
            "திரைப்படம்;அரங்கு;தேதி;நேரம்",
            "영화;상영관;날짜;시간",
            "作品名;会場;日付;開始時刻",
            "Film Title;Screen;Date;Time (IST)",
            "Title (English);Theatre Name;Show Date;Show Time",
        ] {
            let columns: Vec<_> = header.split(';').map(meaning).collect();
            assert_eq!(columns, [Some("film"), Some("hall"), Some(DATE), Some(TIME)], "{header}");
        }
    }
}
