internal import GRDB

extension SQLiteDatabase {
  /// The version of a database's tables, compared with that of the program.
  enum Version {
    case none, earlier, current, later

    /// Whether the database has all tables of the program.
    var isComplete: Bool { self == .current || self == .later }
  }

  func version(_ migrations: [Migration]) throws -> Version {
    let migrator = Self.migrator(migrations)
    return try pool.read { db in
      if try migrator.hasBeenSuperseded(db) { return .later }
      if try migrator.hasCompletedMigrations(db) { return .current }
      return try migrator.appliedMigrations(db).isEmpty ? .none : .earlier
    }
  }

  func migrate(_ migrations: [Migration]) throws { try Self.migrator(migrations).migrate(pool) }

  static func migrator(_ migrations: [Migration]) -> DatabaseMigrator {
    migrations.reduce(into: DatabaseMigrator()) { migrator, migration in
      migrator.registerMigration(migration.name) { try migration.body(SQLiteSession(database: $0)) }
    }
  }
}
