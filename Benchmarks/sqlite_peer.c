// Runs statements with SQLite's C interface and prints their times: the peer of fetches.
//
//   sqlite_peer FILE ROUNDS < statements
//
// A line of the input contains a name, a tab and a statement. A line of the output contains the
// name, the median of the rounds in milliseconds, and the number of rows. All columns of a row are
// read, and the first one is kept in an array, as a fetch keeps its ids. "opening" is the time
// from the beginning of the program until its statement is answered.
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static int ascending(const void *one, const void *other) {
  double a = *(const double *)one, b = *(const double *)other;
  return a < b ? -1 : a > b;
}

static void fail(sqlite3 *db) {
  fprintf(stderr, "sqlite_peer: %s\n", sqlite3_errmsg(db));
  exit(1);
}

/// Runs a statement. Returns the number of its rows.
static size_t run(sqlite3 *db, const char *sql) {
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK) fail(db);
  int columns = sqlite3_column_count(statement);
  size_t rows = 0, room = 1024;
  sqlite3_int64 *ids = malloc(room * sizeof *ids);
  int result;
  while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
    if (rows == room) ids = realloc(ids, (room *= 2) * sizeof *ids);
    ids[rows++] = sqlite3_column_int64(statement, 0);
    for (int column = 1; column < columns; column++) {
      if (sqlite3_column_type(statement, column) == SQLITE_TEXT) sqlite3_column_text(statement, column);
      else sqlite3_column_double(statement, column);
    }
  }
  if (result != SQLITE_DONE) fail(db);
  sqlite3_finalize(statement);
  free(ids);
  return rows;
}

static sqlite3 *opened(const char *file) {
  sqlite3 *db;
  if (sqlite3_open_v2(file, &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK) fail(db);
  // A change is on the disk when it ends, as in the library.
  run(db, "PRAGMA synchronous = FULL");
  return db;
}

int main(int count, char **arguments) {
  if (count != 3) {
    fprintf(stderr, "usage: sqlite_peer FILE ROUNDS < statements\n");
    return 2;
  }
  double began = now();
  sqlite3 *db = opened(arguments[1]);
  int rounds = atoi(arguments[2]);
  double *times = malloc(sizeof(double) * rounds);
  char line[65536];
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    char *sql = strchr(line, '\t');
    if (!sql) continue;
    *sql++ = 0;
    size_t rows = 0;
    for (int round = 0; round < rounds; round++) {
      double start = strcmp(line, "opening") == 0 ? began : now();
      rows = run(db, sql);
      times[round] = now() - start;
    }
    qsort(times, rounds, sizeof *times, ascending);
    printf("%s\t%.3f\t%zu\n", line, times[rounds / 2], rows);
  }
  sqlite3_close(db);
  return 0;
}
