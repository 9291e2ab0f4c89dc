import { asks, edit, failing, path, paths, shell } from '../things.ts';
import { calling, type Called, done, type Family, times, turn } from '../telling.ts';

const D1B = 'repeated-error';

/** The same call, failing. */
export const repeatedError: readonly Family[] = [
  {
    detector: D1B,
    label: 'loop',
    story: 'one command, and another error each time',
    count: 6,
    tell: (random) => {
      const errors = [
        'exit code 1',
        'exit code 1: 3 errors',
        'Killed',
        'exit code 137',
        'exit code 2: see the log',
        'exit code 1: 4 errors',
      ];
      const command = random.one(['make', 'npm run build', 'terraform apply', 'bundle install']);
      return turn('Build it.', [
        ...times(random.from(4, 6), (n) => calling(failing(command, errors[n] ?? 'exit code 1'))),
        done('It does not build.'),
      ]);
    },
  },
  {
    detector: D1B,
    label: 'loop',
    story: 'a file that is not there',
    count: 5,
    tell: (random) => {
      const file = path(random);
      const call: Called = { tool: 'read', arguments: { path: file }, fails: `there is no file ${file}` };
      return turn(`What is in ${file}?`, [...times(random.from(4, 7), () => calling(call)), done('It is not there.')]);
    },
  },
  {
    detector: D1B,
    label: 'loop',
    story: 'an address that answers nobody',
    count: 5,
    tell: (random) => {
      const url = `https://${random.one(['status', 'api', 'docs'])}.example.com/v${random.from(1, 3)}`;
      const call = (n: number): Called => ({
        tool: 'fetch_page',
        arguments: { url },
        fails: `403 forbidden (ray ${(n + 11) * 7919})`,
      });
      return turn(`Read ${url}.`, [...times(random.from(4, 6), (n) => calling(call(n))), done('It cannot be read.')]);
    },
  },
  {
    detector: D1B,
    label: 'loop',
    story: 'the same wrong arguments, in other order',
    count: 5,
    tell: (random) => {
      const [title, team] = [random.one(['Outage', 'Slow search']), random.one(['core', 'web'])];
      const orders = [
        { title, team },
        { team, title },
      ];
      const call = (n: number): Called => ({
        tool: 'create_ticket',
        arguments: orders[n % 2] ?? {},
        fails: 'field "priority" is missing',
      });
      return turn('Open a ticket.', [...times(random.from(4, 6), (n) => calling(call(n))), done('It is refused.')]);
    },
  },
  {
    detector: D1B,
    label: 'lookalike',
    story: 'fails, mends the cause, and tries again',
    count: 6,
    tell: (random) => {
      const file = path(random);
      const rounds = random.from(4, 8);
      const says = times(rounds, (n) => [
        calling(failing('npm test', `${rounds - n} tests failed`)),
        calling(edit(file, `case ${n}:`, `case ${n + 1}:`)),
      ]).flat();
      return turn('Make the tests pass.', [...says, calling(shell('npm test', 'all passed')), done('They pass.')]);
    },
  },
  {
    detector: D1B,
    label: 'lookalike',
    story: 'looks for a file in one place after the other',
    count: 6,
    tell: (random) => {
      const says = paths(random, random.from(4, 9)).map((file) =>
        calling({ tool: 'read', arguments: { path: file }, fails: `there is no file ${file}` }),
      );
      return turn('Find the settings.', [
        ...says,
        calling(asks('list', { path: '.' }, 'settings.json')),
        done('Found them.'),
      ]);
    },
  },
  {
    detector: D1B,
    label: 'lookalike',
    story: 'a service that is down for a moment',
    count: 5,
    tell: (random) => {
      const call = (page: number, fails?: string): Called => ({
        tool: 'fetch_page',
        arguments: { url: `https://api.example.com/items?page=${page}` },
        ...(fails ? { fails } : { output: `page ${page}` }),
      });
      const says = times(random.from(4, 9), (page) => [
        calling(call(page, '503 service unavailable')),
        calling(call(page)),
      ]).flat();
      return turn('Fetch all pages.', [...says, done('Fetched.')]);
    },
  },
  {
    detector: D1B,
    label: 'lookalike',
    story: 'a flaky test that passes the second time',
    count: 4,
    tell: (random) => {
      const says = times(random.from(3, 6), (n) => {
        const command = `npm test -- suite-${n}`;
        return [
          calling(failing(command, 'Timeout - Async callback was not invoked')),
          calling(shell(command, '12 passed')),
        ];
      }).flat();
      return turn('Run the suites.', [...says, done('All pass.')]);
    },
  },
];

const D1C = 'monologue';
const WORDS = [
  'It is done.',
  'Everything works now.',
  'As I said, the work is complete.',
  'I am confident that this is right.',
  'There is nothing left to do.',
  'The task is finished.',
];

/** Words, and no call. */
export const monologue: readonly Family[] = [
  {
    detector: D1C,
    label: 'loop',
    story: 'says that it is done while the checks fail',
    count: 8,
    tell: (random) => {
      const rounds = random.from(3, 6);
      return turn(
        'Make the tests pass.',
        [...random.some(WORDS, rounds).map(done), done('I give up.')],
        times(rounds, () => false),
      );
    },
  },
  {
    detector: D1C,
    label: 'loop',
    story: 'begins to work, then only talks',
    count: 8,
    tell: (random) => {
      const file = path(random);
      const rounds = random.from(3, 5);
      return turn(
        'Mend it.',
        [calling(edit(file, 'x', 'y')), ...random.some(WORDS, rounds).map(done), done('Enough.')],
        times(rounds, () => false),
      );
    },
  },
  {
    detector: D1C,
    label: 'loop',
    story: 'announces again and again what it will do',
    count: 6,
    tell: (random) => {
      const rounds = random.from(3, 6);
      const plans = [
        'I will now edit the file.',
        'Next I will run the tests.',
        'Let me fix the import.',
        'I am going to look at the log.',
        'Now I make the change.',
        'First I read the code.',
      ];
      return turn(
        'Mend the import.',
        [...random.some(plans, rounds).map(done), done('Later.')],
        times(rounds, () => false),
      );
    },
  },
  {
    detector: D1C,
    label: 'lookalike',
    story: 'hands in, is refused by the checks, works on',
    count: 8,
    tell: (random) => {
      const file = path(random);
      const rounds = random.from(3, 7);
      const says = times(rounds, (n) => [
        calling(edit(file, `step ${n}`, `step ${n + 1}`)),
        done(WORDS[n % WORDS.length] ?? ''),
      ]).flat();
      return turn(
        'Make the tests pass.',
        says,
        times(rounds, (n) => n + 1 === rounds),
      );
    },
  },
  {
    detector: D1C,
    label: 'lookalike',
    story: 'insists once, then looks',
    count: 6,
    tell: (random) => {
      const says = times(random.from(2, 4), (n) => [
        done(WORDS[n] ?? ''),
        done(WORDS[n + 1] ?? ''),
        calling(shell(`npm test -- --bail ${n}`, '1 failed')),
      ]).flat();
      return turn(
        'Make the tests pass.',
        [...says, done('Now it passes.')],
        [...says.flatMap(({ text }) => (text === undefined ? [] : [false])), true],
      );
    },
  },
  {
    detector: D1C,
    label: 'lookalike',
    story: 'a long answer in several parts',
    count: 6,
    tell: (random) => {
      const says = times(random.from(3, 6), (n) => ({
        text: `Chapter ${n + 1}: ${random.one(WORDS)}`,
        cut: true as const,
      }));
      return turn('Write the handbook.', [...says, done('That was the last chapter.')]);
    },
  },
];
