import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installedIn, userEnvironment } from '../package/installed.ts';
import { type Figure, median } from './measure.ts';

const REPEATS = 7;

/** What the installed program costs until it says something, in CPU time of its process, user and system together. */
export async function startingFigures(): Promise<Figure[]> {
  const home = mkdtempSync(join(tmpdir(), 'loopfold-installed-'));
  try {
    const { folder } = await installedIn(home);
    const bin = join(folder, 'node_modules', 'loopfold', 'src', 'cli', 'bin.mjs');
    const rounds: { empty: number; help: number; demo: number }[] = [];
    // The first round fills Node's compile cache, as a user's first call does.
    for (let round = 0; round <= REPEATS; round += 1) {
      const empty = await cpuUntilSaid(['--eval', 'console.log(0)'], folder);
      const help = await cpuUntilSaid([bin, '--help'], folder);
      const demo = await cpuUntilSaid([bin, 'demo'], folder);
      if (round > 0) rounds.push({ empty, help, demo });
    }
    const of = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick));
    return [
      { name: 'CPU of an empty program', value: of(({ empty }) => empty), unit: 'ms', bound: null },
      {
        name: 'CPU of loopfold --help',
        value: of(({ help }) => help),
        unit: 'ms',
        bound: { atMost: 150 },
        absolute: true,
      },
      {
        name: 'loopfold --help, of an empty program',
        value: of(({ help, empty }) => help / empty),
        unit: '×',
        bound: { atMost: 4 },
      },
      {
        name: 'CPU until the first line of the demo',
        value: of(({ demo }) => demo),
        unit: 'ms',
        bound: { atMost: 1000 },
        absolute: true,
      },
    ];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** CPU milliseconds of a process when its first words arrive. */
async function cpuUntilSaid(words: readonly string[], folder: string): Promise<number> {
  const child = spawn(process.execPath, ['--import', REPORT, ...words], {
    cwd: folder,
    env: userEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  const report = child.stdio[3];
  if (!report || !('setEncoding' in report)) throw new Error('the process has no place to report to');
  const [said] = (await once(report, 'data')) as [Buffer];
  child.kill('SIGKILL');
  await exited;
  return Number(said.toString()) / 1000;
}

/** Writes the microseconds used so far to descriptor 3 once anything is printed. */
const REPORT = `data:text/javascript,${encodeURIComponent(`
import { writeSync } from 'node:fs';
let said = false;
for (const stream of [process.stdout, process.stderr]) {
  const write = stream.write;
  stream.write = (...words) => {
    if (!said) {
      said = true;
      const { user, system } = process.cpuUsage();
      writeSync(3, String(user + system));
    }
    return write.apply(stream, words);
  };
}
`)}`;
