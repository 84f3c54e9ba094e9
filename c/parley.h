/* Parley for C, and for every language that can call C: drives an agent CLI over its stream-json
 * protocol. Messages, requests and options are JSON texts; handles are opaque.
 *
 *   parley_session* session;
 *   parley_error* error;
 *   if (parley_open("{\"model\":\"sonnet\"}", &session, &error) != PARLEY_OK) ...
 *   parley_send(session, "What is in this folder?", NULL, NULL);
 *   while (parley_next(session, -1, &line, NULL) == PARLEY_OK) ...
 *
 * Texts: all are UTF-8 and end with a NUL character. The library copies what it is given.
 *
 * Ownership: what a function gives through a pointer to a pointer belongs to the caller, who frees
 * it once, with the function for its type: parley_session_free, parley_line_free,
 * parley_error_free, parley_string_free. These take NULL, too. `const char*` results belong to the
 * object that was asked, and live as long as it. Result pointers are set to NULL on failure.
 *
 * Errors: functions that can fail return a parley_code and take a parley_error** as their last
 * argument. It may be NULL; else it is set to NULL, or on failure to an error that the caller
 * frees (to NULL if there was no memory for it). Wrong arguments, NULL where something is needed
 * included, are PARLEY_INVALID. No C++ exception leaves the library, which neither prints nor ends
 * the process.
 *
 * Threads: every function may be called from any thread, several at a time on one session; of
 * threads that wait in parley_next() each line goes to one. Only the functions that free need the
 * object for themselves: no other call may be using it, or use it afterwards. All sessions share
 * one thread of the library for input and output; the library calls nothing back. After fork() the
 * child must not use it before exec().
 *
 * Versions: before 1.0 a minor version may change this interface, and changes the name of the
 * library (libparley.so.0.1) and the version of its symbols (PARLEY_0.1) along with it.
 */
#ifndef PARLEY_H
#define PARLEY_H

#define PARLEY_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/* What became of a call. The numbers stay as they are; later versions may add some. */
typedef enum parley_code {
  PARLEY_OK = 0,
  PARLEY_END = 1,         /* The session has ended well: no more lines. Only of parley_next(). */
  PARLEY_TIMEOUT = 2,     /* A deadline passed; the session goes on. */
  PARLEY_INVALID = 3,     /* An argument or option that cannot be used. */
  PARLEY_MALFORMED = 4,   /* A text that is not JSON. */
  PARLEY_UNEXPECTED = 5,  /* JSON of another shape than expected. */
  PARLEY_TOO_LARGE = 6,   /* A size limit was reached. */
  PARLEY_NOT_FOUND = 7,   /* A program, file, session or request that does not exist. */
  PARLEY_IO = 8,          /* The operating system refused a call. */
  PARLEY_PROCESS = 9,     /* The CLI died, or did not answer in time at the start. */
  PARLEY_CANCELLED = 10,  /* Cancelled by either side. */
  PARLEY_CLOSED = 11,     /* The session was closed, or its input was ended. */
  PARLEY_REMOTE = 12,     /* The agent answered with an error of its own. */
  PARLEY_PERMISSION = 13, /* Refused for safety. */
  PARLEY_NO_MEMORY = 14,
  PARLEY_INTERNAL = 15 /* A mistake in the library; please report it. */
} parley_code;

/* A few words for a person. Lives for ever; never NULL. */
PARLEY_API const char* parley_code_text(parley_code code);

/* The version of the library that runs, as "0.1.0". Lives for ever. */
PARLEY_API const char* parley_version(void);

/* Frees a text that a function gave through a char**, or returned as char*. */
PARLEY_API void parley_string_free(char* text);

/* ---- errors ---------------------------------------------------------------------------------- */

/* Why a call failed. It does not change, and does not depend on the session. The functions on it
 * take NULL, for which they return PARLEY_OK, "", PARLEY_PHASE_NONE, -1 or 0. */
typedef struct parley_error parley_error;

/* What the session was doing when it failed. */
typedef enum parley_phase {
  PARLEY_PHASE_NONE = 0,       /* The call failed, but the session did not. */
  PARLEY_PHASE_START = 1,      /* Finding and starting the CLI. */
  PARLEY_PHASE_INITIALIZE = 2, /* Waiting for its first answer. */
  PARLEY_PHASE_IDLE = 3,       /* Between turns. */
  PARLEY_PHASE_TURN = 4,       /* In a turn. */
  PARLEY_PHASE_CLOSE = 5       /* Closing. */
} parley_phase;

PARLEY_API parley_code parley_error_code(const parley_error* error);
/* What happened and where, for a person. */
PARLEY_API const char* parley_error_message(const parley_error* error);
/* Only where: an argument, an option as "deadlines.close", a place in JSON, an error code of the
 * agent. May be empty. */
PARLEY_API const char* parley_error_context(const parley_error* error);
PARLEY_API parley_phase parley_error_phase(const parley_error* error);
/* How the CLI ended: its exit code, or -1, and the signal that ended it, or 0. */
PARLEY_API int parley_error_exit_code(const parley_error* error);
PARLEY_API int parley_error_exit_signal(const parley_error* error);
/* The end of what the CLI wrote on stderr, if the session failed. */
PARLEY_API const char* parley_error_stderr(const parley_error* error);
PARLEY_API void parley_error_free(parley_error* error);

/* ---- the life of a session ---------------------------------------------------------------------
 */

/* A conversation with an agent: a CLI process, and what it has said and nobody has read yet. */
typedef struct parley_session parley_session;

/* Starts the CLI and waits for its first answer, no longer than the option deadlines.initialize.
 * `options_json` is an object with the options by name (docs/sdk/c.md lists them), or NULL for
 * none. An option that does not exist is PARLEY_INVALID and named in the message; one that is null
 * counts as not given. A CLI that is not found is PARLEY_NOT_FOUND; the message lists the places.
 */
PARLEY_API parley_code parley_open(const char* options_json, parley_session** session,
                                   parley_error** error);
/* As parley_open(), but does not wait, for programs that must not block: parley_send() may follow
 * at once. If the first answer fails or does not come in time, the next call says so. */
PARLEY_API parley_code parley_start(const char* options_json, parley_session** session,
                                    parley_error** error);
/* Says that no more prompts will come. The agent finishes what it has; parley_next() gives the rest
 * and then PARLEY_END. Requests can be answered only while the CLI listens, and it may not. */
PARLEY_API parley_code parley_end_input(parley_session* session, parley_error** error);
/* Ends everything, and returns when the process is gone: end of input, after the option
 * deadlines.close SIGTERM, after deadlines.kill SIGKILL. Calls that wait in other threads fail with
 * PARLEY_CLOSED, and so do all later ones. What was not read is lost; the transcript stays. May be
 * called again. */
PARLEY_API parley_code parley_close(parley_session* session, parley_error** error);
/* Closes the session unless it is closed, and frees it. No other call may be using it. */
PARLEY_API void parley_session_free(parley_session* session);

/* ---- what the agent says ------------------------------------------------------------------------
 */

/* One line of the agent. It does not change, and may outlive the session. The functions on it take
 * NULL, for which they return PARLEY_LINE_NONE or "". */
typedef struct parley_line parley_line;

typedef enum parley_kind {
  PARLEY_LINE_NONE = 0,
  PARLEY_LINE_MESSAGE = 1,     /* A message, e.g. {"type":"assistant",...}. */
  PARLEY_LINE_REQUEST = 2,     /* The agent asks, and waits for parley_answer(). */
  PARLEY_LINE_CANCELLED = 3,   /* It takes such a request back, which needs no answer any more. */
  PARLEY_LINE_INITIALIZED = 4, /* Its first answer: commands, models, account. Comes once. */
  PARLEY_LINE_BAD = 5          /* A line that is no message. The session goes on. */
} parley_kind;

/* The next line, in the order in which the agent wrote them. Waits up to `timeout_ms` milliseconds;
 * 0 takes only what is there, -1 waits for ever. PARLEY_TIMEOUT: there was none, ask again.
 * PARLEY_END: the session has ended well and all was read. Neither has an error object.
 * PARLEY_PROCESS: the CLI has died; the error tells how. */
PARLEY_API parley_code parley_next(parley_session* session, int timeout_ms, parley_line** line,
                                   parley_error** error);
/* A descriptor for poll() and event loops: readable while parley_next(session, 0, ...) would not
 * say PARLEY_TIMEOUT, the end included. It may be readable for nothing, so do not wait in
 * parley_next() because of it. It belongs to the session, stays the same, and must not be read from
 * or closed. */
PARLEY_API parley_code parley_fd(parley_session* session, int* fd, parley_error** error);

PARLEY_API parley_kind parley_line_kind(const parley_line* line);
/* The line as the agent wrote it: one JSON object. Of PARLEY_LINE_BAD its beginning, at most 4 KiB
 * of it, with U+FFFD for what is no text. */
PARLEY_API const char* parley_line_json(const parley_line* line);
/* Its member "type": "system", "assistant", "user", "result", "stream_event", "control_request",
 * ... A "result" ends a turn. Empty of PARLEY_LINE_BAD. */
PARLEY_API const char* parley_line_type(const parley_line* line);
/* Of requests and cancelled requests, the id; else empty. */
PARLEY_API const char* parley_line_request_id(const parley_line* line);
/* Of PARLEY_LINE_BAD, why it is no message; else empty. */
PARLEY_API const char* parley_line_problem(const parley_line* line);
PARLEY_API void parley_line_free(parley_line* line);

/* ---- what the agent is told ---------------------------------------------------------------------
 */

/* Sends a prompt as it is, and does not wait; while the agent is busy it is queued there. `uuid`,
 * which may be NULL, gets the name of the message. */
PARLEY_API parley_code parley_send(parley_session* session, const char* text, char** uuid,
                                   parley_error** error);
/* Sends a prompt that is more than text: an array of content blocks as of the Messages API, or
 * {"content": text or array, "uuid": "...", "priority": "now" | "next" | "later",
 *  "query": false (only adds to the conversation), "verbatim": true (no slash commands)}. */
PARLEY_API parley_code parley_send_json(parley_session* session, const char* prompt_json,
                                        char** uuid, parley_error** error);
/* Answers a request of the agent, once. `body_json` is the response as the agent wants it, for a
 * permission {"behavior":"allow","updatedInput":{...}} or {"behavior":"deny","message":"..."}.
 * PARLEY_NOT_FOUND: it was answered or cancelled before, or there never was such a request. */
PARLEY_API parley_code parley_answer(parley_session* session, const char* request_id,
                                     const char* body_json, parley_error** error);
/* The same with what a program says that has no answer to such requests: no, as a rule. */
PARLEY_API parley_code parley_decline(parley_session* session, const char* request_id,
                                      parley_error** error);
/* Asks the agent: any control request, {"subtype":"set_model","model":"..."}, and waits for its
 * answer `timeout_ms` milliseconds; with 0 or less, as long as the option deadlines.request says.
 * `reply_json`, which may be NULL, gets the answer, {} if it is empty. PARLEY_REMOTE: the agent
 * refused. Other threads may go on reading; if none does, lines wait. */
PARLEY_API parley_code parley_request(parley_session* session, const char* body_json,
                                      int timeout_ms, char** reply_json, parley_error** error);
/* Interrupts the running turn and returns when it has ended; its lines are left for parley_next().
 * `cancel_queued` other than 0 also takes back what is queued. `receipt_json`, which may be NULL,
 * gets {"still_queued": [uuids], "cancelled": [uuids], "result": the end of the turn, or null if
 * none was running}. */
PARLEY_API parley_code parley_interrupt(parley_session* session, int cancel_queued,
                                        char** receipt_json, parley_error** error);

/* ---- state --------------------------------------------------------------------------------------
 */

/* The id of the session, for the option `resume`; "" until the agent has told it. The caller frees
 * it with parley_string_free(). NULL if there is no session or no memory. */
PARLEY_API char* parley_session_id(const parley_session* session);
/* The end of what the CLI has written on stderr, at least 16 KiB of it; otherwise as above. */
PARLEY_API char* parley_stderr(const parley_session* session);

#ifdef __cplusplus
}
#endif

#endif /* PARLEY_H */
