import { parseArgs } from 'node:util';
import { disagreements, isMain, LEAST_SHARE, shareOf, table, tableAlone } from './report.ts';
import { sourcesReport } from './sources/sources-report.ts';
import { survivors } from './survivors.ts';
import { drawn, killerNames, mutants } from './trial.ts';
import { MAX_MUTANT_MS, tried } from './tried.ts';

// `npm run mutate`: mutants are made in memory and given to those who may catch them. `--seed N --count N` draws some
// of them; `--alone` has each of those who look do so alone. Exits with 1 where too few guards and targets are caught,
// or where the list of survivors is not what survives. `npm run mutate -- sources [FOLDER|FOLDER/FILE…]` edits source
// files.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string' },
    alone: { type: 'boolean', default: false },
  },
});
const { seed, count, alone } = values;

const THREADS = 2;
const print = (...lines: readonly string[]): void => void process.stdout.write(`${lines.join('\n')}\n`);

const all = [...mutants.values()];
const chosen = count === undefined ? all : drawn(Number(seed), Number(count), all);
const from = performance.now();

if (positionals[0] === 'sources') {
  const { text, isGood } = await sourcesReport(positionals.slice(1));
  print(...text);
  // Tests that failed under an edit have set it.
  process.exitCode = isGood ? 0 : 1;
} else if (alone) {
  const verdicts = await tried(
    chosen.flatMap(({ id }) => killerNames.map((killer) => ({ id, by: [killer] }))),
    THREADS,
  );
  print(...tableAlone(verdicts));
} else {
  const verdicts = await tried(
    chosen.map(({ id }) => ({ id, by: killerNames })),
    THREADS,
  );
  const main = verdicts.filter(isMain);
  const wrong = disagreements(verdicts, survivors);
  const living = verdicts.filter(({ id }) => id in survivors).map(({ id }) => `- ${id}. ${survivors[id]}`);
  const longest = Math.max(...verdicts.map(({ ms }) => ms));
  print(...table(verdicts), '', `survivors, ${living.length}:`, ...living, '', ...wrong);
  print(
    `the longest took ${longest.toFixed(0)} ms of ${MAX_MUTANT_MS}, all of them ${((performance.now() - from) / 1000).toFixed(0)} s`,
  );
  if (wrong.length > 0 || (main.length > 0 && shareOf(main) < LEAST_SHARE)) process.exitCode = 1;
}
