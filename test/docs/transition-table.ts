import { catalogue, type CatalogueEntry } from '../../machines/index.ts';
import { pathOf } from '../../src/charts/nodes.ts';
import { isClosed, transitionsOf } from '../../src/charts/transitions.ts';
import { chances } from '../../src/testing/choices.ts';
import { coverage } from '../../src/testing/coverage.ts';
import { type Way, waysThrough } from '../../src/testing/paths.ts';
import { wander } from '../../src/testing/wander.ts';
import type { World } from '../../src/testing/world.ts';
import { fc } from '../support/fast-check.ts';
import { worldFor } from '../support/worlds.ts';

/** One whose first runs take everything soon, so that the table is quickly made. */
const SEED = 7;
const MAX_RUNS = 700;

/**
 * Every transition of a loop with the shortest way to it, and how soon a run of chance takes it. Throws where one of them has no
 * way or no run: nothing would prove it.
 */
function transitionTable(loop: CatalogueEntry, world: World): string {
  const { transitions, missing } = waysThrough(loop, world);
  const { first, untaken } = coverage(loop, runsOf(loop, world), { untilAll: true });
  const unproven = [...missing.transitions.map((id) => `no way leads to ${id}`), ...untaken.map((id) => `no run takes ${id}`)];
  if (unproven.length > 0) throw new Error(`${loop.id}: ${unproven.join('; ')}`);
  const rows = transitionsOf(loop.machine).map((transition) => {
    const { id, guard, to } = transition;
    const leads = isClosed(transition) ? 'nowhere: it is refused' : to.map(pathOf).join(', ');
    return [code(id), guard === null ? '' : code(guard), leads, wayIn(transitions.get(id)), soon(first.get(id) ?? MAX_RUNS)];
  });
  const head = ['transition', 'guard', 'leads to', 'shortest way after the start', 'a run of chance takes it'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function* runsOf(loop: CatalogueEntry, world: World) {
  for (const { opening, choices } of fc.sample(chances(world), { seed: SEED, numRuns: MAX_RUNS })) {
    const started = world.openings[opening];
    if (started) yield wander(loop, world, started, choices);
  }
}

/** Coarsely: a few runs sooner or later are no news. */
function soon(run: number): string {
  const within = [10, 100, MAX_RUNS].find((runs) => run <= runs) ?? MAX_RUNS;
  return `within ${within}`;
}

/** The events by their types; what goes round and round is said once. */
function wayIn(way: Way | undefined): string {
  const types = way?.events.map(({ type }) => type) ?? [];
  const said: string[] = [];
  for (let at = 0; at < types.length; ) {
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

/** Of every loop that ships, by its id; made before anybody asks for them. */
export const transitionTables: Readonly<Record<string, string>> = Object.fromEntries(
  catalogue.map((loop) => [loop.id, transitionTable(loop, worldFor(loop))]),
);
