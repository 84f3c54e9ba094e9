// Every word the page says, in one place, so that it can be translated.

const number = new Intl.NumberFormat('en');

function tokens(count: number): string {
  return count >= 1000 ? `${number.format(Math.round(count / 1000))}k` : number.format(count);
}

function plural(count: number, one: string, many: string): string {
  return `${number.format(count)} ${count === 1 ? one : many}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export const words = {
  product: 'Parley',
  tokens,

  // Connection
  connecting: 'Connecting…',
  reconnecting: 'Connection lost. Trying again; nothing is lost.',
  refused: 'This link is no longer valid. Open the address that parley serve has printed.',
  signIns: 'Browsers',
  thisBrowser: 'this one',
  lastUsed: (when: string) => `last used ${when}`,
  unknownBrowser: 'Unknown browser',
  signOut: 'Sign out',
  endSignIn: 'End',
  closeDialog: 'Close',
  offlineSend: 'Not sent yet; goes out as soon as the connection is back.',

  // Sessions
  sessions: 'Sessions',
  newSession: 'New session',
  openSessions: 'Show sessions',
  closeSessions: 'Hide sessions',
  noSessions: 'No sessions yet.',
  searchSessions: 'Search sessions',
  nothingFound: 'Nothing found.',
  untitled: 'New conversation',
  rename: 'Rename',
  remove: 'Delete',
  save: 'Save',
  cancel: 'Cancel',
  end: 'End session',
  moreActions: 'More actions',
  confirmRemove: (title: string) => `Delete “${title}”? Its log goes with it.`,
  askTitle: 'Name of the session',
  waitingCount: (count: number) => plural(count, 'question waits', 'questions wait'),
  states: {
    starting: 'starting',
    idle: 'idle',
    running: 'working',
    waiting: 'needs an answer',
    ended: 'ended',
    failed: 'failed',
    stored: 'on disk',
  },

  // New session
  newTitle: 'What shall we work on?',
  folder: 'Folder',
  folderUp: 'Up',
  chooseFolder: 'Choose folder',
  noFolders: 'No folders inside.',
  model: 'Model',
  mode: 'Permissions',
  defaultModel: 'Default model',
  start: 'Start',
  starting: 'Starting…',
  firstPrompt: 'Describe a task, or ask about this folder…',
  demo: 'Demo',
  demoTitle: 'This is the demo.',
  demoText:
    'A small scripted model answers; its tools, files and permissions are real, in a scratch folder. ' +
    'To work with a real model, install an agent CLI or set an API key, then start parley serve again.',
  demoPrompts: [
    'List the files',
    'Edit a file',
    'Run `ls -l | head`',
    'Ask me something',
    'Make a plan',
    'Make a todo list',
    'Think about it',
    'Show a table and code',
    'Show me an image',
    'Give me a long answer',
    'Fail at something',
    'Show me an API error',
  ],

  // Modes
  modes: {
    default: 'Ask first',
    acceptEdits: 'Accept edits',
    plan: 'Plan only',
    dontAsk: 'Deny unless allowed',
    auto: 'Auto',
    bypassPermissions: 'Allow everything',
  } as Record<string, string>,

  // Composer
  message: 'Message',
  placeholder: 'Message the agent…',
  placeholderBusy: 'Queue a message…',
  placeholderEnded: 'Send a message to resume…',
  send: 'Send',
  stop: 'Stop',
  stopHint: 'Stop (Esc)',
  queued: 'Queued',
  unsent: 'Unsent',
  takeBack: 'Take back',
  /** A window of 0 is not known yet. */
  context: (used: number, window: number) =>
    window > 0
      ? `Context: ${tokens(used)} of ${tokens(window)} tokens (${Math.round((used / window) * 100)} %)`
      : `Context: ${tokens(used)} tokens`,
  contextShort: (used: number, window: number) =>
    window > 0 ? `${Math.round((used / window) * 100)} %` : `${tokens(used)} tokens`,
  cost: (usd: number) => (usd < 0.005 && usd > 0 ? '<$0.01' : `$${usd.toFixed(2)}`),
  costLabel: 'Cost of this session',
  addImage: 'Add images',
  badImage: (name: string) => `${name} is no PNG, JPEG, GIF or WebP image.`,
  bigImage: (name: string) => `${name} is larger than 5 MB.`,
  removeImage: 'Remove image',
  /** Before it is sent: nothing of it is lost. */
  tooLarge: (bytes: number, most: number) =>
    `This message has ${megabytes(bytes)}, and the server takes ${megabytes(most)}. ` +
    'Leave something out, or put it into a file.',
  refusedAsTooLarge: 'The server does not take a message of this size.',
  notKept:
    'This is too long to be kept in the browser: it is lost if you close or reload the page.',
  image: 'Image',

  // Transcript
  conversation: 'Conversation',
  loading: 'Loading…',
  loadOlder: 'Load earlier messages',
  toBottom: 'Jump to the end',
  emptyConversation: 'Nothing here yet. Say what you need.',
  you: 'You',
  thinking: 'Thinking…',
  thought: (seconds: number) => (seconds < 1 ? 'Thought for a moment' : `Thought for ${seconds} s`),
  copy: 'Copy',
  copied: 'Copied',
  showMore: (count: number) => `Show ${plural(count, 'more line', 'more lines')}`,
  running: 'running',
  failed: 'failed',
  stopped: 'stopped',
  preparing: 'preparing',
  asks: 'waits for you',
  denied: 'denied',
  deniedTools: { AskUserQuestion: 'not answered', ExitPlanMode: 'sent back' } as Record<
    string,
    string
  >,
  exitCode: (code: number) => `exit ${code}`,
  noOutput: '(no output)',
  created: 'created',
  lines: (count: number) => plural(count, 'line', 'lines'),
  files: (count: number) => plural(count, 'file', 'files'),
  input: 'Input',
  output: 'Output',
  remoteImage: (alt: string, host: string) => `Image${alt ? `: ${alt}` : ''} (${host})`,
  turnFiles: 'Changed files',
  turnDone: (seconds: string, cost: string) => `${seconds} · ${cost}`,
  turnFailed: 'The turn failed',
  agentFailed: 'The agent process ended unexpectedly',
  exitDetail: (code: number | null | undefined, signal: string | number | null | undefined) =>
    signal ? `It was ended by signal ${signal}.` : `Its exit code was ${code ?? 'unknown'}.`,
  ended: (reason: string) => `Ended: ${reason}`,
  resume: 'Resume',
  resumeLine: {
    stored: 'This session is on disk. Send a message, or resume it.',
    ended: 'This session has ended. Send a message, or resume it.',
    failed: 'The agent does not run. Send a message, or resume it.',
  },
  interrupted: 'Interrupted',
  cleared: 'Conversation cleared',
  compacted: (before?: number, after?: number) =>
    before && after
      ? `Context compacted, ${tokens(before)} → ${tokens(after)} tokens`
      : 'Context compacted',
  retrying: (attempt: number, most: number, error: string) =>
    `The model did not answer (${error}); attempt ${attempt}${most ? ` of ${most}` : ''}`,
  unknownError: 'unknown error',
  hookFailed: (name: string, text: string) => `Hook ${name} failed${text ? `: ${text}` : ''}`,
  leftOut: (reason: string, detail?: string, beginning?: string) => {
    const what =
      reason === 'earlier'
        ? 'Earlier messages of this conversation were not taken over'
        : reason === 'too_long'
          ? 'A message of the agent was too long and is left out'
          : reason === 'damaged'
            ? 'A part of the record of this session is damaged and cannot be shown'
            : reason === 'forgotten'
              ? 'The agent goes on without what was said before'
              : 'Something the agent said could not be read and is left out';
    return `${what}${detail ? ` (${detail})` : ''}${beginning ? `: ${beginning}…` : ''}`;
  },
  beginningGone: 'The beginning of this session is no longer kept',
  deniedByRule: (tool: string) => `${tool} was denied by a rule`,

  // Requests
  requests: 'Waiting for you',
  allowTool: (tool: string) => `Allow ${tool}?`,
  agentAsks: 'asked by a subagent',
  blockedPath: (path: string) => `Touches ${path}`,
  allow: 'Allow',
  deny: 'Deny',
  denyPlaceholder: 'Tell the agent what to do instead…',
  denyWords: 'Deny with words…',
  denySend: 'Deny and say this',
  back: 'Back',
  denyStop: 'Deny and stop',
  defaultDenial: 'The user does not want this.',
  stopHere: 'Stop here',
  stopDenial: 'The user wants you to stop here.',
  /** `inside`: the keys answer now. */
  keysHint: (inside: boolean) => (inside ? 'The keys are on' : 'Alt+R turns the keys on'),
  moreBelow: (count: number) => `↓ ${plural(count, 'more line', 'more lines')} below`,
  allSeen: 'That is all of it',
  blankLinesFolded: (count: number) => `⋯ ${plural(count, 'blank line', 'blank lines')} ⋯`,
  writeAsked: 'Looking whether the file exists…',
  writeUnknown: 'Whether this replaces a file could not be found out.',
  writeNoFile: 'There is something else than a file of this name.',
  writeCreates: (after: number) => `Creates a file of ${plural(after, 'line', 'lines')}.`,
  /** `before` is null for a file that is too long to count. */
  writeReplaces: (before: number | null, bytes: number, after: number) =>
    `Replaces the whole file: ${
      before === null ? megabytes(bytes) : plural(before, 'line', 'lines')
    } now, ${number.format(after)} afterwards.`,
  requestOf: (index: number, count: number) => `${index} of ${count}`,
  nextRequest: 'Next request',
  alwaysRule: (rule: string) => `Always allow ${rule}`,
  alwaysTool: (tool: string) => `Always allow ${tool}`,
  allowFolder: (folders: string) => `Allow ${folders} for this session`,
  switchMode: (mode: string) => `Allow, and switch to “${mode}”`,
  otherSuggestion: (type: string) => `Allow, with ${type}`,
  answerQuestions: 'The agent asks',
  otherAnswer: 'Something else…',
  submit: 'Answer',
  skip: 'Do not answer',
  skipped: 'The user did not answer.',
  planReady: 'Plan',
  approvePlan: 'Approve',
  approvePlanEdits: 'Approve, and accept edits',
  sendBack: 'Keep planning…',
  sendBackPlaceholder: 'What should change in the plan?',
  sendBackSend: 'Send back',
  sending: 'Sending…',

  // Tools
  toolNames: {
    Task: 'Agent',
    AskUserQuestion: 'Question',
    EnterPlanMode: 'Plan mode',
    ExitPlanMode: 'Plan',
    TodoWrite: 'Tasks',
    WebFetch: 'Fetch',
    WebSearch: 'Search',
    NotebookEdit: 'Notebook',
  } as Record<string, string>,

  // Page
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  version: (version: string) => `Parley ${version}`,
  error: 'Something went wrong',
  dismiss: 'Dismiss',
  skipToMessage: 'Skip to the message field',

  // Announcements for screen readers
  sayTurnEnded: 'The agent has finished.',
  sayRequest: (tool: string) => `The agent asks for permission to use ${tool}.`,
  sayQuestion: 'The agent asks a question.',
  sayPlan: 'The agent has a plan to approve.',
  sayFailed: 'The agent failed.',
  sayReconnected: 'Connected again.',

  justNow: 'now',
  minutes: (count: number) => `${count} min`,
  hours: (count: number) => `${count} h`,
  days: (count: number) => `${count} d`,
};
