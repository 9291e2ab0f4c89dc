import type { Script } from '../../src/actors/model/script.ts';
import type { RunOptions } from '../../src/config/options.ts';

/** A run that a process can play, be killed in and take up again: all of it is data. */
export interface Scenario {
  readonly files: Readonly<Record<string, string>>;
  readonly options: Omit<RunOptions, 'directory'>;
  readonly script: Script;
  /** The answers of delegates, by their task. */
  readonly handedOver?: Readonly<Record<string, Script>>;
  /** The run is aborted as soon as a tool has printed this. */
  readonly abortAt?: string;
  /** The process leaves the run as soon as only a person can go on. */
  readonly leavesWhenAsked?: boolean;
}

const call = (tool: string, args: Record<string, string>) => ({ tool, arguments: args });
const shell = (command: string) => call('shell', { command });

const CHECK = 'if test "$(cat sum.txt)" != 3; then echo "sum.txt should say 3, it says $(cat sum.txt)"; exit 1; fi';

/** Every kind of tool, alone and side by side; two failed verifications, then success. */
const fixing: Scenario = {
  files: { 'sum.txt': '1', 'notes.txt': 'a: 1\nb: 2\n', 'lib/add.txt': '+' },
  options: { prompt: 'Make sum.txt right.', checks: [`L1:${CHECK}`], maxIterations: 5 },
  script: {
    attempts: [
      {
        answers: [
          {
            text: 'I look around, and write down what I see.',
            calls: [
              call('read', { path: 'notes.txt' }),
              call('write', { path: 'seen.txt', content: 'a and b' }),
              // Not where the call beside it writes: the order of the two is undefined.
              call('list', { path: 'lib' }),
            ],
          },
          { calls: [shell('echo first >> trace.txt; wc -c < notes.txt')] },
          { text: 'It should be fine as it is.' },
        ],
      },
      {
        answers: [
          { calls: [call('edit', { path: 'sum.txt', oldText: '1', newText: '2' }), shell('echo second >> trace.txt')] },
          { text: 'That should do.', calls: [call('finish', { answer: 'It is two.' })] },
        ],
      },
      {
        answers: [
          {
            calls: [
              call('edit', { path: 'sum.txt', oldText: '2', newText: '3' }),
              call('write', { path: 'log/done.txt', content: 'three' }),
              shell('echo third >> trace.txt'),
            ],
          },
          { text: 'Now it is three.' },
        ],
      },
    ],
  },
};

const promised = '<promise>TASK COMPLETE</promise>';

/** A promise without passing checks, one with them; the state file lies beside the work. */
const ralph: Scenario = {
  files: { 'sum.txt': '1' },
  options: { prompt: 'Make sum.txt right.', checks: [`L1:${CHECK}`], labels: ['ralph-wiggum-4'] },
  script: {
    attempts: [
      { answers: [{ calls: [shell('echo 2 > sum.txt; echo first >> trace.txt')] }, { text: promised }] },
      { answers: [{ calls: [shell('echo 3 > sum.txt; echo second >> trace.txt')] }, { text: promised }] },
      // Where a crash has cut off the second.
      { answers: [{ calls: [shell('echo 3 > sum.txt')] }, { text: promised }] },
      { answers: [{ text: promised }] },
    ],
  },
};

const busy: Scenario = {
  files: { 'sum.txt': '1' },
  options: { prompt: 'Take your time.', checks: ['true'], graceMs: 10_000 },
  script: {
    answers: [
      { calls: [shell('echo started >> trace.txt; echo started; while true; do sleep 0.1; done')] },
      { text: 'This is never requested.' },
    ],
  },
};

/** A question beside other calls, and once it was answered, work that is proven. */
const asking: Scenario = {
  files: { 'notes.txt': 'a: 1\n' },
  options: { prompt: 'Ask first.', checks: ['L1:test -e trace.txt'], maxIterations: 3 },
  script: {
    answers: [
      {
        calls: [
          call('read', { path: 'notes.txt' }),
          call('ask_user', { question: 'Tabs?' }),
          shell('echo asked >> trace.txt'),
        ],
      },
      { calls: [shell('echo answered >> trace.txt')] },
      { text: 'As you say.' },
    ],
  },
};

const part = (name: string): Script => ({
  answers: [
    { calls: [shell(`echo ${name} >> trace.txt`), call('read', { path: 'notes.txt' })] },
    { text: `${name} is done.` },
  ],
});

/** Work delegated in three parallel parts; one of them delegates a part of its own. */
const delegating: Scenario = {
  files: { 'notes.txt': 'a: 1\n' },
  options: { prompt: 'Share the work.', loop: 'turn', tools: ['delegate', 'shell', 'read'], maxTokens: 1_000_000 },
  script: {
    answers: [
      { calls: ['north', 'south', 'east'].map((task) => call('delegate', { task })) },
      { text: 'All parts are done.' },
    ],
  },
  handedOver: {
    north: part('north'),
    south: part('south'),
    east: { answers: [{ calls: [call('delegate', { task: 'far east' })] }, { text: 'east is done.' }] },
    'far east': part('far-east'),
  },
};

export const scenarios = {
  delegating,
  fixing,
  ralph,
  asking: { ...asking, leavesWhenAsked: true },
  attended: asking,
  aborted: { ...busy, abortAt: 'started' },
  overdue: { ...busy, options: { ...busy.options, maxTime: 2_500 } },
} as const satisfies Record<string, Scenario>;

export type ScenarioName = keyof typeof scenarios;
