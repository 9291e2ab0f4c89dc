import type { Option } from './config.ts';

/** The text of an option: for the help, for the JSON schema, and for the table of the guide. */
interface OptionText {
  /** The placeholder of the value in a flag. */
  readonly value: string;
  readonly means: string;
}

export const OPTION_TEXT: { readonly [option in Option]: OptionText } = {
  images: { value: '<file>', means: 'an image that the prompt speaks of: PNG, JPEG, GIF or WebP; repeatable' },
  loop: {
    value: '<loop>',
    means:
      "'turn', 'iteration' (the default with checks or a strategy), 'ralph', 'improvement', 'contest', or the path of a module with a loop",
  },
  labels: {
    value: '<label>',
    means: 'a label of the task; repeatable: ralph-wiggum or ralph-wiggum-N chooses the Ralph loop, with N iterations',
  },
  completionPromise: {
    value: '<text>',
    means: "with a label: what the agent promises when it is done (default: TASK COMPLETE), or 'none'",
  },
  context: {
    value: '<how>',
    means: "with a label: each iteration begins 'fresh', or has the end of the last conversation: 'continue'",
  },
  adaptiveIterations: {
    value: '<true|false>',
    means: 'with a label: whether the maximum grows while more checks pass, at most to twice as many',
  },
  options: { value: '<json>', means: "what only the loop asks for: an object, for a loop of one's own" },
  outputSchema: {
    value: '<file>',
    means: 'a JSON Schema: the final answer is JSON that fits it, and the model is asked again where it does not',
  },
  model: { value: '<model>', means: 'provider/model, or script:FILE for a scripted one' },
  fallbackModel: { value: '<model>', means: 'who answers where the model cannot' },
  judge: { value: '<model>', means: 'who is asked before a detector ends the run' },
  effort: {
    value: '<how-much>',
    means: "how much the model thinks: 'none', 'minimal', 'low', 'medium', 'high', 'xhigh', or 'default'",
  },
  temperature: { value: '<n>', means: 'from 0 to 2: how much the answers vary, for models that take it' },
  maxAnswerTokens: { value: '<n>', means: "tokens of one answer, what is thought included, or 'none'" },
  providerOptions: { value: '<json>', means: 'by provider: options that only it understands' },
  agent: {
    value: '<name>',
    means:
      'an agent, from a page or shipped: whose words, tools and limits to use (default: Coder); or one of others, such as claude, codex, acp:COMMAND',
  },
  attempts: {
    value: '<n>',
    means: 'so many attempts compete, each in a worktree of its own: the best by evidence is brought into the folder',
  },
  parallel: { value: '<n>', means: 'with attempts: how many of them run at once (default: 2)' },
  agents: {
    value: '<a,b>',
    means: 'with attempts: agents of others, or models, that do them by turns; also --agent several times',
  },
  system: { value: '<text>', means: 'what the model is told before the task, in place of what the agent says' },
  systemAppend: { value: '<text>', means: 'what the model is told at the end of that' },
  instructions: {
    value: '<whose>',
    means:
      "'project' (the default with an agent): AGENTS.md and CLAUDE.md are a part of what the model is told; 'none'",
  },
  tools: { value: '<a,b>', means: 'which tools the model may use' },
  permissions: {
    value: '<rule>',
    means:
      "what calls may do: 'deny shell command=git push', 'ask edit path=docs/**', 'allow * host=*.example.org'; repeatable, the first that fits counts",
  },
  permissionProfile: {
    value: '<profile>',
    means:
      "what calls may do where no rule fits: 'read', 'edit' (commands without walls are asked), or 'all'; the others ask a person",
  },
  hooks: {
    value: '<json>',
    means:
      'commands of yours that run before-tool, after-tool, on a question, on silence or at the end: [{ on, command }]',
  },
  environment: { value: '<A,B>', means: 'variables that commands see beside the usual ones' },
  maxIterations: { value: '<n>', means: "attempts, or 'none'" },
  maxSteps: { value: '<n>', means: "model answers in one attempt, or 'none'" },
  maxToolCalls: { value: '<n>', means: "tool calls in one attempt, or 'none'" },
  maxParallel: { value: '<n>', means: 'tool calls of one answer that run at once: the others are queued' },
  maxTokens: { value: '<n>', means: "tokens in the whole run, or 'none'" },
  maxTime: { value: '<time>', means: "wall time of the whole run: 90s, 30m, 2h, or 'none'" },
  maxCost: { value: '<usd>', means: "US dollars in the whole run, such as 2.50, or 'none'" },
  threadMaxCost: {
    value: '<usd>',
    means: "US dollars in all runs of a thread, each of which continues the one before, or 'none'",
  },
  checks: {
    value: '<command>',
    means: 'a command that must exit with 0, or clean-tree; repeatable; L1:npm test names a level',
  },
  checkTimeout: {
    value: '<time>',
    means: 'how long a check may take: 90s, 5m (default: ten times as long as before any work, at least a minute)',
  },
  ci: { value: '<command>', means: 'a command that asks the CI how it went: strategies are told' },
  strategy: {
    value: '<name>',
    // As `strategyChoice` lists them: the help, which shows this, loads no strategy.
    means: 'when to continue: fixed, hybrid, ralph, or custom:PATH#NAME; with a config as JSON',
  },
  detectors: {
    value: '<a,b>',
    means: "what notices a loop that repeats itself: 'default', 'strict', 'off', or names; -NAME leaves one out",
  },
  polling: {
    value: '<command>',
    means: "a command that may be repeated until it brings news, such as 'gh run *'; repeatable",
  },
  summaryTokens: { value: '<n>', means: 'tokens set aside for a summary by the model where a limit ends the run' },
  stateDirectory: { value: '<folder>', means: 'where to keep loop-state.json and metrics.json, in the workspace' },
  isolate: {
    value: '<where>',
    means: "'worktree': work in a worktree of its own; 'none' (the default): in the folder",
  },
  isolateFrom: {
    value: '<what>',
    means:
      "with isolate worktree: begin with the 'files' as they are (the default), or with those of the commit: 'HEAD'",
  },
  deps: {
    value: '<a,b>',
    means: 'ignored folders that a worktree or a proof gets, by name or path (default: node_modules …)',
  },
  checkIn: {
    value: '<where>',
    means:
      "'proof' (the default with git): checks run in a clean checkout, with the tests of the start; 'workspace': in the folder",
  },
  protect: { value: '<glob>', means: 'files that checks rest on, beside those by convention; repeatable' },
  unprotect: { value: '<glob>', means: 'files that checks do not rest on, against a convention; repeatable' },
  provide: { value: '<path>', means: 'an ignored file or folder that a proof gets, such as .env.test; repeatable' },
  prepare: { value: '<command>', means: 'run in each checkout of a proof before its checks; repeatable' },
  homePaths: { value: '<path>', means: 'a path in the home that checks of a proof may read, such as .aws; repeatable' },
  heldOut: {
    value: '<folder>',
    means: 'a folder outside of the workspace, whose files only the held-out checks get: the agent does not see them',
  },
  heldOutChecks: {
    value: '<command>',
    means: 'a check that runs with the files of --held-out, after the others have passed; repeatable',
  },
  heldOutTells: {
    value: '<what>',
    means: "what the agent is told of held-out checks that fail: their 'count' (the default), 'names', or 'all'",
  },
  allowGrounds: {
    value: '<glob>',
    means: 'tests or configuration whose changes count where the work rests on them, which is then weak; repeatable',
  },
  wait: { value: '', means: 'do not wait for a person who decides about changed tests: such work fails' },
  requireRed: { value: '', means: 'end at once where all checks pass before any work' },
  walls: {
    value: '<how>',
    means: "walls around the checks of a proof: 'try' (the default), 'required', or 'off'",
  },
  control: { value: '<how>', means: "'on' (the default): tests that must fail are added before work counts; 'off'" },
  legs: {
    value: '<which>',
    means:
      "'both' (the default): checks run with the tests of the start, and as the work has them; 'base': the first alone",
  },
  accept: {
    value: '<grade>',
    means: "the lowest grade that ends with status 0: 'verified', also where a check found no planted error, or 'weak'",
  },
  sandbox: {
    value: '<how>',
    means: "walls around the commands of the agent: 'try' (the default), 'required', or 'off'",
  },
  network: {
    value: '<what>',
    means:
      "what commands of the agent reach behind walls: 'registries' (the default: where packages come from), 'none', 'all', or a list with hosts and loopback:PORT",
  },
  sandboxWrite: { value: '<path>', means: 'a path that they may write to beside the workspace; repeatable' },
  sandboxLimits: {
    value: '<limits>',
    means: 'limits of such a command: memory=8gb,processes=4096,file=16gb; of each process, of the user, of each file',
  },
  captureLimit: {
    value: '<size>',
    means:
      'a larger file that git does not track is in no capture, and undo cannot bring it back: 200mb (default: 50mb)',
  },
  webhooks: {
    value: '<url>',
    means:
      'where to report that the run has started, continues and has ended; repeatable; as JSON with a secretVariable',
  },
  graceMs: { value: '<ms>', means: 'how long a stopped run waits for last results' },
  providers: {
    value: '<json>',
    means: 'providers by name: wire, baseUrl, apiKeyVariable, headers, prices, contextTokens',
  },
  mcpServers: {
    value: '<json>',
    means: 'MCP servers whose tools runs get: by name { command, args, env } or { type: "http", url, headers }',
  },
  mcpConfig: { value: '<file>', means: 'a file with MCP servers under mcpServers, beside .mcp.json of the project' },
  log: {
    value: '<address>',
    means: 'the log: sqlite:PATH, memory:, postgres:… or env:NAME (default: .loopfold/log.db of the project)',
  },
  quiet: { value: '', means: 'show nothing of a run while it works but warnings, questions and errors' },
  verbose: { value: '', means: 'show texts to their end, and what calls have said' },
  deltas: { value: '', means: 'with stream-json: also what models and commands say, as they say it' },
  outputFormat: {
    value: '<format>',
    means: 'text, json or stream-json; the last line of both JSON forms is a result object',
  },
};
