// Over 300 lines because each story is written out call by call.
import { asks, edit, failing, grep, path, paths, read, shell, symbol, testsFail } from '../things.ts';
import { calling, done, type Family, times, turn } from '../telling.ts';

const D0 = 'identical-calls';
const POLLING = { check_deployment: { polling: true }, wait_for_job: { polling: true } } as const;

/** The same call, over and over. */
export const identicalCalls: readonly Family[] = [
  {
    detector: D0,
    label: 'loop',
    story: 'reads one file again and again',
    count: 5,
    tell: (random) => {
      const file = path(random);
      return turn(`Explain ${file}.`, [
        ...times(random.from(3, 7), () => calling(read(file))),
        done('It exports one constant.'),
      ]);
    },
  },
  {
    detector: D0,
    label: 'loop',
    story: 'runs a command that fails, unchanged',
    count: 4,
    tell: (random) => {
      const command = random.one(['npm test', 'make build', 'cargo check', 'pytest -q']);
      return turn('Make the build pass.', [
        ...times(random.from(3, 6), (n) => calling(failing(command, `exit code 1 after ${n + 2} s`))),
        done('It does not build.'),
      ]);
    },
  },
  {
    detector: D0,
    label: 'loop',
    story: 'searches for what is not there',
    count: 4,
    tell: (random) => {
      const name = symbol(random);
      return turn(`Where is ${name} called?`, [
        ...times(random.from(3, 8), () => calling(grep(name, 'no matches'))),
        done('Nowhere.'),
      ]);
    },
  },
  {
    detector: D0,
    label: 'loop',
    story: 'tries one edit that never fits',
    count: 4,
    tell: (random) => {
      const [file, name] = [path(random), symbol(random)];
      const call = {
        tool: 'edit',
        arguments: { path: file, find: `${name}()`, replace: `${name}(true)` },
        fails: `${file}: the text to find occurs nowhere`,
      };
      return turn(`Pass true to ${name}.`, [
        ...times(random.from(3, 5), () => calling(call)),
        done('The text is not there.'),
      ]);
    },
  },
  {
    detector: D0,
    label: 'loop',
    story: 'says something new each time and calls the same',
    count: 4,
    tell: (random) => {
      const folder = path(random).split('/')[0] ?? 'src';
      const thoughts = [
        'Let me look.',
        'I should check the folder once more.',
        'First, the files.',
        'Now I list them.',
        'Perhaps it has changed.',
      ];
      const says = times(random.from(3, 5), (n) => ({
        text: thoughts[n] ?? '',
        calls: [asks('list', { path: folder }, 'a.ts\nb.ts')],
      }));
      return turn('Tidy the folder up.', [...says, done('There are two files.')]);
    },
  },
  {
    detector: D0,
    label: 'loop',
    story: 'makes the same call twice in each answer',
    count: 3,
    tell: (random) => {
      const file = path(random);
      const says = times(random.from(3, 6), () => calling(read(file), read(file)));
      return turn(`Check ${file}.`, [...says, done('Checked.')]);
    },
  },
  {
    detector: D0,
    label: 'lookalike',
    story: 'reads files one by one',
    count: 5,
    tell: (random) =>
      turn('Review the code.', [
        ...paths(random, random.from(6, 18)).map((file) => calling(read(file))),
        done('Reviewed.'),
      ]),
  },
  {
    detector: D0,
    label: 'lookalike',
    story: 'turns the pages of a long list',
    count: 5,
    tell: (random) => {
      const pages = random.from(5, 16);
      const says = times(pages, (page) =>
        calling(
          asks(
            'list_issues',
            { state: 'open', page: page + 1 },
            page + 1 === pages ? 'no more issues' : `${page * 30 + 1} to ${page * 30 + 30}`,
          ),
        ),
      );
      return turn('Count the open issues.', [...says, done('Counted.')]);
    },
  },
  {
    detector: D0,
    label: 'lookalike',
    story: 'tests, mends and tests again',
    count: 5,
    tell: (random) => {
      const file = path(random);
      const rounds = random.from(3, 8);
      const says = times(rounds, (n) => [
        calling(shell('npm test', testsFail(rounds - n, 40, random.from(900, 4_000)))),
        calling(edit(file, `return ${n};`, `return ${n + 1};`)),
      ]).flat();
      return turn('Make the tests pass.', [
        ...says,
        calling(shell('npm test', 'Tests: 40 passed, 40 total')),
        done('They pass.'),
      ]);
    },
  },
  {
    detector: D0,
    label: 'lookalike',
    story: 'tries once more what failed by chance',
    count: 4,
    tell: (random) => {
      const command = random.one(['npm ci', 'docker pull postgres:16', 'git fetch origin']);
      const says = [calling(failing(command, 'read ECONNRESET')), calling(shell(command, 'done'))];
      return turn('Set the project up.', [...says, calling(shell('npm run build', 'built')), done('It is set up.')]);
    },
  },
  {
    detector: D0,
    label: 'lookalike',
    story: 'asks a declared polling tool until the deployment is there',
    count: 4,
    traits: POLLING,
    tell: (random) => {
      const rounds = random.from(4, 15);
      const says = times(rounds, (n) =>
        calling(
          asks('check_deployment', { name: 'web' }, n + 1 === rounds ? 'ready' : `${n} of ${rounds} instances ready`),
        ),
      );
      return turn('Deploy, and say when it is there.', [...says, done('It is there.')]);
    },
  },
  {
    detector: D0,
    label: 'lookalike',
    story: 'asks a shell command for news, without a tool that is declared for it',
    count: 1,
    tell: (random) => {
      const rounds = random.from(3, 4);
      const says = times(rounds, (n) =>
        calling(
          shell(
            'gh run view 4711',
            n + 1 === rounds ? 'completed: success' : `in progress: ${n + 1} of ${rounds} jobs`,
          ),
        ),
      );
      return turn('Say when the build is done.', [...says, done('It is done.')]);
    },
  },
];

const D2A = 'cycles';

/** The same few calls in turn. */
export const cycles: readonly Family[] = [
  {
    detector: D2A,
    label: 'loop',
    story: 'reads two files in turn',
    count: 5,
    tell: (random) => {
      const [one = '', other = ''] = paths(random, 2);
      return turn('Compare the two.', [
        ...times(random.from(5, 8), () => [calling(read(one)), calling(read(other))]).flat(),
        done('They are alike.'),
      ]);
    },
  },
  {
    detector: D2A,
    label: 'loop',
    story: 'changes a line there and back, and tests each time',
    count: 5,
    tell: (random) => {
      const file = path(random);
      const round = () => [
        calling(edit(file, 'a < b', 'a <= b')),
        calling(shell('npm test', testsFail(1, 12, random.from(500, 2_000)))),
        calling(edit(file, 'a <= b', 'a < b')),
        calling(shell('npm test', testsFail(2, 12, random.from(500, 2_000)))),
      ];
      return turn('Mend the comparison.', [...times(random.from(5, 7), round).flat(), done('I cannot mend it.')]);
    },
  },
  {
    detector: D2A,
    label: 'loop',
    story: 'searches, opens what it finds, and searches again',
    count: 5,
    tell: (random) => {
      const [file, name] = [path(random), symbol(random)];
      const round = () => [
        calling(grep(name, `${file}:12: ${name}()`)),
        calling(read(file)),
        calling(asks('list', { path: '.' }, 'src\nlib')),
      ];
      return turn(`Find out what ${name} does.`, [...times(random.from(5, 6), round).flat(), done('I do not know.')]);
    },
  },
  {
    detector: D2A,
    label: 'loop',
    story: 'makes a folder, fails to write in it, removes it',
    count: 5,
    tell: (random) => {
      const name = random.one(['out', 'dist', 'build', 'tmp/cache']);
      const round = (n: number) => [
        calling(shell(`mkdir -p ${name}`, '')),
        calling(failing(`cp report.html ${name}/`, `cp: cannot stat 'report.html' (${n})`)),
        calling(shell(`ls ${name}`, '')),
        calling(shell(`rmdir ${name}`, '')),
      ];
      return turn('Put the report where it belongs.', [
        ...times(random.from(5, 7), round).flat(),
        done('There is no report.'),
      ]);
    },
  },
  {
    detector: D2A,
    label: 'loop',
    story: 'two calls in each answer, and the same two answers in turn',
    count: 3,
    tell: (random) => {
      const [one = '', other = ''] = paths(random, 2);
      const round = () => [
        calling(read(one), read(other)),
        calling(shell('git status --short', ''), asks('list', { path: '.' }, 'src\nlib')),
      ];
      return turn('Merge them.', [...times(random.from(5, 8), round).flat(), done('Merged.')]);
    },
  },
  {
    detector: D2A,
    label: 'lookalike',
    story: 'opens, edits and tests one file after the other',
    count: 6,
    tell: (random) => {
      const says = paths(random, random.from(5, 9))
        .map((file) => [
          calling(read(file)),
          calling(edit(file, 'var ', 'let ')),
          calling(shell('npm test', testsFail(random.from(1, 9), 60, random.from(900, 5_000)))),
        ])
        .flat();
      return turn('Replace var by let everywhere.', [...says, done('Replaced.')]);
    },
  },
  {
    detector: D2A,
    label: 'lookalike',
    story: 'a test and a look at its log, a few times, with a change between',
    count: 5,
    tell: (random) => {
      const file = path(random);
      const says = times(random.from(4, 8), (n) => [
        calling(shell('pytest -q', `${9 - n} failed`)),
        calling(read('test.log', `line ${n}`)),
        calling(edit(file, `limit = ${n}`, `limit = ${n + 1}`)),
      ]).flat();
      return turn('Find the limit that works.', [...says, done('Found.')]);
    },
  },
  {
    detector: D2A,
    label: 'lookalike',
    story: 'takes turns between two tools, never with the same words',
    count: 5,
    tell: (random) => {
      const says = paths(random, random.from(6, 12)).flatMap((file, n) => [
        calling(grep(`TODO ${n}`, `${file}:1`)),
        calling(read(file)),
      ]);
      return turn('Collect the open points.', [...says, done('Collected.')]);
    },
  },
  {
    detector: D2A,
    label: 'lookalike',
    story: 'does a round of checks before and after each of a few steps',
    count: 4,
    tell: (random) => {
      const round = (n: number) => [
        calling(shell('git status --short', n === 0 ? '' : ` M file-${n}.ts`)),
        calling(shell('npm run lint', 'no problems')),
      ];
      const says = times(random.from(2, 4), (n) => round(n)).flat();
      return turn('Keep the tree clean.', [
        ...says,
        calling(shell('git commit -am "Clean"', 'committed')),
        done('Clean.'),
      ]);
    },
  },
];
