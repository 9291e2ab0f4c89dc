import { catalogue, type CatalogueEntry } from '../../machines/index.ts';
import { pathOf, isClosed, transitionsOf } from '../../src/charts/transitions.ts';
import { randomRuns } from '../../src/testing/choices.ts';
import { coverage } from '../../src/testing/coverage.ts';
import { type OpenedPath, shortestPaths } from '../../src/testing/paths.ts';
import { randomWalk } from '../../src/testing/random-walk.ts';
import type { ProofEnvironment } from '../../src/testing/proof-environment.ts';
import { fc } from '../support/fast-check.ts';
import { environmentFor } from '../support/environments.ts';

/** A seed whose first runs soon take every transition, so that the table is made quickly. */
const SEED = 6;
const MAX_RUNS = 2_000;

/**
 * Every transition of a loop with the shortest path to it, and how soon a random walk takes it. Throws if one of them
 * has no path or no walk: nothing would prove it.
 */
function transitionTable(loop: CatalogueEntry, environment: ProofEnvironment): string {
  const { transitions, missing } = shortestPaths(loop, environment);
  const { first, untaken } = coverage(loop, runsOf(loop, environment), { untilAll: true });
  const unproven = [
    ...missing.transitions.map((id) => `no path leads to ${id}`),
    ...untaken.map((id) => `no random walk takes ${id}`),
  ];
  if (unproven.length > 0) throw new Error(`${loop.id}: ${unproven.join('; ')}`);
  const rows = transitionsOf(loop.machine).map((transition) => {
    const { id, guard, to } = transition;
    const leads = isClosed(transition) ? 'nowhere: it is refused' : to.map((node) => code(pathOf(node))).join(', ');
    return [
      code(id),
      guard === null ? '' : code(guard),
      leads,
      wayIn(transitions.get(id)),
      soon(first.get(id) ?? MAX_RUNS),
    ];
  });
  const head = ['transition', 'guard', 'leads to', 'shortest path after the start', 'a random walk takes it'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function* runsOf(loop: CatalogueEntry, environment: ProofEnvironment) {
  for (const { opening, choices } of fc.sample(randomRuns(environment), { seed: SEED, numRuns: MAX_RUNS })) {
    const started = environment.openings[opening];
    if (started) yield randomWalk(loop, environment, started, choices);
  }
}

/** Coarsely, so that the table does not change with a few runs more or less. */
function soon(run: number): string {
  const within = [10, 100, 700, MAX_RUNS].find((runs) => run <= runs) ?? MAX_RUNS;
  return `within ${within}`;
}

/** The events by their types; a repeated sequence is written once. */
function wayIn(way: OpenedPath | undefined): string {
  const types = way?.events.map(({ type }) => type) ?? [];
  const said: string[] = [];
  for (let at = 0; at < types.length;) {
    const { lap, times } = lapAt(types, at);
    said.push(times === 1 ? code(lap.join(', ')) : `${times} times ${code(lap.join(', '))}`);
    at += lap.length * times;
  }
  return said.length === 0 ? 'the start itself' : said.join(', ');
}

function lapAt(types: readonly string[], at: number): { readonly lap: readonly string[]; readonly times: number } {
  const laps = [1, 2].map((length) => {
    const lap = types.slice(at, at + length);
    let times = 1;
    while (lap.length === length && lap.every((type, index) => types[at + times * length + index] === type)) times += 1;
    return { lap, times };
  });
  const [once = { lap: [], times: 1 }] = laps;
  return laps.find(({ times }) => times > 2) ?? { lap: once.lap, times: 1 };
}

const code = (text: string): string => `\`${text}\``;

/** The table of a loop that ships, by its id. Takes seconds. */
export function transitionTableOf(id: string): string {
  const loop = catalogue.find((entry) => entry.id === id);
  if (!loop) throw new Error(`no loop that ships is ${id}`);
  return transitionTable(loop, environmentFor(loop));
}
