// Every word the page says, in English, in one place. Translations (languages/) have the same shape; the one
// that is wanted takes its place before anything is drawn (language.ts).

import { figures } from './text/figures.ts';

const { number, tokens, percent, plural, megabytes } = figures('en');

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
  addBrowser: 'Add a browser',
  newLink: 'Open this in the other browser. It works once.',
  offlineSend: 'Not sent yet; goes out as soon as the connection is back.',

  // Sessions
  sessions: 'Sessions',
  newSession: 'New session',
  openSessions: 'Show sessions',
  closeSessions: 'Hide sessions',
  noSessions: 'No sessions yet.',
  search: 'Search',
  searchSessions: 'Search sessions and messages',
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
    background: 'works in the background',
    offline: 'offline',
  },
  unread: 'has news',
  needsYou: 'Needs you',
  working: 'Working',
  showMoreProjects: (count: number) => plural(count, 'more project', 'more projects'),
  showMoreSessions: (count: number) => `${number.format(count)} more`,
  foundInMessages: (count: number) =>
    count > 0 ? `In messages (${number.format(count)})` : 'Nothing in messages',
  searching: 'Searching messages…',
  waitingElsewhere: (count: number) =>
    plural(count, 'other session needs you', 'other sessions need you'),

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
      ? `Context: ${tokens(used)} of ${tokens(window)} tokens (${percent(used, window)})`
      : `Context: ${tokens(used)} tokens`,
  /** The figure stays what it is when the window becomes known; when it gets tight, that counts. */
  contextShort: (used: number, window: number) =>
    window > 0 && used >= 0.8 * window ? percent(used, window) : tokens(used),
  cost: (usd: number) => (usd < 0.005 && usd > 0 ? '<$0.01' : `$${usd.toFixed(2)}`),
  costLabel: 'Cost of this session',
  addImage: 'Add images',
  badImage: (name: string) => `${name} is no PNG, JPEG, GIF or WebP image.`,
  bigImage: (name: string) => `${name} is too large, also when it is made smaller.`,
  brokenImage: (name: string) => `${name} cannot be read as an image.`,
  completions: 'Suggestions',
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
  toLastPrompt: 'Jump to your last message',
  emptyConversation: 'Nothing here yet. Say what you need.',
  you: 'You',
  thinking: 'Thinking…',
  thought: (seconds: number) => (seconds < 1 ? 'Thought for a moment' : `Thought for ${seconds} s`),
  copy: 'Copy',
  copied: 'Copied',
  showMore: (count: number) => `Show ${plural(count, 'more line', 'more lines')}`,
  toolStates: {
    preparing: 'preparing',
    queued: 'waits its turn',
    running: 'running',
    background: 'in the background',
    asks: 'waits for you',
    denied: 'denied',
    failed: 'failed',
    stopped: 'stopped',
  },
  todoStates: { pending: 'to do', in_progress: 'being done', completed: 'done' },
  showAll: (characters: number) => `Show all (${number.format(characters)} characters)`,
  showLess: 'Show less',
  copyAnswer: 'Copy answer',
  toolUses: (count: number) => plural(count, 'tool use', 'tool uses'),
  links: (count: number) => plural(count, 'link', 'links'),
  cells: (count: number) => plural(count, 'cell', 'cells'),
  cellAdded: 'cell added',
  cellRemoved: 'cell removed',
  /** Many calls in one line. */
  looked: (reads: number, searches: number) =>
    [
      reads ? `Read ${plural(reads, 'file', 'files')}` : '',
      searches ? `${reads ? 'searched' : 'Searched'} ${plural(searches, 'time', 'times')}` : '',
    ]
      .filter(Boolean)
      .join(', '),
  seconds: (ms: number) => {
    const total = Math.round(ms / 1000);
    if (total === 0) return '<1 s';
    if (total < 60) return `${total} s`;
    return total < 3600
      ? `${Math.floor(total / 60)} min ${total % 60} s`
      : `${Math.floor(total / 3600)} h ${Math.floor((total % 3600) / 60)} min`;
  },
  todoList: 'Tasks',
  todoAfter: (others: string) => `after: ${others}`,
  inBackground: 'In the background',
  taskKinds: { agent: 'Subagent', command: 'Command' },
  stopTask: (what: string) => `Stop: ${what}`,
  taskEnded: (kind: 'agent' | 'command', what: string, how: 'completed' | 'failed' | 'stopped') =>
    `${kind === 'agent' ? 'The subagent' : 'The command in the background'}${what ? ` “${what}”` : ''} ` +
    { completed: 'has ended', failed: 'failed', stopped: 'was stopped' }[how],
  wokeBy: (why: string) => `${why}, and the agent goes on`,
  requestLost: (tool: string) => `A question about ${tool} was lost when the agent ended`,
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
  agentAsks: (task: string) => (task ? `asked by the subagent “${task}”` : 'asked by a subagent'),
  outsideFolder: 'This is outside of the folder of the session.',
  editProblems: {
    missing: 'The text to replace is not in the file as it is now: the edit would fail.',
    ambiguous: 'The text to replace is there more than once: the edit would fail.',
  },
  editPlaces: (count: number) => `Changes ${plural(count, 'place', 'places')}.`,
  changeInput: 'Change it first…',
  changeNothing: 'Back to what was asked',
  changedInput: 'What is allowed instead',
  changedInputHint: 'Only what stands here is allowed, once.',
  changedInputInvalid: 'This is nothing that the tool could take.',
  allowChanged: 'Allow this',
  reach: {
    session: 'this session',
    cliArg: 'this session',
    localSettings: 'this project, for you, saved',
    projectSettings: 'this project, for everybody, saved',
    userSettings: 'everywhere, saved',
  } as Record<string, string>,
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
  keysHint: (inside: boolean): string => (inside ? 'The keys are on' : 'Alt+R turns the keys on'),
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
  allowFolder: (folders: string) => `Allow changes in ${folders}`,
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
  settings: 'Settings',
  language: 'Language',
  languageOfSystem: 'As the browser',
  notifications: 'Notifications',
  notificationsOn: 'Tell me while the page is hidden',
  version: (version: string) => `Parley ${version}`,
  error: 'Something went wrong',
  dismiss: 'Dismiss',
  skipToMessage: 'Skip to the message field',

  // Palette, help
  palette: 'Commands',
  palettePlaceholder: 'What do you want to do?',
  help: 'Keys and help',
  goToRequest: 'Go to what the agent asks',
  goToMessage: 'Go to the message field',
  stopTurn: 'Stop the turn',
  renameSession: 'Rename session',
  removeSession: 'Delete session',
  keysTitle: 'Keys',
  commandsTitle: 'Commands of the agent',
  agentsTitle: 'Subagents',
  toolsTitle: 'Tools',
  skillsTitle: 'Skills',
  pluginsTitle: 'Plugins',
  versionsTitle: 'Versions',
  agentVersion: (command: string, version: string) => `${command} ${version}`,
  notLoaded: 'A part of the page could not be loaded. Reload the page.',
  keyList: [
    ['Ctrl+K, ⌘K', 'everything, by name'],
    ['Enter, Shift+Enter', 'send, new line'],
    ['Up, Down in the empty field', 'what you sent before'],
    ['/, @', 'commands at the beginning of a message, files anywhere in it'],
    ['Alt+R', 'go into the request that waits'],
    ['y, n, 1 … 9', 'inside of a request: allow, deny, choose'],
    ['Esc', 'close, clear, deny, stop: the first of them that applies'],
    ['Alt+N', 'new session'],
    ['Alt+S', 'search sessions and messages'],
    ['Alt+P', 'the panel at the right'],
    ['Alt+↑, Alt+↓', 'your last message, the end'],
    ['/', 'outside of a field: go to the message field'],
    ['?', 'outside of a field: this list'],
  ] as [string, string][],

  // Notifications, copies
  notifyOn: 'Notify me when a session needs me or has finished',
  notifyOff: 'Notify me no more',
  notifyAsks: 'needs an answer',
  notifyEnded: 'has finished its turn',
  notifyFailed: 'has failed',
  fork: 'Fork from here',
  forkBefore: 'Fork before this',
  rewind: 'Restore files…',
  rewindImpossible: 'The agent cannot put files back to this point.',
  rewindNothing: 'No file has changed since then.',
  rewindConfirm: 'Restore',
  confirmRewind: (files: string[]) =>
    `Put ${plural(files.length, 'file', 'files')} back to before this message? ` +
    `Changes made since then are lost: ${files.slice(0, 8).join(', ')}${files.length > 8 ? ', …' : ''}`,
  rewound: (count: number) => `${plural(count, 'file was', 'files were')} put back.`,
  exports: {
    markdown: 'Export as Markdown',
    html: 'Export as HTML',
    jsonl: 'Export as JSON lines',
  },

  // The panel at the right
  details: 'Details',
  closeSide: 'Close details',
  showTab: (tab: string) => `Show: ${tab}`,
  tabs: { changes: 'Changes', work: 'Work', context: 'Context', mcp: 'MCP', files: 'Files' },
  noChanges: 'This session has changed no files.',
  changesOf: (count: number, added: number, removed: number) =>
    `${plural(count, 'file', 'files')}, +${number.format(added)} −${number.format(removed)}`,
  byTurn: 'By turn',
  onlyLoaded: 'Earlier turns are not loaded; scroll up to see them here, too.',
  noWork: 'Nothing to do, and nothing runs beside the conversation.',
  runningTasks: 'Running',
  contextTitle: 'Context',
  contextTight: 'It is almost full: /compact makes room',
  notRunning: 'The agent does not run; it is asked when it does.',
  costByTurn: 'Cost by turn',
  modelTokens: (usage: {
    inputTokens?: number;
    outputTokens?: number;
    cacheReadInputTokens?: number;
  }) =>
    `${tokens(usage.inputTokens ?? 0)} in, ${tokens(usage.outputTokens ?? 0)} out, ` +
    `${tokens(usage.cacheReadInputTokens ?? 0)} from the cache`,
  noMcp: 'This session has no MCP servers.',
  mcpStates: {
    connected: 'connected',
    failed: 'failed',
    'needs-auth': 'needs a sign-in',
    pending: 'connecting',
    disabled: 'off',
  } as Record<string, string>,
  mcpTools: (count: number) => plural(count, 'tool', 'tools'),
  mcpReconnect: 'Reconnect',
  mcpEnable: 'Turn on',
  mcpDisable: 'Turn off',
  findFile: 'Find a file',
  mention: 'Name it in the message',

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

/** What a translation has: all but what is the same everywhere, and what is said to agents. */
export type Translation = Omit<
  typeof words,
  'product' | 'demoPrompts' | 'cost' | 'defaultDenial' | 'stopDenial' | 'skipped'
>;
