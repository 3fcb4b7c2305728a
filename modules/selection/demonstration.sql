-- Invented entries, rounds and reviewers of the demonstration. Statements end with a semicolon at the end of a line, and are run
-- one by one on both databases. None of these people and films exists.
INSERT INTO film_submissions (
    edition_id, reference, title_english, title_original, director_name, film_language, country_of_origin, award_category,
    duration_minutes, synopsis_short, synopsis_long, producer_name, cast_and_crew, biography, name_of_submitter,
    correspondence_email, director_email, producer_email, correspondence_contact, director_mobile, producer_mobile, subtitles,
    film_type, is_first_or_second_feature, technical_features, origination_format, presentation_format, screener_link,
    screener_link_password, stills_link, category_source, status, payment, over_long, fingerprint, subject_hash,
    year_of_production, fee_inr, fee_usd, is_quarantined, is_late, is_possible_duplicate, created_at, updated_at
)
SELECT
    e.id, v.column1, v.column2, v.column3, v.column4, v.column5, v.column6, v.column7,
    v.column8, v.column9, v.column9, 'Lantern Pictures', 'Camera: ' || v.column4, 'A first film after ten years as an editor.', v.column4,
    'film-' || lower(v.column1) || '@velicham.example', 'director@velicham.example', 'producer@velicham.example', '', '', '', 'Yes',
    'Feature Film', 'First', 'Colour, 1.85:1, 5.1', '4K', 'DCP', 'https://video.velicham.example/' || lower(v.column1),
    'demonstration', 'https://stills.velicham.example/' || lower(v.column1), 'field', 'new',
    CASE WHEN v.column8 % 4 = 0 THEN 'unchecked' ELSE 'verified' END, '', '', '',
    e.year - 1, 5000, CASE v.column7 WHEN 'asian' THEN 60 ELSE 0 END, 0, 0, 0, e.created_at, e.created_at
FROM editions e, (VALUES
    ('DEMO-ML-01', 'Salt Wind at Noon', 'ഉച്ചക്കാറ്റ്', 'Nila Varkey', 'Malayalam', 'India', 'malayalam', 96, 'A salt worker keeps the accounts of a village that the sea is taking.'),
    ('DEMO-ML-02', 'The Last Boatman', 'കടത്തുകാരൻ', 'Jomon Paul Kari', 'Malayalam', 'India', 'malayalam', 104, 'A boatman crosses the backwater for the last time before the bridge opens.'),
    ('DEMO-ML-03', 'Eleven Lamps', 'പതിനൊന്ന് വിളക്കുകൾ', 'Rema Thottathil', 'Malayalam', 'India', 'malayalam', 88, 'Eleven houses share one power line, and one secret.'),
    ('DEMO-ML-04', 'A House for Rain', 'മഴവീട്', 'Sreejith Manamel', 'Malayalam', 'India', 'malayalam', 112, 'Two brothers build a house that nobody wants to live in.'),
    ('DEMO-ML-05', 'Paper Lotus', 'കടലാസ് താമര', 'Haseena Kunnath', 'Malayalam', 'India', 'malayalam', 79, 'A printer of wedding cards falls in love with a misprint.'),
    ('DEMO-ML-06', 'Night Bus to Munnar', 'മൂന്നാർ ബസ്', 'Tibin Areekal', 'Malayalam', 'India', 'malayalam', 93, 'Passengers of a bus that has lost its way agree on a story to tell.'),
    ('DEMO-ML-07', 'Coir', 'കയർ നൂൽ', 'Leena Pallath', 'Malayalam', 'India', 'malayalam', 101, 'Three women of a coir factory start their own.'),
    ('DEMO-ML-08', 'The Well Digger', 'കിണറുപണിക്കാരൻ', 'Aravind Chempil', 'Malayalam', 'India', 'malayalam', 85, 'He finds water everywhere but on his own land.'),
    ('DEMO-ML-09', 'Grandmother''s Radio', 'മുത്തശ്ശിയുടെ റേഡിയോ', 'Diya Kolath', 'Malayalam', 'India', 'malayalam', 90, 'A radio receives a station that closed in 1971.'),
    ('DEMO-ML-10', 'Ferry Number Nine', 'ഒൻപതാം കടത്ത്', 'Binoy Eravath', 'Malayalam', 'India', 'malayalam', 98, 'Nila crosses every day, and one day does not arrive.'),
    ('DEMO-IN-01', 'Seven Streets', 'ஏழு தெரு', 'Kavin Selvan Raj', 'Tamil', 'India', 'indian', 108, 'A postman refuses to deliver a letter to seven streets.'),
    ('DEMO-IN-02', 'The Tamarind Court', 'புளியமரம்', 'Yazhini Murugappa', 'Tamil', 'India', 'indian', 94, 'A village court meets under a tree that is to be felled.'),
    ('DEMO-IN-03', 'Dust of Latur', 'लातूर की धूल', 'Omkar Bhosale Rane', 'Marathi', 'India', 'indian', 99, 'A seismologist returns to the town that she could not warn.'),
    ('DEMO-IN-04', 'Blue Khata', 'नीला खाता', 'Ritwika Sharan', 'Hindi', 'India', 'indian', 87, 'A moneylender''s ledger passes to his daughter, who cannot read it.'),
    ('DEMO-IN-05', 'Mill Whistle', 'मिल की सीटी', 'Farhan Qadri Alam', 'Hindi', 'India', 'indian', 116, 'The mill closed years ago, but its whistle is heard again.'),
    ('DEMO-IN-06', 'The Clay Horse', 'মাটির ঘোড়া', 'Sohini Mitra Basu', 'Bengali', 'India', 'indian', 91, 'A potter''s children race the horses that he makes.'),
    ('DEMO-IN-07', 'Letters from Majuli', 'মাজুলীৰ চিঠি', 'Prantik Hazarika', 'Assamese', 'India', 'indian', 103, 'An island becomes smaller, and its post office larger.'),
    ('DEMO-IN-08', 'Tin Roof', 'ಟಿನ್ ಛಾವಣಿ', 'Chaitra Hegde Murthy', 'Kannada', 'India', 'indian', 82, 'A family listens to one monsoon.'),
    ('DEMO-IN-09', 'The Umbrella Repairer', 'గొడుగు', 'Vamsi Kotha Reddy', 'Telugu', 'India', 'indian', 97, 'He repairs what others throw away, also people.'),
    ('DEMO-IN-10', 'Salt Road', 'મીઠાનો રસ્તો', 'Jigna Parmar Shah', 'Gujarati', 'India', 'indian', 110, 'A caravan carries salt that nobody buys any more.'),
    ('DEMO-IN-11', 'Snow Line', 'ਬਰਫ਼ ਰੇਖਾ', 'Harleen Sohal', 'Punjabi', 'India', 'indian', 95, 'Two soldiers of two countries share one tent.'),
    ('DEMO-IN-12', 'The Goat of Ziro', 'Ziro', 'Tage Mudang Rilu', 'Apatani', 'India', 'indian', 76, 'A goat belongs to a whole village, and everybody owes it something.'),
    ('DEMO-IN-13', 'Kite Season', 'قصہ پتنگ', 'Zoya Mirza Khan', 'Urdu', 'India', 'indian', 89, 'A kite maker teaches his rival''s son.'),
    ('DEMO-IN-14', 'Waterline', 'Water Line', 'Elwin Fernandes Pai', 'Konkani', 'India', 'indian', 92, 'The parish moves its church uphill, stone by stone.'),
    ('DEMO-AS-01', 'The Persimmon Year', '감의 해', 'Han Seo-yul', 'Korean', 'South Korea', 'asian', 105, 'A persimmon orchard is sold while its fruit ripens.'),
    ('DEMO-AS-02', 'Below the Station', '駅の下', 'Mori Kanade', 'Japanese', 'Japan', 'asian', 98, 'Under a station in Osaka, people live by its timetable.'),
    ('DEMO-AS-03', 'A Carpet for Two', 'فرش برای دو نفر', 'Shirin Tavakol', 'Persian', 'Iran', 'asian', 86, 'Two sisters weave one carpet from its two ends.'),
    ('DEMO-AS-04', 'Yurt Number Six', 'Алтынчы боз үй', 'Aisulu Bekova', 'Kyrgyz', 'Kyrgyzstan', 'asian', 93, 'A teacher moves with her six pupils.'),
    ('DEMO-AS-05', 'The Fog Harvest', 'Panen Kabut', 'Dewi Larasati Putri', 'Indonesian', 'Indonesia', 'asian', 100, 'A village learns to drink the fog.'),
    ('DEMO-AS-06', 'Rice and Neon', 'ข้าวกับนีออน', 'Niran Saelim', 'Thai', 'Thailand', 'asian', 94, 'A farmer''s son paints signs in Bangkok that nobody switches on.'),
    ('DEMO-AS-07', 'Monsoon Ledger', 'Sổ mùa mưa', 'Vu Hoai Thuong', 'Vietnamese', 'Vietnam', 'asian', 107, 'A bookkeeper counts what the flood brought.'),
    ('DEMO-AS-08', 'The Tuner', '调音师傅', 'Lin Qiaoyue', 'Mandarin', 'China', 'asian', 111, 'A piano tuner goes deaf in one ear, and hears better.'),
    ('DEMO-AS-09', 'Seventh Floor', 'السابع', 'Rania Haddadin', 'Arabic', 'Jordan', 'asian', 84, 'The lift stops at the seventh floor of a house with six.'),
    ('DEMO-AS-10', 'Stone Bread', 'Taş Ekmek', 'Deniz Aksular', 'Turkish', 'Turkey', 'asian', 97, 'A baker and his oven are moved for a dam.'),
    ('DEMO-AS-11', 'A Map of Smells', 'අ සිතියම', 'Sanduni Wijeratne', 'Sinhala', 'Sri Lanka', 'asian', 90, 'A blind girl draws a map of Galle.'),
    ('DEMO-AS-12', 'Prayer Flags, Washed', 'རླུང་རྟ', 'Tenzin Yudon Lhamo', 'Dzongkha', 'Bhutan', 'asian', 81, 'A laundry in Thimphu washes what must not be washed.'),
    ('DEMO-AS-13', 'The Kerosene Boys', 'केरोसिन केटाहरू', 'Sujan Tamang Rai', 'Nepali', 'Nepal', 'asian', 102, 'Two boys carry light to houses that pay with songs.'),
    ('DEMO-AS-14', 'Jute', 'পাট', 'Mahin Chowdhury Rumi', 'Bengali', 'Bangladesh', 'asian', 109, 'A strike in a mill, told by its youngest clerk.'),
    ('DEMO-AS-15', 'Night Market Choir', 'Koro ng Gabi', 'Ligaya Domingo Cruz', 'Filipino', 'Philippines', 'asian', 88, 'Stallholders of a market sing until it closes.'),
    ('DEMO-AS-16', 'The Glass Steppe', 'Шыны дала', 'Yerlan Omarov', 'Kazakh', 'Kazakhstan', 'asian', 118, 'A driver carries a window through four hundred kilometres of wind.')
) AS v WHERE e.is_current = 1;

INSERT INTO selection_rounds (edition_id, name, entries, starts_at, ends_at, is_blind, reviews_per_film, created_at, updated_at)
SELECT e.id, v.column1, v.column2, '', '', v.column3, v.column4, e.created_at, e.created_at
FROM editions e, (VALUES ('First round', 'all', 1, 3), ('Final round', 'shortlisted', 0, 5)) AS v WHERE e.is_current = 1;

INSERT INTO selection_criteria (edition_id, round_id, name, hint, weight, position, created_at, updated_at)
SELECT r.edition_id, r.id, v.column1, v.column2, v.column3, v.column4, r.created_at, r.created_at
FROM selection_rounds r, (VALUES
    ('Direction', 'Does the film know what it wants, and reach it?', 2, 10),
    ('Story', 'Is there something that has not been told in this way?', 1, 20),
    ('Image and sound', 'Do they carry the film?', 1, 30)
) AS v;

INSERT INTO selection_jurors (edition_id, name, email, award, languages, created_at, updated_at)
SELECT e.id, v.column1, v.column2, v.column3, v.column4, e.created_at, e.created_at
FROM editions e, (VALUES
    ('Anju Kurian', 'anju@jury.velicham.example', NULL, NULL),
    ('Basheer Vaidyar', 'basheer@jury.velicham.example', NULL, NULL),
    ('Clara Mathew', 'clara@jury.velicham.example', NULL, NULL),
    ('Dinesh Pai', 'dinesh@jury.velicham.example', NULL, NULL),
    ('Elsa Thampan', 'elsa@jury.velicham.example', 'malayalam', NULL)
) AS v WHERE e.is_current = 1;
