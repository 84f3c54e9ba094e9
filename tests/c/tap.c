#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int number, failures, failed;

int check(int condition, const char* text, int line) {
  if (!condition) {
    failed = 1;
    printf("# line %d: %s\n", line, text);
  }
  return condition;
}

int check_contains(const char* text, const char* part, int line) {
  const int found = text != NULL && strstr(text, part) != NULL;
  if (!found) {
    failed = 1;
    printf("# line %d: \"%s\" is not in: %s\n", line, part, text == NULL ? "NULL" : text);
  }
  return found;
}

int check_same(const char* text, const char* other, int line) {
  const int same = text != NULL && strcmp(text, other) == 0;
  if (!same) {
    failed = 1;
    printf("# line %d: \"%s\" is not \"%s\"\n", line, text == NULL ? "NULL" : text, other);
  }
  return same;
}

void run(const char* name, void (*test)(void)) {
  failed = 0;
  test();
  failures += failed;
  printf("%s %d - %s\n", failed ? "not ok" : "ok", ++number, name);
  fflush(stdout);
}

int finish(void) {
  printf("1..%d\n", number);
  return failures > 0;
}

/* Appends `text` as a JSON string; it has no control characters but newlines. */
static char* put_string(char* to, const char* text) {
  *to++ = '"';
  for (; *text != '\0'; ++text) {
    if (*text == '"' || *text == '\\' || *text == '\n') *to++ = '\\';
    *to++ = *text == '\n' ? 'n' : *text;
  }
  *to++ = '"';
  *to = '\0';
  return to;
}

const char* fake(const char* script, const char* more) {
  static char options[16384];
  char program[4096];
  char* end = options;
  const char* build = getenv("PARLEY_BUILD_DIR");
  snprintf(program, sizeof program, "%s/bin/parley_fake_cli", build == NULL ? "." : build);
  if (2 * (strlen(script) + strlen(program)) + strlen(more) + 500 > sizeof options) abort();
  end += sprintf(end, "{\"cli\":");
  end = put_string(end, program);
  end += sprintf(end,
                 ",\"process\":{\"replace_environment\":true,"
                 "\"environment\":{\"PARLEY_FAKE_SCRIPT\":");
  end = put_string(end, script);
  sprintf(end, "}}%s}", more);
  return options;
}

parley_session* open_fake(const char* script) {
  parley_session* session = NULL;
  parley_error* error = NULL;
  if (!CHECK(parley_open(fake(script, ""), &session, &error) == PARLEY_OK)) {
    printf("# %s\n", parley_error_message(error));
  }
  CHECK(error == NULL);
  EXPECT_LINE(session, PARLEY_LINE_INITIALIZED, "\"type\":\"control_response\"");
  return session;
}

parley_line* next_line(parley_session* session) {
  parley_line* line = NULL;
  parley_error* error = NULL;
  const parley_code code = parley_next(session, PATIENCE_MS, &line, &error);
  if (!CHECK(code == PARLEY_OK)) printf("# %d: %s\n", (int)code, parley_error_message(error));
  parley_error_free(error);
  return line;
}

void expect_line(parley_session* session, parley_kind kind, const char* part, int at) {
  parley_line* line = next_line(session);
  check(parley_line_kind(line) == kind, "the line is of the kind that was expected", at);
  check_contains(parley_line_json(line), part, at);
  parley_line_free(line);
}
