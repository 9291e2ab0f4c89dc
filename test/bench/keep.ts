import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, type } from 'node:os';
import { measureCommits } from './commit-costs.ts';
import { type Circumstances, measuredFile, MeasuredPage } from './measured.ts';
import { repeated } from './measure.ts';
import { installPeers } from './peers/install.ts';
import { keptPeers } from './peers/kept-peers.ts';
import { historyFile } from './step-history.ts';
import { measureParts } from './step-parts.ts';
import { keptSteps, lineOf } from './kept-steps.ts';
import { measureSteps } from './steps.ts';

// `npm run bench:keep`: measures what is checked out, for the history and for docs/performance.md. `npm run docs` draws
// it. With names of parts, only those are measured again: `npm run bench:keep -- steps peers`.
const PEER_ROUNDS = 5;
const circumstances: Circumstances = {
  commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
  on: new Date().toISOString().slice(0, 10),
  machine: `${cpus().length} × ${cpus()[0]?.model.trim()}, ${type()} ${release()}, Node ${process.version}`,
};

const measures: Readonly<Record<keyof MeasuredPage, () => Promise<object>>> = {
  steps: async () => keptSteps(await inFolder(measureSteps)),
  parts: async () => ({ parts: await inFolder(measureParts) }),
  commits: async () => ({ commits: await inFolder(measureCommits) }),
  peers: async () => keptPeers({ rounds: PEER_ROUNDS, installed: installPeers() }),
};

const chosen = process.argv.slice(2);
const page: Record<string, unknown> = existsSync(measuredFile)
  ? (JSON.parse(readFileSync(measuredFile, 'utf8')) as Record<string, unknown>)
  : {};
for (const [name, measure] of Object.entries(measures)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  console.log(`measuring ${name}`);
  page[name] = rounded({ ...circumstances, ...(await measure()) });
  // What is measured is kept, also where the network that other projects need is missing.
  writeFileSync(measuredFile, `${JSON.stringify(page, null, 2)}\n`);
}
const kept = MeasuredPage.parse(page);
if (chosen.length === 0 || chosen.includes('steps'))
  appendFileSync(historyFile, `${JSON.stringify(lineOf(kept.steps))}\n`);
console.log(JSON.stringify(kept, null, 2));

async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const [result] = await repeated(1, work);
  if (result === undefined) throw new Error('nothing was measured');
  return result;
}

/** No figure here is known better than to three digits. */
function rounded(value: object): unknown {
  return JSON.parse(
    JSON.stringify(value, (_key, one: unknown) => (typeof one === 'number' ? Number(one.toPrecision(3)) : one)),
  );
}
