-- What the countdown counts to: "until submissions close". Empty: the site says the day.
ALTER TABLE editions ADD COLUMN countdown_label TEXT;
