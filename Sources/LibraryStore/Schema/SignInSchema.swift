import Foundation

/// The tables of a `SignInDatabase`. Dates are seconds since 1970 (UTC).
enum SignInSchema {
  static let migrations = [
    Migration("1: people, sessions, codes, tokens") { try $0.run(script: first) },
    // A transaction of its own: its journal gets a copy of each page that becomes free.
    Migration("2: free pages") { try $0.run(script: "DROP TABLE reserve") },
    Migration("3: readings of the clock") { try $0.run(script: readings) },
  ]

  private static let first = """
    -- client_identifier: what the person sees; NULL: everything, as the library's owner.
    -- password_hash: NULL: the person can't sign in by password.
    CREATE TABLE person (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL,
      client_identifier TEXT UNIQUE,
      password_hash TEXT
    ) STRICT;
    CREATE UNIQUE INDEX person_owner ON person (client_identifier IS NULL) WHERE client_identifier IS NULL;
    INSERT INTO person (name) VALUES ('');

    -- A signed-in browser. kind: 1 private, 2 shared with others, 3 over unencrypted HTTP.
    -- authentication_date: when its person last gave the password or opened an owner link.
    CREATE TABLE browser_session (
      id TEXT PRIMARY KEY,
      token_sha256 BLOB NOT NULL UNIQUE CHECK (length(token_sha256) = 32),
      person_id INTEGER NOT NULL REFERENCES person (id) ON DELETE CASCADE,
      kind INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 3),
      creation_date REAL NOT NULL,
      authentication_date REAL NOT NULL,
      seen_date REAL NOT NULL,
      address TEXT NOT NULL,
      device TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX browser_session_by_person ON browser_session (person_id);

    -- Secrets that can be used once.
    -- purpose: 1 an owner link, 2 the code that allows setting the first password.
    CREATE TABLE single_use_code (
      sha256 BLOB PRIMARY KEY CHECK (length(sha256) = 32),
      purpose INTEGER NOT NULL CHECK (purpose BETWEEN 1 AND 2),
      expiration_date REAL NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE sign_in_failure (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      date REAL NOT NULL,
      address TEXT NOT NULL
    ) STRICT;
    CREATE INDEX sign_in_failure_by_date ON sign_in_failure (date);

    -- The key that signs the cookies by which known browsers are recognized.
    CREATE TABLE device_key (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      key BLOB NOT NULL CHECK (length(key) = 32)
    ) STRICT;

    -- sha256: that of the web origin. origin: NULL since the owner has forgotten it.
    -- salt: what the origin's identifiers are made with; NULL until the owner forgets it once.
    CREATE TABLE picker_origin (
      sha256 BLOB PRIMARY KEY CHECK (length(sha256) = 32),
      origin TEXT,
      salt BLOB
    ) STRICT, WITHOUT ROWID;

    -- client_id, client_identifier: the client in the library, which has both. A client that was
    -- forgotten and asks again has another number. After a backup of the library came back, another
    -- client may have its number.
    -- start: the first characters, by which a person recognizes the token. origin: the web origin
    -- that alone may use it; NULL: any program. use_date, address: of the latest use.
    CREATE TABLE client_token (
      id TEXT PRIMARY KEY,
      token_sha256 BLOB NOT NULL UNIQUE CHECK (length(token_sha256) = 32),
      client_id INTEGER NOT NULL,
      client_identifier TEXT NOT NULL,
      start TEXT NOT NULL,
      origin TEXT,
      creation_date REAL NOT NULL,
      expiration_date REAL NOT NULL,
      use_date REAL,
      address TEXT,
      use_count INTEGER NOT NULL DEFAULT 0 CHECK (use_count >= 0)
    ) STRICT, WITHOUT ROWID;

    -- Grows the file and its journal, so that they need no more space when the disk is full.
    CREATE TABLE reserve (bytes BLOB NOT NULL) STRICT;
    INSERT INTO reserve (bytes) VALUES (zeroblob(262144));
    """

  /// Codes of before have no start, so they are removed. The server makes new ones when it starts.
  private static let readings = """
    DELETE FROM single_use_code;
    ALTER TABLE single_use_code ADD COLUMN creation_date REAL NOT NULL DEFAULT 0;

    -- read_date: of the latest reading. steady_date: of the first reading after which the clock has
    -- made no jump.
    CREATE TABLE clock (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      read_date REAL NOT NULL,
      steady_date REAL NOT NULL
    ) STRICT;
    """
}
