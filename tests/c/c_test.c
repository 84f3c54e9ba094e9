/* The whole C interface, from C, against the fake CLI. Prints TAP. */
#include <parley.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"

#define ASK                                                                            \
  "{\"type\":\"control_request\",\"request_id\":\"q\",\"request\":{\"subtype\":"       \
  "\"can_use_tool\",\"tool_name\":\"Bash\",\"input\":{\"command\":\"ls\"},\"tool_use_" \
  "id\":\"t\"}}"
/* A result whose text is the line that the CLI read last. */
#define ECHO                                                                    \
  "{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":" \
  "$LINE,\"session_id\":\"s-1\"}"

static void tells_about_itself(void) {
  CHECK(parley_version()[0] >= '0' && parley_version()[0] <= '9');
  SAME(parley_code_text(PARLEY_NO_MEMORY), "out of memory");
  SAME(parley_code_text((parley_code)77), "unknown code");
}

static void answers_a_prompt(void) {
  parley_session* session = open_fake("init\nturns Hello");
  parley_line* line = NULL;
  parley_error* error = NULL;
  char* text = parley_session_id(session);
  SAME(text, "");
  parley_string_free(text);
  CHECK(parley_send(session, "What is 2 + 2?", &text, &error) == PARLEY_OK);
  CHECK(text != NULL && strlen(text) == 36);
  parley_string_free(text);
  EXPECT_LINE(session, PARLEY_LINE_MESSAGE, "\"subtype\":\"init\"");
  EXPECT_LINE(session, PARLEY_LINE_MESSAGE, "\"text\":\"Hello\"");
  line = next_line(session);
  SAME(parley_line_type(line), "result");
  SAME(parley_line_request_id(line), "");
  SAME(parley_line_problem(line), "");
  text = parley_session_id(session);
  SAME(text, "s-1");
  parley_string_free(text);
  CHECK(parley_end_input(session, &error) == PARLEY_OK);
  parley_line_free(line);
  CHECK(parley_next(session, PATIENCE_MS, &line, &error) == PARLEY_END);
  CHECK(line == NULL && error == NULL);
  CHECK(parley_next(session, PATIENCE_MS, &line, NULL) == PARLEY_END);
  CHECK(parley_send(session, "More?", &text, &error) == PARLEY_CLOSED);
  CHECK(text == NULL && parley_error_phase(error) == PARLEY_PHASE_NONE);
  parley_error_free(error);
  parley_session_free(session);
}

static void sends_more_than_text(void) {
  parley_session* session =
      open_fake("init\nexpect user\nout " ECHO "\nexpect user\nout " ECHO "\neof");
  parley_error* error = NULL;
  char* uuid = NULL;
  CHECK(parley_send_json(session, "[{\"type\":\"text\",\n\"text\":\"one\",\n\"new\": [ 1 ]}]", NULL,
                         NULL) == PARLEY_OK);
  EXPECT_LINE(session, PARLEY_LINE_MESSAGE, "\\\"text\\\":\\\"one\\\",\\\"new\\\":[1]");
  CHECK(parley_send_json(session,
                         "{\"content\":\"two\",\"uuid\":\"u-2\",\"priority\":\"now\","
                         "\"query\":true,\"verbatim\":null}",
                         &uuid, &error) == PARLEY_OK);
  SAME(uuid, "u-2");
  parley_string_free(uuid);
  EXPECT_LINE(session, PARLEY_LINE_MESSAGE, "\\\"priority\\\":\\\"now\\\"");
  CHECK(parley_send_json(session, "{\"content\":[]}", &uuid, &error) == PARLEY_INVALID);
  CHECK(uuid == NULL);
  parley_error_free(error);
  CHECK(parley_send_json(session, "[{\"type\":\"text\",\"text\":7}]", NULL, &error) ==
        PARLEY_INVALID);
  SAME(parley_error_context(error), "prompt[0].text");
  parley_error_free(error);
  CHECK(parley_send_json(session, "{\"content\":\"x\",\"colour\":1}", NULL, &error) ==
        PARLEY_INVALID);
  CONTAINS(parley_error_message(error), "prompt.colour: there is no such");
  parley_error_free(error);
  CHECK(parley_send_json(session, "7", NULL, NULL) == PARLEY_INVALID);
  CHECK(parley_send_json(session, "{", NULL, NULL) == PARLEY_MALFORMED);
  parley_session_free(session);
}

static void answers_a_permission_request(void) {
  parley_session* session =
      open_fake("init\nexpect user\nout " ASK "\nexpect control_response\nout " ECHO "\neof");
  parley_line* line = NULL;
  parley_error* error = NULL;
  CHECK(parley_send(session, "List the files.", NULL, NULL) == PARLEY_OK);
  line = next_line(session);
  CHECK(parley_line_kind(line) == PARLEY_LINE_REQUEST);
  SAME(parley_line_type(line), "control_request");
  SAME(parley_line_json(line), ASK);
  CHECK(parley_answer(session, parley_line_request_id(line), "{\"behavior\"", &error) ==
        PARLEY_MALFORMED);
  SAME(parley_error_context(error), "body");
  parley_error_free(error);
  /* With blanks of a person's, it is one line nevertheless. */
  CHECK(parley_answer(session, parley_line_request_id(line),
                      "{\n  \"behavior\": \"allow\",\n  \"updatedInput\": {\"command\": \"ls\"}\n}",
                      &error) == PARLEY_OK);
  EXPECT_LINE(session, PARLEY_LINE_MESSAGE, "\\\"updatedInput\\\":{\\\"command\\\":\\\"ls\\\"}");
  CHECK(parley_answer(session, parley_line_request_id(line), "{}", &error) == PARLEY_NOT_FOUND);
  CONTAINS(parley_error_message(error), "does not wait for an answer");
  parley_error_free(error);
  CHECK(parley_decline(session, "nobody", NULL) == PARLEY_NOT_FOUND);
  /* A line outlives its session. */
  parley_session_free(session);
  SAME(parley_line_request_id(line), "q");
  parley_line_free(line);
}

static void declines_and_is_told_of_cancelled_requests(void) {
  parley_session* session =
      open_fake("init\nexpect user\nout " ASK "\nexpect control_response\nout " ECHO "\nout " ASK
                "\nout {\"type\":\"control_cancel_request\",\"request_id\":\"q\"}\neof");
  parley_line* line = NULL;
  CHECK(parley_send(session, "List the files.", NULL, NULL) == PARLEY_OK);
  EXPECT_LINE(session, PARLEY_LINE_REQUEST, "can_use_tool");
  CHECK(parley_decline(session, "q", NULL) == PARLEY_OK);
  EXPECT_LINE(session, PARLEY_LINE_MESSAGE, "no permission handler");
  EXPECT_LINE(session, PARLEY_LINE_REQUEST, "can_use_tool");
  line = next_line(session);
  CHECK(parley_line_kind(line) == PARLEY_LINE_CANCELLED);
  SAME(parley_line_request_id(line), "q");
  parley_line_free(line);
  CHECK(parley_answer(session, "q", "{}", NULL) == PARLEY_NOT_FOUND);
  parley_session_free(session);
}

static void shows_lines_that_are_no_messages(void) {
  parley_session* session =
      open_fake("init\nraw no\\xffise\\x00!\\n\nout {\"type\":\"result\",\"is_error\":\"?\"}\neof");
  parley_line* line = next_line(session);
  CHECK(parley_line_kind(line) == PARLEY_LINE_BAD);
  SAME(parley_line_json(line), "no\xEF\xBF\xBDise\xEF\xBF\xBD!");
  SAME(parley_line_type(line), "");
  CHECK(strlen(parley_line_problem(line)) > 0);
  parley_line_free(line);
  /* Somebody waits for a result: there is one, in words of the library. */
  line = next_line(session);
  CHECK(parley_line_kind(line) == PARLEY_LINE_MESSAGE);
  SAME(parley_line_type(line), "result");
  CONTAINS(parley_line_json(line), "malformed result");
  parley_line_free(line);
  parley_session_free(session);
}

static void waits_no_longer_than_asked(void) {
  parley_session* session = open_fake("init\nturns Hello");
  parley_line* line = NULL;
  parley_error* error = NULL;
  CHECK(parley_next(session, 0, &line, &error) == PARLEY_TIMEOUT);
  CHECK(line == NULL && error == NULL);
  CHECK(parley_next(session, 1, &line, &error) == PARLEY_TIMEOUT);
  CHECK(parley_send(session, "Go on.", NULL, NULL) == PARLEY_OK);
  EXPECT_LINE(session, PARLEY_LINE_MESSAGE, "init");
  parley_session_free(session);
}

static void fits_into_event_loops(void) {
  parley_session* session = open_fake("init\nturns Hello");
  parley_line* line = NULL;
  struct pollfd wanted;
  int results = 0, fd = -1;
  wanted.events = POLLIN;
  CHECK(parley_fd(session, &fd, NULL) == PARLEY_OK);
  wanted.fd = fd;
  CHECK(poll(&wanted, 1, 0) == 0);
  CHECK(parley_send(session, "Go on.", NULL, NULL) == PARLEY_OK);
  while (results == 0 && CHECK(poll(&wanted, 1, PATIENCE_MS) == 1)) {
    while (parley_next(session, 0, &line, NULL) == PARLEY_OK) {
      results += strcmp(parley_line_type(line), "result") == 0;
      parley_line_free(line);
    }
  }
  CHECK(parley_fd(session, &fd, NULL) == PARLEY_OK && fd == wanted.fd);
  parley_session_free(session);
}

static void interrupts_a_turn(void) {
  parley_session* session = open_fake(
      "init\nexpect user\nanswer {\"still_queued\":[\"u-7\"]}\nout " ECHO "\nanswer {}\neof");
  parley_error* error = NULL;
  char* receipt = NULL;
  CHECK(parley_send(session, "Count to a million.", NULL, NULL) == PARLEY_OK);
  CHECK(parley_interrupt(session, 1, &receipt, &error) == PARLEY_OK);
  CONTAINS(receipt, "{\"still_queued\":[\"u-7\"],\"cancelled\":[],\"result\":{");
  CONTAINS(receipt, "cancel_queued");
  parley_string_free(receipt);
  EXPECT_LINE(session, PARLEY_LINE_MESSAGE, "\"type\":\"result\"");
  CHECK(parley_interrupt(session, 0, &receipt, &error) == PARLEY_OK);
  SAME(receipt, "{\"still_queued\":[],\"cancelled\":[],\"result\":null}");
  parley_string_free(receipt);
  parley_session_free(session);
}

static void makes_control_requests(void) {
  parley_session* session = open_fake(
      "init\nanswer {\"model\":\"m\"}\nanswer null\nexpect control_request\n"
      "out {\"type\":\"control_response\",\"response\":{\"subtype\":\"error\",\"request_id\":"
      "\"$ID\",\"error\":\"no such model\",\"error_code\":\"bad_model\"}}\neof");
  parley_error* error = NULL;
  char* reply = NULL;
  CHECK(parley_request(session, "{\"subtype\":\n\"set_model\",\"model\":\"m\"}", 0, &reply,
                       &error) == PARLEY_OK);
  SAME(reply, "{\"model\":\"m\"}");
  parley_string_free(reply);
  CHECK(parley_request(session, "{\"subtype\":\"set_model\"}", PATIENCE_MS, &reply, NULL) ==
        PARLEY_OK);
  SAME(reply, "{}");
  parley_string_free(reply);
  CHECK(parley_request(session, "{\"subtype\":\"set_model\"}", -1, &reply, &error) ==
        PARLEY_REMOTE);
  CHECK(reply == NULL);
  CONTAINS(parley_error_message(error), "no such model");
  SAME(parley_error_context(error), "bad_model");
  parley_error_free(error);
  CHECK(parley_request(session, "{\"subtype\":\"get_usage\"}", 1, &reply, &error) ==
        PARLEY_TIMEOUT);
  CONTAINS(parley_error_message(error), "no answer within 1 ms");
  parley_error_free(error);
  CHECK(parley_request(session, "{}", 0, NULL, NULL) == PARLEY_INVALID);
  CHECK(parley_request(session, "[", 0, NULL, NULL) == PARLEY_MALFORMED);
  parley_session_free(session);
}

static void says_where_it_looked_for_the_cli(void) {
  parley_session* session = NULL;
  parley_error* error = NULL;
  CHECK(parley_open("{\"cli\":{\"program\":\"/nowhere/claude\"}}", &session, &error) ==
        PARLEY_NOT_FOUND);
  CHECK(session == NULL);
  CHECK(parley_error_code(error) == PARLEY_NOT_FOUND);
  CONTAINS(parley_error_message(error), "/nowhere/claude");
  CHECK(parley_error_phase(error) == PARLEY_PHASE_START);
  CHECK(parley_error_exit_code(error) == -1 && parley_error_exit_signal(error) == 0);
  parley_error_free(error);
  CHECK(parley_start("{\"cli\":\"/nowhere/claude\"}", &session, NULL) == PARLEY_NOT_FOUND);
}

static void says_how_the_cli_died(void) {
  parley_session* session = open_fake("init\nexpect user\nerr it hurts\nexit 3");
  parley_line* line = NULL;
  parley_error* error = NULL;
  char* text = NULL;
  CHECK(parley_send(session, "Go on.", NULL, NULL) == PARLEY_OK);
  CHECK(parley_next(session, PATIENCE_MS, &line, &error) == PARLEY_PROCESS);
  CHECK(line == NULL);
  CHECK(parley_error_phase(error) == PARLEY_PHASE_TURN);
  CHECK(parley_error_exit_code(error) == 3 && parley_error_exit_signal(error) == 0);
  SAME(parley_error_stderr(error), "it hurts\n");
  CONTAINS(parley_error_message(error), "exit code 3");
  parley_error_free(error);
  text = parley_stderr(session);
  SAME(text, "it hurts\n");
  parley_string_free(text);
  CHECK(parley_send(session, "Still there?", NULL, NULL) == PARLEY_PROCESS);
  parley_session_free(session);

  session = open_fake("init\nexpect user\ndie 9");
  CHECK(parley_send(session, "Go on.", NULL, NULL) == PARLEY_OK);
  CHECK(parley_next(session, PATIENCE_MS, &line, &error) == PARLEY_PROCESS);
  CHECK(parley_error_exit_code(error) == -1 && parley_error_exit_signal(error) == 9);
  parley_error_free(error);
  parley_session_free(session);
}

static void says_why_the_cli_did_not_start(void) {
  parley_session* session = NULL;
  parley_line* line = NULL;
  parley_error* error = NULL;
  const char* brief = ",\"deadlines\":{\"initialize\":20,\"close\":0,\"kill\":0}";
  CHECK(parley_open(fake("rawerr no \\xff licence\nexit 4", ""), &session, &error) ==
        PARLEY_PROCESS);
  CHECK(session == NULL && parley_error_phase(error) == PARLEY_PHASE_INITIALIZE);
  CHECK(parley_error_exit_code(error) == 4);
  SAME(parley_error_stderr(error), "no \xEF\xBF\xBD licence");
  parley_error_free(error);
  CHECK(parley_open(fake("hang", brief), &session, &error) == PARLEY_PROCESS);
  CHECK(session == NULL && parley_error_phase(error) == PARLEY_PHASE_INITIALIZE);
  CONTAINS(parley_error_message(error), "within 20 ms");
  parley_error_free(error);
  /* Who does not wait is told later, and not to ask again. */
  CHECK(parley_start(fake("hang", brief), &session, &error) == PARLEY_OK);
  CHECK(parley_next(session, PATIENCE_MS, &line, &error) == PARLEY_PROCESS);
  CONTAINS(parley_error_message(error), "within 20 ms");
  parley_error_free(error);
  CHECK(parley_next(session, 0, &line, NULL) == PARLEY_PROCESS);
  parley_session_free(session);
}

static void starts_without_waiting(void) {
  parley_session* session = NULL;
  CHECK(parley_start(fake("init\nturns Hello", ""), &session, NULL) == PARLEY_OK);
  CHECK(parley_send(session, "Go on.", NULL, NULL) == PARLEY_OK);
  EXPECT_LINE(session, PARLEY_LINE_INITIALIZED, "success");
  EXPECT_LINE(session, PARLEY_LINE_MESSAGE, "\"subtype\":\"init\"");
  parley_session_free(session);
}

/* Expects that parley_open() refuses the options, and says so in these words. */
static void refused(const char* options, parley_code code, const char* words) {
  parley_session* session = (parley_session*)&code;
  parley_error* error = NULL;
  CHECK(parley_open(options, &session, &error) == code);
  CHECK(session == NULL && parley_error_code(error) == code);
  CONTAINS(parley_error_message(error), words);
  parley_error_free(error);
}

static void refuses_options_that_it_does_not_know(void) {
  refused("{\"modle\":\"m\"}", PARLEY_INVALID, "modle: there is no such option");
  refused("{\"deadlines\":{\"clsoe\":1}}", PARLEY_INVALID, "deadlines.clsoe: there is no such");
  refused("{\"model\":7}", PARLEY_INVALID, "model: expected a string");
  refused("{\"model\":\"a\\u0000b\"}", PARLEY_INVALID, "model: holds a NUL byte");
  refused("{\"limits\":{\"max_turns\":1.5}}", PARLEY_INVALID, "limits.max_turns: expected a whole");
  refused("{\"limits\":{\"max_budget_usd\":1e999}}", PARLEY_INVALID,
          "max_budget_usd: expected a smaller");
  refused("{\"deadlines\":{\"close\":-1}}", PARLEY_INVALID, "deadlines.close: expected millisec");
  refused("{\"buffers\":{\"queue_bytes\":-1}}", PARLEY_INVALID,
          "buffers.queue_bytes: expected a n");
  refused("{\"process\":{\"debug\":\"yes\"}}", PARLEY_INVALID,
          "process.debug: expected true or false");
  refused("{\"tools\":{\"allowed\":[\"Read\",7]}}", PARLEY_INVALID,
          "tools.allowed[1]: expected a s");
  refused("{\"permissions\":{\"mode\":\"never\"}}", PARLEY_INVALID,
          "permissions.mode: expected one of");
  refused("{\"thinking\":{\"mode\":\"hard\"}}", PARLEY_INVALID, "thinking.mode: expected one of");
  refused("{\"process\":{\"environment\":{\"A=B\":\"c\"}}}", PARLEY_INVALID,
          "environment.A=B: is no name");
  refused("{\"process\":{\"environment\":[]}}", PARLEY_INVALID, "environment: expected an object");
  refused("{\"tools\":{\"mcp_servers\":{\"s\":{\"args\":7}}}}", PARLEY_INVALID,
          "servers.s.args: expected");
  refused("{\"process\":{\"require_version\":\"new\"}}", PARLEY_INVALID,
          "require_version: expected a v");
  refused("{\"resume\":{\"fork\":true}}", PARLEY_INVALID, "resume.fork: needs a session to fork");
  refused("[]", PARLEY_INVALID, "options: expected an object");
  refused("{\"model\":", PARLEY_MALFORMED, "options");
  refused("", PARLEY_MALFORMED, "options");
  refused("{\"model\":\"\xFF\"}", PARLEY_INVALID, "options: is not UTF-8");
}

static void passes_options_on(void) {
  char file[4096], script[8192], seen[16384];
  size_t size = 0, i = 0;
  FILE* saved = NULL;
  parley_session* session = NULL;
  parley_error* error = NULL;
  snprintf(file, sizeof file, "%s/c_test_arguments", getenv("TMPDIR"));
  snprintf(script, sizeof script, "args %s\ninit\neof", file);
  CHECK(parley_open(fake(script,
                         ",\"model\":\"m-1\",\"permissions\":{\"mode\":\"plan\"},"
                         "\"limits\":{\"max_turns\":3},\"tools\":{\"allowed\":[\"Read\",\"Grep\"]},"
                         "\"system_prompt\":\"Be brief.\",\"resume\":null,\"effort\":\"low\","
                         "\"settings\":{\"json\":{\"a\":[1,2]}}"),
                    &session, &error) == PARLEY_OK);
  CHECK(error == NULL);
  parley_session_free(session);
  saved = fopen(file, "rb");
  if (!CHECK(saved != NULL)) return;
  size = fread(seen, 1, sizeof seen - 1, saved);
  fclose(saved);
  remove(file);
  seen[size] = '\0';
  for (i = 0; i < size; ++i) {
    if (seen[i] == '\0') seen[i] = '\n';
  }
  CONTAINS(seen, "\n--model=m-1\n");
  CONTAINS(seen, "\n--permission-mode=plan\n");
  CONTAINS(seen, "\n--max-turns=3\n");
  CONTAINS(seen, "\n--allowedTools=Read,Grep\n");
  CONTAINS(seen, "\n--system-prompt\nBe brief.\n");
  CONTAINS(seen, "\n--settings\n{\"a\":[1,2]}\n");
  CONTAINS(seen, "\n--effort=low\n");
  /* Permission requests come to parley_next(). */
  CONTAINS(seen, "\n--permission-prompt-tool=stdio\n");
}

static void survives_wrong_arguments(void) {
  parley_session* session = NULL;
  parley_error* error = NULL;
  parley_line* line = NULL;
  char* text = NULL;
  int fd = 7;
  CHECK(parley_open("{}", NULL, &error) == PARLEY_INVALID);
  CONTAINS(parley_error_message(error), "session: must not be NULL");
  parley_error_free(error);
  CHECK(parley_start(NULL, NULL, NULL) == PARLEY_INVALID);
  CHECK(parley_end_input(NULL, NULL) == PARLEY_INVALID);
  CHECK(parley_close(NULL, NULL) == PARLEY_INVALID);
  CHECK(parley_next(NULL, 0, &line, NULL) == PARLEY_INVALID);
  CHECK(parley_fd(NULL, &fd, NULL) == PARLEY_INVALID && fd == -1);
  CHECK(parley_send(NULL, "x", &text, NULL) == PARLEY_INVALID);
  CHECK(parley_send_json(NULL, "[]", &text, NULL) == PARLEY_INVALID);
  CHECK(parley_answer(NULL, "q", "{}", NULL) == PARLEY_INVALID);
  CHECK(parley_decline(NULL, "q", NULL) == PARLEY_INVALID);
  CHECK(parley_request(NULL, "{}", 0, &text, NULL) == PARLEY_INVALID);
  CHECK(parley_interrupt(NULL, 0, &text, NULL) == PARLEY_INVALID);
  CHECK(parley_session_id(NULL) == NULL && parley_stderr(NULL) == NULL);

  session = open_fake("init\neof");
  CHECK(parley_next(session, 0, NULL, NULL) == PARLEY_INVALID);
  CHECK(parley_fd(session, NULL, NULL) == PARLEY_INVALID);
  CHECK(parley_send(session, NULL, NULL, NULL) == PARLEY_INVALID);
  CHECK(parley_send(session, "\xC3(", NULL, &error) == PARLEY_INVALID);
  CONTAINS(parley_error_message(error), "text: is not UTF-8");
  parley_error_free(error);
  CHECK(parley_send_json(session, NULL, NULL, NULL) == PARLEY_INVALID);
  CHECK(parley_send_json(session, "[\"\xFF\"]", NULL, NULL) == PARLEY_INVALID);
  CHECK(parley_answer(session, NULL, "{}", NULL) == PARLEY_INVALID);
  CHECK(parley_answer(session, "q", NULL, NULL) == PARLEY_INVALID);
  CHECK(parley_answer(session, "\xFF", "{}", NULL) == PARLEY_INVALID);
  CHECK(parley_decline(session, NULL, NULL) == PARLEY_INVALID);
  CHECK(parley_request(session, NULL, 0, NULL, NULL) == PARLEY_INVALID);
  parley_session_free(session);

  CHECK(parley_error_code(NULL) == PARLEY_OK);
  CHECK(parley_error_phase(NULL) == PARLEY_PHASE_NONE);
  CHECK(parley_error_exit_code(NULL) == -1 && parley_error_exit_signal(NULL) == 0);
  SAME(parley_error_message(NULL), "");
  SAME(parley_error_context(NULL), "");
  SAME(parley_error_stderr(NULL), "");
  CHECK(parley_line_kind(NULL) == PARLEY_LINE_NONE);
  SAME(parley_line_json(NULL), "");
  SAME(parley_line_type(NULL), "");
  SAME(parley_line_request_id(NULL), "");
  SAME(parley_line_problem(NULL), "");
  parley_error_free(NULL);
  parley_line_free(NULL);
  parley_string_free(NULL);
  parley_session_free(NULL);
}

static void says_that_it_is_closed(void) {
  parley_session* session = open_fake("init\nout " ASK "\neof");
  parley_error* error = NULL;
  parley_line* line = NULL;
  char* text = NULL;
  EXPECT_LINE(session, PARLEY_LINE_REQUEST, "can_use_tool");
  CHECK(parley_close(session, &error) == PARLEY_OK);
  CHECK(parley_close(session, &error) == PARLEY_OK);
  CHECK(parley_next(session, -1, &line, &error) == PARLEY_CLOSED);
  CONTAINS(parley_error_message(error), "the session is closed");
  parley_error_free(error);
  CHECK(parley_send(session, "Hello?", &text, NULL) == PARLEY_CLOSED);
  CHECK(parley_answer(session, "q", "{}", NULL) == PARLEY_CLOSED);
  CHECK(parley_decline(session, "q", NULL) == PARLEY_CLOSED);
  CHECK(parley_request(session, "{\"subtype\":\"x\"}", 0, &text, NULL) == PARLEY_CLOSED);
  CHECK(parley_interrupt(session, 0, &text, NULL) == PARLEY_CLOSED);
  CHECK(parley_end_input(session, NULL) == PARLEY_OK);
  text = parley_session_id(session);
  CHECK(text != NULL);
  parley_string_free(text);
  parley_session_free(session);
}

static void* wait_for_a_line(void* session) {
  static parley_code code;
  parley_line* line = NULL;
  code = parley_next((parley_session*)session, -1, &line, NULL);
  return &code;
}

static void wakes_who_waits_when_it_is_closed(void) {
  parley_session* session = open_fake("init\neof");
  pthread_t waiter;
  void* code = NULL;
  if (!CHECK(pthread_create(&waiter, NULL, wait_for_a_line, session) == 0)) return;
  CHECK(parley_close(session, NULL) == PARLEY_OK);
  CHECK(pthread_join(waiter, &code) == 0);
  CHECK(*(parley_code*)code == PARLEY_CLOSED);
  parley_session_free(session);
}

int main(void) {
  run("tells its version, and codes in words", tells_about_itself);
  run("answers a prompt", answers_a_prompt);
  run("sends more than text", sends_more_than_text);
  run("answers a permission request, once", answers_a_permission_request);
  run("declines, and tells of cancelled requests", declines_and_is_told_of_cancelled_requests);
  run("shows lines that are no messages", shows_lines_that_are_no_messages);
  run("waits no longer than asked", waits_no_longer_than_asked);
  run("fits into event loops", fits_into_event_loops);
  run("interrupts a turn", interrupts_a_turn);
  run("makes control requests", makes_control_requests);
  run("says where it looked for the CLI", says_where_it_looked_for_the_cli);
  run("says how the CLI died", says_how_the_cli_died);
  run("says why the CLI did not start", says_why_the_cli_did_not_start);
  run("starts without waiting", starts_without_waiting);
  run("refuses options that it does not know", refuses_options_that_it_does_not_know);
  run("passes options on", passes_options_on);
  run("survives wrong arguments", survives_wrong_arguments);
  run("says that it is closed", says_that_it_is_closed);
  run("wakes who waits when it is closed", wakes_who_waits_when_it_is_closed);
  return finish();
}
