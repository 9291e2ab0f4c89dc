import type { Random } from '../random.ts';
import type { Family, Said } from '../telling.ts';
import { times } from '../telling.ts';
import { path, paths, symbol } from '../things.ts';
import {
  edits,
  exits,
  invents,
  missing,
  nothingFound,
  reads,
  runs,
  searches,
  source,
  step,
  stuck,
} from './transcript.ts';

const ROOTS = ['src', 'lib', 'app', 'packages/core/src', 'server', 'internal', 'config', 'core'];
const TAX_FAILS = 'FAIL test/total.test.ts > adds the tax\nexpected 119 to be 120\nTests: 1 failed, 57 passed';
const FLAGS = ['-n', '-in', '--hidden -n', '-uu'];
const NAMES = ['settings', 'config', 'options', 'environment', 'defaults', 'constants'];
const ENDINGS = ['ts', 'js', 'json', 'yaml', 'yml', 'py'];
const guess = (random: Random): string => `${random.one(ROOTS)}/${random.one(NAMES)}.${random.one(ENDINGS)}`;

const WORDS = [
  'retryPolicy',
  'backoff',
  'maxAttempts',
  'RETRY_LIMIT',
  'attemptCount',
  'retries',
  'tryAgain',
  'withRetry',
  'shouldRetry',
  'jitter',
  'exponential',
  'giveUp',
];

/** Files that are not there, searches that find nothing, edits that change nothing. */
export const stuckFiles: readonly Family[] = [
  stuck({
    story: 'opens files that are not there, one after the other',
    count: 3,
    goes: (random) => times(random.from(13, 22), () => step(random, missing(guess(random)))),
  }),
  stuck({
    story: 'looks for a file with read, cat and ls, and none is there',
    count: 3,
    goes: (random) =>
      times(random.from(14, 24), (): Said => {
        const file = guess(random);
        return step(
          random,
          random.one([
            missing(file),
            exits(`cat ${file}`, `cat: ${file}: No such file or directory`, 1),
            exits(
              `ls -la ${file.slice(0, file.lastIndexOf('/'))}`,
              `ls: cannot access '${file}': No such file or directory`,
              2,
            ),
          ]),
        );
      }),
  }),
  stuck({
    story: 'opens missing files, with a list of the folder now and then',
    count: 2,
    goes: (random) =>
      times(random.from(18, 30), (index) =>
        index % 8 === 7
          ? step(random, { tool: 'list', arguments: { path: random.one(ROOTS) }, output: 'index.ts\nmain.ts' })
          : step(random, missing(guess(random))),
      ),
  }),
  stuck({
    story: 'calls tools that this run does not have',
    count: 3,
    goes: (random) =>
      times(random.from(9, 24), () =>
        step(
          random,
          random.one([
            invents('web_search', { query: `${symbol(random)} ${random.one(['example', 'docs', 'error'])}` }),
            invents('str_replace_editor', { command: 'view', path: path(random) }),
            invents('apply_patch', { patch: `*** Update File: ${path(random)}` }),
            invents('python', { code: `print(${random.from(1, 99)})` }),
            invents('browser.open', { url: `https://example.com/${random.from(1, 99)}` }),
          ]),
        ),
      ),
  }),
  stuck({
    story: 'calls one tool that does not exist, and a real one between',
    count: 2,
    goes: (random) =>
      times(random.from(18, 28), (index) => {
        const file = path(random);
        return index % 6 === 5
          ? step(random, reads(file, source(random, file)))
          : step(
              random,
              invents(random.one(['bash', 'terminal', 'run_command']), {
                command: random.one(['npm test', 'ls', 'git diff', 'npm run build']),
              }),
            );
      }),
  }),
  stuck({
    story: 'searches with one word after the other, and nothing is found',
    count: 3,
    goes: (random) => {
      const words = random.some(WORDS, 5);
      return times(random.from(26, 32), (index) =>
        step(
          random,
          nothingFound(`${random.one(words)}${index % 3 === 0 ? '' : random.one(['\\(', '\\b', '.*=', ' ='])}`),
        ),
      );
    },
  }),
  stuck({
    story: 'searches with rg in the shell, wider each time, and finds nothing',
    count: 2,
    goes: (random) => {
      const words = random.some(WORDS, 4);
      const roots = random.some(ROOTS, 3);
      return times(random.from(28, 34), (index) =>
        step(random, exits(`rg ${random.one(FLAGS)} "${random.one(words)}" ${random.one(roots)} # ${index}`, '', 1)),
      );
    },
  }),
  stuck({
    story: 'searches in three ways, and none of them finds anything',
    count: 3,
    goes: (random) => {
      const words = random.some(WORDS, 4);
      const roots = random.some(ROOTS, 3);
      return times(random.from(30, 36), (): Said => {
        const word = random.one(words);
        return step(
          random,
          random.one([
            nothingFound(word),
            exits(`grep -rn "${word}" ${random.one(roots)}`, '', 1),
            { tool: 'glob', arguments: { pattern: `**/*${word}*` }, output: '[no file fits]' },
          ]),
        );
      });
    },
  }),
  stuck({
    story: 'changes only white space, and the test fails as before',
    count: 3,
    goes: (random) => {
      const file = path(random);
      const line = `return total * ${random.from(2, 9)};`;
      return times(random.from(14, 22), (index): Said[] => [
        step(random, edits(file, `${' '.repeat(index % 5)}${line}`, `${' '.repeat((index + 1) % 5)}${line}`)),
        step(random, exits('npm test', `${TAX_FAILS}\nDuration ${random.from(300, 900)} ms`, 1)),
      ]).flat();
    },
  }),
  stuck({
    story: 'adds and removes blank lines and comments, and looks at the file again',
    count: 2,
    goes: (random) => {
      const file = path(random);
      const text = source(random, file);
      return times(random.from(14, 20), (index): Said[] => [
        step(random, edits(file, index % 2 ? '// note\n' : '\n', index % 2 ? '\n' : `// note\n`)),
        step(random, reads(file, text)),
      ]).flat();
    },
  }),
  stuck({
    story: 'writes its list of tasks anew, in other words, and does none of them',
    count: 3,
    traits: { todo_write: { writes: true, replaces: true } },
    goes: (random) => {
      const items = [
        'Find the cause',
        'Understand the failure',
        'Locate the bug',
        'Write a test',
        'Add coverage',
        'Fix the code',
        'Apply the fix',
        'Verify',
        'Run all tests',
        'Review the diff',
      ];
      return times(random.from(14, 26), (index) =>
        step(random, {
          tool: 'todo_write',
          arguments: {
            todos: random
              .some(items, random.from(3, 6))
              .map((item, at) => `${at + 1}. [ ] ${item}`)
              .join('\n'),
          },
          output: `Todos have been modified successfully.${index % 2 ? '' : ' Proceed with the current tasks.'}`,
        }),
      );
    },
  }),
  stuck({
    story: 'edits a text that is not in the file, and reads it again before each try',
    count: 3,
    goes: (random) => {
      const file = path(random);
      const text = source(random, file);
      return times(random.from(12, 24), (index): Said[] => [
        step(random, {
          tool: 'edit',
          arguments: {
            path: file,
            oldText: `  return ${symbol(random)}(input) * ${random.from(2, 900)};`,
            newText: `  return ${index};`,
          },
          fails: `${file}: oldText does not occur in it. Read the file again and give the text exactly`,
        }),
        step(random, reads(file, text)),
      ]).flat();
    },
  }),
  stuck({
    story: 'reads file after file that it has read, in no order',
    count: 2,
    goes: (random) => {
      const files = paths(random, random.from(4, 6));
      const texts = new Map(files.map((file) => [file, source(random, file)]));
      return times(random.from(34, 48), () => {
        const file = random.one(files);
        return step(random, reads(file, texts.get(file) ?? ''));
      });
    },
  }),
  stuck({
    story: 'searches, finds the same line, and searches for it in other words',
    count: 2,
    goes: (random) => {
      const found = `${path(random)}:${random.from(3, 80)}: export const ${random.one(WORDS)} = 3;`;
      const words = random.some(WORDS, 4);
      return times(random.from(25, 32), () =>
        step(random, searches(`${random.one(words)}|${random.one(words)}.*${random.from(1, 4)}`, found)),
      );
    },
  }),
  stuck({
    story: 'starts the server anew, and the port is taken, each time',
    count: 2,
    goes: (random) => {
      const port = random.one([3000, 5173, 8000]);
      return times(random.from(13, 20), (index) =>
        step(
          random,
          exits(
            random.one([
              `PORT=${port} npm start`,
              `npm run dev -- --port ${port}`,
              `node server.js --port ${port} --try ${index}`,
              `npx serve -l ${port}`,
            ]),
            `Error: listen EADDRINUSE: address already in use :::${port}\n    at pid ${random.from(1_000, 9_000)}`,
            1,
          ),
        ),
      );
    },
  }),
  stuck({
    story: 'runs one script with other arguments and gets the same usage',
    count: 2,
    goes: (random) =>
      times(random.from(17, 24), (index) =>
        step(
          random,
          runs(
            `node scripts/migrate.js ${random.one(['up', 'run', 'apply', '--all', '-v', 'latest', '--to'])} ${index}`,
            'usage: migrate <plan.json>',
          ),
        ),
      ),
  }),
];
