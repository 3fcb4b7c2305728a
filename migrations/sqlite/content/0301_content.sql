-- Blogs and the texts of pages. Neither belongs to an edition.
CREATE TABLE blogs (
    id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    image TEXT,
    image_alt TEXT,
    content TEXT NOT NULL,
    published_at TEXT NOT NULL,
    is_published BIGINT NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (title)
);
CREATE INDEX blogs_by_time ON blogs (published_at, id);

CREATE TABLE pages (
    id INTEGER PRIMARY KEY,
    slug TEXT NOT NULL,
    title TEXT NOT NULL,
    -- The title in Malayalam.
    malayalam TEXT,
    lead TEXT,
    body TEXT,
    image TEXT,
    image_alt TEXT,
    image_small TEXT,
    video TEXT,
    -- Still of the video, and its content as text for those who cannot see or hear it.
    video_poster TEXT,
    video_text TEXT,
    is_published BIGINT NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (slug)
);

CREATE TABLE page_pictures (
    id INTEGER PRIMARY KEY,
    page_id BIGINT NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    title TEXT NOT NULL,
    image TEXT NOT NULL,
    image_alt TEXT,
    position BIGINT NOT NULL DEFAULT 0,
    is_published BIGINT NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (page_id, title)
);
