-- The tables of the hosted store. Every key begins with the workspace, and so does every query:
-- what one workspace costs does not depend on the others. The large tables are hash-partitioned
-- by it, so that maintenance (vacuum, index builds) works on pieces.
--
-- A row number is the position of the event that brought the text: rows belong to texts, are
-- never given twice, and a rebuild finds the same ones, so vectors stay valid.

-- One row a workspace: counters that each write moves on, in place.
CREATE TABLE nosis.workspaces(
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE,
  made_at timestamptz NOT NULL DEFAULT now(),
  position integer NOT NULL DEFAULT 0,   -- of the newest event
  documents integer NOT NULL DEFAULT 0,  -- live entries, for BM25
  length bigint NOT NULL DEFAULT 0,      -- their terms
  curated integer NOT NULL DEFAULT 0,
  model text,                            -- of the stored vectors
  dimensions integer,
  lines integer NOT NULL DEFAULT 0,      -- vectors stored
  build integer NOT NULL DEFAULT 1,      -- raised by a rebuild: what clients cached is void
  version integer NOT NULL,              -- of what is derived from the events
  tokenizer integer NOT NULL
) WITH (fillfactor = 50);

-- The truth: append-only, except that a purge takes texts out.
CREATE TABLE nosis.events(
  workspace integer NOT NULL, position integer NOT NULL, event text NOT NULL, op text,
  agent text NOT NULL, undoable boolean NOT NULL, undoes text, data json NOT NULL,
  PRIMARY KEY (workspace, position), UNIQUE (workspace, event)
) PARTITION BY HASH (workspace);
CREATE INDEX events_op ON nosis.events(workspace, op);
CREATE INDEX events_undoes ON nosis.events(workspace, undoes) WHERE undoes IS NOT NULL;
CREATE INDEX events_undoable ON nosis.events(workspace, position) WHERE undoable;

CREATE TABLE nosis.touched(
  workspace integer NOT NULL, entry text NOT NULL, position integer NOT NULL,
  PRIMARY KEY (workspace, entry, position)
) PARTITION BY HASH (workspace);

-- All below is derived from the events.
CREATE TABLE nosis.entries(
  workspace integer NOT NULL, "row" integer NOT NULL, change integer NOT NULL,
  id text NOT NULL, kind text NOT NULL, status text NOT NULL, category text,
  importance double precision NOT NULL, pinned boolean NOT NULL, origin text NOT NULL,
  role text, speaker text, field text, agent text NOT NULL, session text, turn text,
  created_at double precision NOT NULL, updated_at double precision NOT NULL,
  accessed_at double precision, accesses integer NOT NULL, superseded_by text, reason text,
  external_id text, previous integer, next integer,
  attributes bytea NOT NULL,             -- what filters read, packed: store/attributes.py
  PRIMARY KEY (workspace, "row"), UNIQUE (workspace, id)
) PARTITION BY HASH (workspace);
CREATE INDEX entries_change ON nosis.entries(workspace, change);

CREATE TABLE nosis.texts(
  workspace integer NOT NULL, "row" integer NOT NULL, text text NOT NULL, terms text NOT NULL,
  PRIMARY KEY (workspace, "row")
) PARTITION BY HASH (workspace);

-- Rows that are no more, for clients that hold their attributes.
CREATE TABLE nosis.gone(
  workspace integer NOT NULL, change integer NOT NULL, "row" integer NOT NULL,
  PRIMARY KEY (workspace, change, "row")
) PARTITION BY HASH (workspace);

CREATE TABLE nosis.terms(
  workspace integer NOT NULL, term text NOT NULL, frequency integer NOT NULL,
  tail bytea NOT NULL, PRIMARY KEY (workspace, term)
) PARTITION BY HASH (workspace);

CREATE TABLE nosis.postings(
  workspace integer NOT NULL, term text NOT NULL, first integer NOT NULL, data bytea NOT NULL,
  PRIMARY KEY (workspace, term, first)
) PARTITION BY HASH (workspace);

-- Distinct speakers and languages: what queries are read in the light of.
CREATE TABLE nosis.profile(
  workspace integer NOT NULL, kind text NOT NULL, value text NOT NULL,
  PRIMARY KEY (workspace, kind, value)
);

CREATE TABLE nosis.core(
  workspace integer NOT NULL, field text NOT NULL, ordinal integer NOT NULL, value json NOT NULL,
  PRIMARY KEY (workspace, field)
);

CREATE TABLE nosis.sessions(
  workspace integer NOT NULL, number integer NOT NULL, id text NOT NULL, title text,
  hidden boolean NOT NULL, at double precision NOT NULL, agent text NOT NULL, last integer,
  PRIMARY KEY (workspace, number), UNIQUE (workspace, id)
) PARTITION BY HASH (workspace);

-- Texts that have no vectors yet.
CREATE TABLE nosis.waiting(
  workspace integer NOT NULL, "row" integer NOT NULL, PRIMARY KEY (workspace, "row")
) PARTITION BY HASH (workspace);

CREATE TABLE nosis.vectors(
  workspace integer NOT NULL, "row" integer NOT NULL, chunk integer NOT NULL,
  vector halfvec NOT NULL, PRIMARY KEY (workspace, "row", chunk)
) PARTITION BY HASH (workspace);

CREATE TABLE nosis.tokens(
  workspace integer NOT NULL, "row" integer NOT NULL,
  tokens bytea NOT NULL, width integer NOT NULL, words bytea NOT NULL,
  PRIMARY KEY (workspace, "row")
) PARTITION BY HASH (workspace);

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['events', 'touched', 'entries', 'texts', 'gone', 'terms',
      'postings', 'sessions', 'waiting', 'vectors', 'tokens'] LOOP
    FOR part IN 0..15 LOOP
      EXECUTE format(
        'CREATE TABLE nosis.%I PARTITION OF nosis.%I FOR VALUES WITH (MODULUS 16, REMAINDER %s)',
        name || '_' || part, name, part);
    END LOOP;
  END LOOP;
  -- Rows that are updated again and again stay on their page, and touch no index.
  FOR part IN 0..15 LOOP
    EXECUTE format('ALTER TABLE nosis.%I SET (fillfactor = 85)', 'entries_' || part);
    EXECUTE format('ALTER TABLE nosis.%I SET (fillfactor = 70)', 'terms_' || part);
  END LOOP;
END $$;
