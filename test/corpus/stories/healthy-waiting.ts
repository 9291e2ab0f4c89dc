import type { Random } from '../random.ts';
import type { Family, Said } from '../telling.ts';
import { times } from '../telling.ts';
import { path } from '../things.ts';
import { edits, exits, healthy, reads, runs, source, step } from './transcript.ts';

/** So many states, each at least once, some twice in a row: as a job has them that is looked at now and then. */
const states = (random: Random, all: readonly string[]): string[] =>
  all.flatMap((state) => times(random.one([1, 1, 1, 2]), () => state));

const commit = (random: Random): string =>
  `[${random.from(100_000, 999_999)}] ${random.one(['Rename', 'Split', 'Cache', 'Bump'])} ${random.from(1, 99)}`;

/** Waiting for something that does come, and the same command again for a reason. */
export const healthyWaiting: readonly Family[] = [
  healthy({
    story: 'looks at the CI until it is through, and each look shows more',
    count: 3,
    goes: (random) => {
      const id = random.from(8_000_000, 9_000_000);
      const jobs = random.from(4, 9);
      return [
        step(random, runs('git push origin HEAD', 'To github.com:example/shop.git\n   1f2a..9b3c  HEAD -> fix')),
        ...times(jobs + 1, (done) =>
          step(
            random,
            runs(
              `gh run view ${id}`,
              `in_progress\n${done} of ${jobs} jobs completed${done === jobs ? '\nsuccess' : ''}`,
            ),
          ),
        ),
      ];
    },
  }),
  healthy({
    story: 'looks at the CI with a pause before each look',
    count: 2,
    goes: (random) => {
      const id = random.from(8_000_000, 9_000_000);
      const all = states(random, [
        'queued',
        'in_progress build',
        'in_progress lint',
        'in_progress test',
        'completed success',
      ]);
      return all.flatMap((state) => [
        step(random, runs(`sleep ${random.one([20, 30])}`)),
        step(random, runs(`gh run view ${id} --json status,jobs`, state)),
      ]);
    },
  }),
  healthy({
    story: 'waits for a deployment that is declared as polling',
    count: 3,
    options: { polling: ['kubectl get *', 'gh run *'] },
    goes: (random) => {
      const look = random.one([
        'kubectl get pods -l app=shop',
        'gh run view 71 --json status',
        'sleep 15 && kubectl get deploy shop',
      ]);
      return [
        ...times(random.from(9, 17), () => step(random, runs(look, random.one(['0/3 ready'])))),
        step(random, runs(look, '3/3 ready')),
      ];
    },
  }),
  healthy({
    story: 'waits for the server to answer, and it does after some tries',
    count: 3,
    goes: (random) => [
      step(random, runs('npm start > server.log 2>&1 &')),
      ...times(random.from(2, 5), (index) =>
        step(random, exits(`sleep ${index + 1}; curl -sf localhost:3000/health`, '', 7)),
      ),
      step(random, runs('sleep 5; curl -sf localhost:3000/health', '{"ok":true}')),
      step(random, runs('curl -s localhost:3000/invoices?page=2', '[{"id":41},{"id":42}]')),
    ],
  }),
  healthy({
    story: 'runs a flickering test several times to see how often it fails',
    count: 3,
    goes: (random) => [
      ...times(random.from(4, 8), () =>
        step(
          random,
          random.next() < 0.5
            ? runs('npx vitest run test/sync.test.ts', `Tests: 12 passed\nseed ${random.from(1_000, 9_999)}`)
            : exits(
                'npx vitest run test/sync.test.ts',
                `FAIL sync > order of ${random.from(2, 9)}\nseed ${random.from(1_000, 9_999)}`,
                1,
              ),
        ),
      ),
      step(random, edits('test/sync.test.ts', 'await sleep(10)', 'await settled()')),
      step(random, runs('for i in 1 2 3 4 5; do npx vitest run test/sync.test.ts || exit 1; done', '5 × 12 passed')),
    ],
  }),
  healthy({
    story: 'measures the same benchmark before and after each change',
    count: 2,
    goes: (random) => {
      const files = times(4, () => path(random));
      return [
        ...times(3, () =>
          step(random, runs('npm run bench', `search: ${random.from(310, 390)} ops/sec, rme ${random.from(1, 9)}`)),
        ),
        ...files.flatMap((file, index) => [
          step(random, edits(file, 'items.filter(', `indexed${index}(items, `)),
          step(
            random,
            runs('npm run bench', `search: ${random.from(400, 500) + index * 90} ops/sec, rme ${random.from(1, 9)}`),
          ),
        ]),
      ];
    },
  }),
  healthy({
    story: 'migrates table by table and counts what is left',
    count: 2,
    goes: (random) => {
      let left = random.from(6_000, 9_000);
      return times(random.from(6, 9), () => {
        left = Math.max(0, left - random.from(900, 1_400));
        return [
          step(random, runs('node scripts/migrate.js --batch 1000', `migrated ${random.from(900, 1_000)} rows`)),
          step(random, runs('psql shop -tc "select count(*) from invoices where migrated is null"', `${left}`)),
        ];
      }).flat();
    },
  }),
  healthy({
    story: 'bisects, and the test says good or bad at each commit',
    count: 3,
    goes: (random) => {
      let left = random.from(60, 130);
      const steps: Said[] = [
        step(random, runs('git bisect start HEAD v1.2.0', `Bisecting: ${left} revisions left to test after this`)),
      ];
      while (left > 0) {
        left = Math.floor(left / 2);
        const isBad = random.next() < 0.6;
        steps.push(
          step(
            random,
            isBad
              ? exits('npm test -- test/export.test.ts', 'Tests: 1 failed, 8 passed', 1)
              : runs('npm test -- test/export.test.ts', 'Tests: 9 passed'),
          ),
        );
        steps.push(
          step(
            random,
            runs(
              `git bisect ${isBad ? 'bad' : 'good'}`,
              left > 0
                ? `Bisecting: ${left} revisions left to test after this\n${commit(random)}`
                : `${random.from(100_000, 999_999)} is the first bad commit`,
            ),
          ),
        );
      }
      return steps;
    },
  }),
  healthy({
    story: 'follows a log while the import runs',
    count: 2,
    goes: (random) => {
      const total = random.from(5, 8) * 1_000;
      return times(random.from(5, 8), (index) =>
        step(
          random,
          runs(
            'tail -n 2 logs/import.log',
            `batch ${index * 3 + 1} of ${Math.ceil(total / 500)}\n${index * 1_500 + random.from(0, 400)} rows imported`,
          ),
        ),
      );
    },
  }),
  healthy({
    story: 'tries an install again after the mirror was restarted',
    count: 2,
    goes: (random) => [
      ...times(random.from(1, 2), () => step(random, exits('npm ci', 'npm error code ETIMEDOUT', 1))),
      step(random, reads('.npmrc', `registry=https://mirror.example.com/${random.from(1, 99)}`)),
      step(random, exits('npm ci', 'npm error code E503', 1)),
      step(random, runs('sleep 60 && npm ci', `added ${random.from(300, 900)} packages`)),
      step(random, reads('src/index.ts', source(random, 'src/index.ts'))),
      step(random, runs('npm test', 'Tests: 88 passed')),
    ],
  }),
];
