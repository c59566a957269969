extension Schema {
  /// Adds the tables of the people who may sign in at the server.
  static let signIn = """
    -- client_id: what the person sees; NULL: everything, as the library's owner.
    -- password_hash: NULL: the person can't sign in by password.
    CREATE TABLE person (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL,
      client_id INTEGER UNIQUE REFERENCES client (id) ON DELETE CASCADE,
      password_hash TEXT,
      creation_date REAL NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX person_owner ON person (client_id IS NULL) WHERE client_id IS NULL;
    INSERT INTO person (name, creation_date) SELECT '', creation_date FROM library;

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
    """

  /// Removes everything by which somebody could sign in. Each account has it in a file of its own
  /// (`SignInFile`). Whoever signed in before has to do so again.
  ///
  /// Adds an index that libraries lack which were made before it was.
  static let signInOfTheAccount = """
    PRAGMA secure_delete = ON;
    DROP TABLE client_token;
    DROP TABLE picker_origin;
    DROP TABLE device_key;
    DROP TABLE sign_in_failure;
    DROP TABLE single_use_code;
    DROP TABLE browser_session;
    DROP TABLE person;
    CREATE INDEX IF NOT EXISTS asset_by_id ON asset (id, visibility);
    """
}
