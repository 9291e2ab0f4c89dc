import { shellWords } from '../../text/shell-words.ts';

type CommandLine = readonly string[];

/** Calls that the help of a verb ends with. A test parses each. */
export const EXAMPLES: Readonly<Record<string, readonly CommandLine[]>> = {
  demo: [['demo']],
  run: [
    ['run', '-m', 'openai/gpt-5', '--verify', 'L0:npm run lint', '--verify', 'L1:npm test', 'Make the tests pass.'],
    ['run', '--label', 'ralph-wiggum-5', '--verify', 'npm test', 'Make the tests pass.'],
    ['run', '-m', 'openai/gpt-5', '--verify', 'npm test', '--dry-run', 'Make the tests pass.'],
    ['run', '--continue', 'Now also update the README.'],
    ['run', '--prompt-file', 'TASK.md', '--strategy', 'hybrid', '--max-cost', '2.50', '--max-time', '30m'],
  ],
  improve: [
    ['improve', '-m', 'openai/gpt-5', '--verify', 'npm test'],
    ['improve', '-m', 'openai/gpt-5', '--verify', 'npm test', '--approval', 'The parser.'],
    ['improve', '--report'],
  ],
  submit: [
    ['submit', '--log', 'env:RUNS_DB', 'Make the tests pass.'],
    [
      'submit',
      '--log',
      'env:RUNS_DB',
      '--key',
      'customer-7',
      '--at-once',
      '2',
      '--max-cost',
      '2.50',
      'Fix the parser.',
    ],
  ],
  work: [['work', '--log', 'env:RUNS_DB', '-m', 'openai/gpt-5', '--verify', 'npm test', '--isolate', 'worktree']],
  queue: [['queue', '--log', 'env:RUNS_DB']],
  requeue: [['requeue', '4f2a91c0']],
  resume: [['resume', '--last']],
  extend: [['extend', '--last', '--max-iterations', '6']],
  inbox: [['inbox'], ['inbox', '--newest', '--json']],
  answer: [['answer', '--last', 'The second one.']],
  approve: [['approve', '--last', '--reason', 'It holds no secrets.']],
  deny: [['deny', '--last', '--reason', 'Use the copy in docs.']],
  steer: [['steer', '--last', 'Leave the public API as it is.']],
  pause: [['pause', '--last']],
  abort: [['abort', '--last', '--reason', 'The task has changed.']],
  config: [
    ['config', '--origin'],
    ['config', '--models'],
  ],
  grounds: [['grounds'], ['grounds', '--verify', 'npm test', '--protect', 'checks', '--all']],
  runs: [['runs', '--limit', '50']],
  show: [['show', '--last']],
  events: [['events', '--last', '--follow']],
  rebuild: [['rebuild', '--last', '--at', '16']],
  diff: [
    ['diff', '--last', '--stat'],
    ['diff', '4f2a91c0', '--iteration', '2'],
  ],
  apply: [
    ['apply', '--last'],
    ['apply', '--last', '--branch', 'fix-the-tests'],
  ],
  undo: [['undo', '--last']],
  mcp: [['mcp', '-m', 'openai/gpt-5', '--verify', 'npm test']],
  acp: [['acp', '-m', 'openai/gpt-5', '--verify', 'npm test']],
  deliver: [['deliver']],
  machine: [['machine'], ['machine', '--last', '--format', 'svg']],
  studio: [['studio'], ['studio', '--read-only']],
  export: [
    ['export', '--last', '--as', 'markdown'],
    ['export', '4f2a91c0', '--as', 'html', '--to', 'run.html'],
  ],
  serve: [
    ['serve', '--port', '4610'],
    ['serve', '--read-only'],
  ],
  new: [['new', 'loop', 'my-loop']],
  check: [['check'], ['check', '4f2a91c0', 'recorded/']],
  prove: [['prove'], ['prove', '4f2a91c0', '--json']],
  gc: [['gc', '--dry-run'], ['gc']],
  copy: [['copy', '--to', 'env:RUNS_DB']],
  redecide: [['redecide', '--last', '--strategy', 'hybrid', '--strategy', 'fixed']],
};

/** The examples of a verb, as text below its help. */
export function exampleText(verb: string, examples: readonly CommandLine[] = EXAMPLES[verb] ?? []): string {
  const lines = examples.map((words) => `  ${shellWords(['loopfold', ...words])}`);
  return lines.length === 0 ? '' : `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${lines.join('\n')}`;
}
