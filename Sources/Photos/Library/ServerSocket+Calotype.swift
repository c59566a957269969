package import LibraryStore

/// A Unix socket at which the server of a library answers programs of its account.
package typealias ServerSocket = AccountSocket
