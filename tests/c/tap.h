/* What the tests in C share: TAP output, and sessions with the fake CLI. */
#ifndef PARLEY_TESTS_C_TAP_H
#define PARLEY_TESTS_C_TAP_H

#include <parley.h>

/* Long enough for any machine; a test that waits this long has failed. */
enum { PATIENCE_MS = 30000 };

/* Says where a test failed; the test goes on. Returns whether the condition held. */
int check(int condition, const char* text, int line);
#define CHECK(condition) check((condition) != 0, #condition, __LINE__)
/* Whether `text` contains `part`; shows the text if not. */
int check_contains(const char* text, const char* part, int line);
#define CONTAINS(text, part) check_contains(text, part, __LINE__)
#define SAME(text, other) (check_same(text, other, __LINE__))
int check_same(const char* text, const char* other, int line);

/* Runs one test and prints its line. */
void run(const char* name, void (*test)(void));
/* Prints the plan; the exit code of the program. */
int finish(void);

/* Options as JSON: the fake CLI with a script, in an environment of its own, and `more`, members
 * that begin with a comma, or "". Lives until the next call. */
const char* fake(const char* script, const char* more);
/* A session with it that has been opened; its first line has been read. */
parley_session* open_fake(const char* script);
/* The next line; NULL and a failed check if there is none. */
parley_line* next_line(parley_session* session);
/* Reads one line, and expects its kind and a part of its text. */
void expect_line(parley_session* session, parley_kind kind, const char* part, int line);
#define EXPECT_LINE(session, kind, part) expect_line(session, kind, part, __LINE__)

#endif
