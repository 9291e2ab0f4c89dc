import type { Random } from '../random.ts';
import type { Family, Said } from '../telling.ts';
import { times } from '../telling.ts';
import { path } from '../things.ts';
import { edits, exits, reads, runs, source, step, stuck } from './transcript.ts';

const REFUSALS = ['Permission denied', 'Read-only file system'];

const clock = (random: Random, index: number): string =>
  [9 + Math.floor(index / 20), (index * 3) % 60, random.from(0, 59)]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');

const refused = (random: Random, port: number): string =>
  `curl: (7) Failed to connect to localhost port ${port} after ${random.from(0, 4)} ms: Connection refused`;

const oneFails = (random: Random): string =>
  `Tests: 1 failed, ${random.one([41])} passed\nTime: ${random.from(800, 1_500)} ms`;

/** Commands that lead nowhere, made again and again with something different in them or in what they print. */
export const stuckCommands: readonly Family[] = [
  stuck({
    story: 'asks a server that is down, with the date before each answer',
    count: 3,
    goes: (random) => {
      const port = random.one([3000, 5432, 8080]);
      const command = random.one([
        `date; curl -sS localhost:${port}/health`,
        `curl -sSv http://127.0.0.1:${port}/health`,
      ]);
      return times(random.from(12, 26), (index) =>
        step(random, exits(command, `Wed Mar  2 ${clock(random, index)} UTC 2026\n${refused(random, port)}`, 7)),
      );
    },
  }),
  stuck({
    story: 'breaks the cache with the time in the address',
    count: 2,
    goes: (random) => {
      const host = random.one(['registry.internal', 'staging.example.com']);
      return times(random.from(18, 30), (index) =>
        step(random, runs(`curl -s "https://${host}/version?t=${1_772_442_000 + index * 7}"`, '{"version":"1.4.2"}')),
      );
    },
  }),
  stuck({
    story: 'prints the time with a status that never changes',
    count: 2,
    goes: (random) => {
      const id = random.from(10_000, 99_999);
      const pause = random.one([300, 600]);
      return times(random.from(10, 22), (index) =>
        step(
          random,
          runs(
            `sleep ${pause}; date +%T && systemctl show -p SubState worker@${id}`,
            `${clock(random, index)}\nSubState=auto-restart`,
          ),
        ),
      );
    },
  }),
  stuck({
    story: 'sleeps a little longer each time before it looks again',
    count: 3,
    goes: (random) => {
      const [look, said] = random.one([
        ['gh run view 8123344 --json status -q .status', 'queued'],
        ['kubectl get pod api-0 -o jsonpath={.status.phase}', 'Pending'],
        ['docker compose ps --format "{{.State}}" db', 'restarting'],
      ]);
      const first = random.from(2, 10) * 10;
      return times(random.from(18, 28), (index) => step(random, runs(`sleep ${first * (index + 1)} && ${look}`, said)));
    },
  }),
  stuck({
    story: 'waits longer and longer, in a call of its own, and looks at the same log',
    count: 2,
    goes: (random) => {
      const log = random.one(['/var/log/worker.log', 'logs/import.log']);
      const line = `waiting for lock ${random.from(100, 999)}`;
      return times(random.from(14, 24), (index) => [
        step(random, runs(`sleep ${60 + index * 60}`)),
        step(random, runs(`tail -n 1 ${log}`, line)),
      ]).flat();
    },
  }),
  stuck({
    story: 'runs the tests under every name they have, and the module is missing each time',
    count: 3,
    goes: (random) => {
      const module = random.one(['pg-native', 'sharp', '@internal/schema']);
      const ways = [
        'npm test',
        'npx vitest run',
        'npm run test -- --reporter=verbose',
        'node_modules/.bin/vitest run',
        'NODE_ENV=test npm test',
        'npm test -- --no-cache',
        'npx vitest run test/import.test.ts',
        'CI=1 npm test',
      ];
      return times(random.from(14, 24), (index) => {
        const command = ways[(index + random.from(0, 2)) % ways.length] ?? 'npm test';
        const trace = `Require stack:\n- /workspace/src/db.ts\n  at ${random.from(20, 90)} ms`;
        const output = `Error: Cannot find module '${module}'\n${trace}`;
        return index % 7 === 5
          ? step(random, runs('ls node_modules | head -3', 'acorn\najv\nansi-styles'))
          : step(random, exits(command, output, 1));
      });
    },
  }),
  stuck({
    story: 'may not write, whatever it puts before the command',
    count: 2,
    goes: (random) => {
      const target = random.one(['/etc/hosts', '/usr/local/bin/tool', '/var/lib/app']);
      const ways = [
        'cp build/out',
        'sudo cp build/out',
        'install -m 755 build/out',
        'cat build/out >',
        'sudo -n tee',
        'mv build/out',
        'rsync build/out',
        'ln -s $PWD/build/out',
      ];
      return times(random.from(13, 20), (index) =>
        step(
          random,
          exits(
            `${ways[index % ways.length]} ${target}${index >= ways.length ? ` # try ${index}` : ''}`,
            `${random.one(['cp', 'tee', 'sudo', 'install'])}: cannot create '${target}': ${random.one(REFUSALS)}`,
            1,
          ),
        ),
      );
    },
  }),
  stuck({
    story: 'installs over a network that is not there',
    count: 3,
    goes: (random) => {
      const name = random.one(['psycopg2', 'left-pad', 'libssl-dev']);
      const ways = [
        `pip install ${name}`,
        `pip install --index-url https://mirror.example.com/simple ${name}`,
        `npm install ${name}`,
        `npm install ${name} --registry https://mirror.example.com/npm`,
        `apt-get install -y ${name}`,
        `curl -LO https://example.com/${name}.tar.gz`,
        `git clone https://github.com/example/${name}`,
        `pip download ${name} -d vendor`,
      ];
      return times(random.from(14, 22), () =>
        step(
          random,
          exits(
            random.one(ways),
            random.one([
              `Could not resolve host: ${random.one(['files.example.com', 'mirror.example.com', 'github.com'])}`,
              `npm error code ENOTFOUND\nnpm error network request failed, attempt ${random.from(1, 9)}`,
              'Temporary failure in name resolution',
            ]),
            random.one([1, 6, 100, 128]),
          ),
        ),
      );
    },
  }),
  stuck({
    story: 'guesses the column until the query fits, and it never does',
    count: 2,
    goes: (random) => {
      const columns = [
        'total',
        'amount',
        'sum',
        'amount_cents',
        'price',
        'value',
        'gross',
        'net',
        'cost',
        'charge',
        'fee',
        'grand_total',
        'balance',
        'due',
        'paid',
      ];
      return random
        .some(columns, random.from(12, 15))
        .map((column) =>
          step(
            random,
            exits(
              `psql shop -c "select ${column} from invoices limit 1"`,
              `ERROR:  column "${column}" does not exist\nLINE 1: select ${column} from invoices limit 1`,
              1,
            ),
          ),
        );
    },
  }),
  stuck({
    story: 'reads the same three files in turn and starts the build that fails alike',
    count: 3,
    goes: (random) => {
      const files = random.some(['src/index.ts', 'src/build.ts', 'tsconfig.json', 'src/env.ts', 'vite.config.ts'], 3);
      const texts = files.map((file) => source(random, file));
      return times(random.from(8, 13), () => [
        ...files.map((file, index) => step(random, reads(file, texts[index] ?? ''))),
        step(
          random,
          exits(
            'npm run build',
            `src/build.ts(14,3): error TS2345: Argument of type 'string'\nTime: ${random.from(900, 2_000)} ms`,
            2,
          ),
        ),
      ]).flat();
    },
  }),
  stuck({
    story: 'puts an edit back and in again, with the tests between',
    count: 3,
    goes: (random) => {
      const file = path(random);
      const [one, other] = random.some(['>=', '>', '<=', '<'], 2) as [string, string];
      return times(random.from(10, 16), (index): Said[] => {
        const [from, to] = index % 2 === 0 ? [one, other] : [other, one];
        return [
          step(random, edits(file, `if (count ${from} limit)`, `if (count ${to} limit)`)),
          step(random, exits('npm test', `FAIL ${index % 2 ? 'below the ' : ''}limit\n${oneFails(random)}`, 1)),
        ];
      }).flat();
    },
  }),
];
