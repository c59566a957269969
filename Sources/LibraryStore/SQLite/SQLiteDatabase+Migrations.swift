internal import GRDB

extension SQLiteDatabase {
  /// The version of a database's tables, compared with that of the program.
  enum Version {
    case none, earlier, current, later

    /// Whether the database has all tables of the program.
    var isComplete: Bool { self == .current || self == .later }
  }

  /// Returns the version. Throws if the database has something that the program has not made.
  func version(_ migrations: [Migration]) throws -> Version {
    let applied = try pool.read { try Self.appliedMigrations($0, migrations) }
    let known = Set(migrations.map(\.name))
    return applied.isEmpty ? .none : applied == known ? .current : applied.isSubset(of: known) ? .earlier : .later
  }

  func migrate(_ migrations: [Migration]) throws { try Self.migrator(migrations).migrate(pool) }

  static func migrator(_ migrations: [Migration]) -> DatabaseMigrator {
    migrations.reduce(into: DatabaseMigrator()) { migrator, migration in
      migrator.registerMigration(migration.name) { try migration.body(SQLiteSession(database: $0)) }
    }
  }
}
