import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Lane } from './lanes.ts';
import { type AskedPeer, type Mode, PeerReport } from './workload.ts';

const PROGRAM = join(import.meta.dirname, 'measured-peer.process.ts');
/** Where a program hangs, it is stopped. */
const LIMIT_MS = 180_000;

/** What the processes of one lane have reported, in the order of the rounds. */
export interface LaneReports {
  readonly lane: Lane;
  readonly sequence: readonly PeerReport[];
  readonly together: readonly PeerReport[];
  readonly commitsPerStep: number;
}

/** Each lane in so many rounds, and each time in a new process on a new store. The lanes take turns. */
export async function peerRounds(
  lanes: readonly Lane[],
  { rounds, installed }: { readonly rounds: number; readonly installed?: string },
): Promise<readonly LaneReports[]> {
  const kept = lanes.map((lane) => ({ lane, sequence: [], together: [] }) as Kept);
  for (let round = 0; round < rounds; round += 1) {
    const first = round % kept.length;
    for (const one of [...kept.slice(first), ...kept.slice(0, first)]) {
      one.sequence.push(await reported(one.lane, 'sequence', installed));
      one.together.push(await reported(one.lane, 'together', installed));
    }
  }
  const counted: LaneReports[] = [];
  for (const one of kept) {
    const { commitsPerStep = Number.NaN } = await reported(one.lane, 'counted', installed);
    counted.push({ ...one, commitsPerStep });
  }
  return counted;
}

interface Kept {
  readonly lane: Lane;
  readonly sequence: PeerReport[];
  readonly together: PeerReport[];
}

/** One process from its start to its end. Nothing is warm: it begins to count at its first turn. */
async function reported({ program, form, isFull }: Lane, mode: Mode, installed?: string): Promise<PeerReport> {
  const folder = mkdtempSync(join(tmpdir(), 'loopfold-peer-'));
  try {
    const asked: AskedPeer = { program, form, isFull, mode, folder, ...(installed === undefined ? {} : { installed }) };
    const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, JSON.stringify(asked)], {
      timeout: LIMIT_MS,
      // No program is to call home.
      env: {
        ...process.env,
        MASTRA_TELEMETRY_DISABLED: '1',
        LANGCHAIN_TRACING_V2: 'false',
        LANGSMITH_TRACING: 'false',
      },
    });
    return readReport(stdout);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The last line: a program may have said something before. */
export function readReport(stdout: string): PeerReport {
  const [line = ''] = stdout.trimEnd().split('\n').slice(-1);
  return PeerReport.parse(JSON.parse(line));
}
