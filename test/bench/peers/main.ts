import { parseArgs } from 'node:util';
import { holds } from '../measure.ts';
import { lineOf } from '../report-line.ts';
import { installPeers } from './install.ts';
import { LANES } from './lanes.ts';
import { peerFigures } from './peer-figures.ts';
import { peerRounds } from './rounds.ts';
import { STEPS, TURNS } from './workload.ts';

// `npm run bench:peers`: other projects on our workload, installed apart, each cold in processes of its own.
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const rounds = Number(values.rounds);
const measured = await peerRounds(LANES, { rounds, installed: installPeers() });

console.log(`
Turns of ${STEPS} steps; a step is a scripted answer that calls a tool, and the tool's result.
${TURNS.sequence} turns in sequence, ${TURNS.together} at once, each in a new process on a new store.
${rounds} rounds, in which all take turns. Nothing is warmed up: time runs from the first turn on,
when modules are loaded and the store is open.
`);
for (const { lane, commitsPerStep, sequence } of measured) {
  const { journalMode, synchronous } = sequence[0] ?? {};
  console.log(
    `  ${lane.name.padEnd(22)} ${journalMode}, synchronous=${synchronous}, ${commitsPerStep.toFixed(2)} commits a step`,
  );
  console.log(`  ${''.padEnd(22)} durable: ${lane.keeps}`);
}
console.log();
const figures = peerFigures(measured);
for (const figure of figures) console.log(lineOf(figure));
process.exitCode = figures.every(holds) ? 0 : 1;
