import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cpuMicroseconds, wallSeconds } from '../measure.ts';
import { countingWal } from './commits-in-wal.ts';
import type { OpenPeer } from './peer.ts';
import { AskedPeer, type PeerReport, TURNS, STEPS } from './workload.ts';

// One program, in a process of its own: opened, measured from its first turn on, closed. Prints a report as JSON.
const { program, installed, mode, ...settings } = AskedPeer.parse(JSON.parse(process.argv[2] ?? ''));

const ours: Readonly<Record<string, () => Promise<{ readonly open: OpenPeer }>>> = {
  loopfold: () => import('./loopfold.ts'),
  floor: () => import('./floor.ts'),
};
const theirs = () =>
  import(pathToFileURL(join(installed ?? '.', `${program}.mjs`)).href) as Promise<{ readonly open: OpenPeer }>;

const { open } = await (ours[program] ?? theirs)();
const peer = await open(settings);
const turns = TURNS[mode];
const steps = turns * STEPS;
let seconds = 0;
let commits = 0;
const cpu = await cpuMicroseconds(async () => {
  seconds = await wallSeconds(async () => {
    if (mode === 'together') await Promise.all(Array.from({ length: turns }, () => peer.turn(STEPS)));
    if (mode === 'sequence') for (let n = 0; n < turns; n += 1) await peer.turn(STEPS);
    if (mode !== 'counted') return;
    // The first turn may make tables and indexes.
    await peer.turn(STEPS);
    const counted = countingWal(peer.store);
    await peer.turn(STEPS);
    commits = counted() / STEPS;
  });
});
const report: PeerReport = {
  steps,
  seconds,
  cpuMicroseconds: cpu,
  ...(mode === 'counted' ? { commitsPerStep: commits } : {}),
  ...(await peer.durability()),
};
await peer.close();
process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(0));
