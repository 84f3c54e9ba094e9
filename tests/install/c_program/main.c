/* A stranger's program in C: it knows Parley only by its installed header and library. The path of
 * a CLI is its argument; it prints "hello" if that says so. */
#include <parley.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
  char options[4096];
  parley_session* session;
  parley_line* line;
  if (argc != 2) return 2;
  snprintf(options, sizeof options, "{\"cli\":\"%s\"}", argv[1]);
  if (parley_open(options, &session, NULL) != PARLEY_OK) return 3;
  if (parley_send(session, "Say hello", NULL, NULL) != PARLEY_OK) return 4;
  parley_end_input(session, NULL);
  while (parley_next(session, -1, &line, NULL) == PARLEY_OK) {
    if (strstr(parley_line_json(line), "\"result\":\"hello\"") != NULL) puts("hello");
    parley_line_free(line);
  }
  parley_session_free(session);
  return 0;
}
