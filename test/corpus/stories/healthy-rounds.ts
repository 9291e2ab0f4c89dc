import type { Family, Said } from '../telling.ts';
import { times } from '../telling.ts';
import { path, paths, symbol } from '../things.ts';
import { edits, healthy, nothingFound, runs, step } from './transcript.ts';

const ROUNDS = 24;

/** Two dozen rounds of one thing, each of them alike and each of them needed. */
export const healthyRounds: readonly Family[] = [
  healthy({
    story: 'checks the syntax of two dozen scripts, and all are in order',
    count: 2,
    goes: (random) =>
      paths(random, ROUNDS).map((file) => step(random, runs(`python -m py_compile ${file.replace(/ts$/, 'py')}`))),
  }),
  healthy({
    story: 'searches for two dozen names that nothing uses any more',
    count: 2,
    goes: (random) => times(ROUNDS, (index) => step(random, nothingFound(`${symbol(random)}V${index + 1}`))),
  }),
  healthy({
    story: 'steps through a program with a debugger',
    count: 2,
    goes: (random) => {
      const file = path(random);
      let line = random.from(10, 60);
      return times(random.from(18, ROUNDS), (index): Said => {
        line += random.from(1, 3);
        const output = `stopped at ${file}:${line}\ntotal = ${index * random.from(2, 9)}`;
        return step(random, { tool: 'debugger', arguments: { command: 'next' }, output });
      });
    },
  }),
  healthy({
    story: 'waits a quarter of an hour for a pipeline, with a minute between its looks',
    count: 2,
    goes: (random) => {
      const look = `sleep 60; gh run view ${random.from(8_000_000, 9_000_000)} --json status -q .status`;
      return [...times(15, () => step(random, runs(look, 'in_progress'))), step(random, runs(look, 'completed'))];
    },
  }),
  healthy({
    story: 'moves the code in two dozen small steps, and the tests stay green',
    count: 2,
    goes: (random) =>
      paths(random, ROUNDS).map((file, index) =>
        step(
          random,
          edits(file, `function ${symbol(random)}${index}(`, `export function ${symbol(random)}${index}(`),
          runs('npm test', `Tests: 61 passed\nTime: ${random.from(800, 1_500)} ms`),
        ),
      ),
  }),
  healthy({
    story: 'reads a table row by row through a cursor',
    count: 2,
    goes: (random) =>
      times(random.from(18, ROUNDS), (index) =>
        step(random, {
          tool: 'next_row',
          arguments: { cursor: 'invoices' },
          output: `${4_100 + index} | ${symbol(random)} | ${random.from(10, 900)}`,
        }),
      ),
  }),
];
