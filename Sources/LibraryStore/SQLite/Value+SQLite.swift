import Foundation
internal import GRDB

extension BoundSQL {
  var statementArguments: StatementArguments { StatementArguments(arguments.map(\.databaseValue)) }
}

extension Value {
  var databaseValue: DatabaseValue {
    switch self {
    case .integer(let value): value.databaseValue
    case .real(let value): value.databaseValue
    case .text(let value): value.databaseValue
    case .blob(let value): value.databaseValue
    case .null: .null
    }
  }

  init(_ value: DatabaseValue) {
    switch value.storage {
    case .int64(let value): self = .integer(Int(value))
    case .double(let value): self = .real(value)
    case .string(let value): self = .text(value)
    case .blob(let value): self = .blob(value)
    case .null: self = .null
    }
  }
}
