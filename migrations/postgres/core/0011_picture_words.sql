-- What is to be seen on a picture, in words, by its key in the public media store.
CREATE TABLE picture_words (
    key TEXT NOT NULL,
    lang TEXT NOT NULL,
    words TEXT NOT NULL,
    PRIMARY KEY (key, lang)
);
