import { MAX_WARNINGS_A_ROUND } from '../../machines/life.ts';
import { MAX_CALLS_A_STEP, MAX_RETRIES_A_STEP, MAX_WAITS_A_STEP } from '../../machines/turn.machine.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { cyclesOf, sourceOf } from '../../src/termination/chart-cycles.ts';
import { rankingOf } from '../../src/termination/bound.ts';
import { definitionOf } from '../../src/kernel/loop-definition.ts';
import { OUTSIDE } from '../../src/kernel/loop-ranking.ts';

/** The quantity that decreases on a cycle, and its first value. */
const FALLS: Readonly<Record<string, string>> = {
  [OUTSIDE]: 'nothing: only external input repeats it',
  rounds: 'rounds left, from the smallest of the limits on rounds, tokens and milliseconds',
  waits: `waits left of the step, from ${MAX_WAITS_A_STEP}`,
  retries: `failures left of the step, from ${MAX_RETRIES_A_STEP}, and as many as final results`,
  compactions: 'summaries left of the step, from 1',
  work: `pending results, from ${MAX_CALLS_A_STEP} calls at most`,
  warnings: `warnings left of the round, from ${MAX_WARNINGS_A_ROUND}`,
  deadline: 'whether the deadline is still to come, from 1',
  ending: 'final events left, from 2',
};

/** The cycles of a chart, and the quantity that decreases on each: no run repeats one for ever. */
export function cycleTable(id: string): string {
  const loop = definitionOf(id, shippedLoops);
  const rows = cyclesOf(loop.machine, rankingOf(loop).falls).map(({ places, transitions, falls }) => {
    const way = places.length === 1 ? transitions.slice(0, 1).map(sourceOf) : [...places, ...places.slice(0, 1)];
    const by = transitions.map((transition) => `\`${transition.slice(sourceOf(transition).length + 1)}\``);
    return `| ${way.map((place) => `\`${place}\``).join(' → ')} | ${by.join(', ')} | ${FALLS[falls] ?? falls} |`;
  });
  return ['| cycle | closed by | what falls |', '| --- | --- | --- |', ...rows].join('\n');
}
