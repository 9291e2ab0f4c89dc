import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scriptedModel } from '../../src/actors/model/model-script.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { git } from '../../src/git/process/git.ts';
import { Loops } from '../../src/hosts/local/local-host.ts';
import { readEvents } from '../../src/log/reading.ts';
import { type Figure, repeated } from './measure.ts';

const FILES = 10_000;
const FILES_OF_A_FOLDER = 100;
/** A comment in each of so many files. */
const COMMENTED = 20;
const LINES = 40;

/** How long an improvement loop takes to look at a large repository, without the commands of its checks. */
export async function discoveryFigures(): Promise<readonly Figure[]> {
  const [found] = await repeated(1, discovered);
  if (!found) throw new Error('nothing was measured');
  return [
    {
      name: `discovery in ${FILES} files (${found.count} found)`,
      value: found.seconds,
      unit: 's',
      bound: { atMost: 5 },
      absolute: true,
    },
  ];
}

async function discovered(folder: string): Promise<{ readonly seconds: number; readonly count: number }> {
  const directory = join(folder, 'project');
  await makeProject(directory);
  const log = memoryLog();
  const model = scriptedModel({ answers: [{ text: 'done' }] });
  const loops = new Loops({ log, holds: join(folder, 'holds.db'), warn: () => {}, model });
  const phases = {
    experiment: { enabled: false },
    discovery: { lcov: '../lcov.info', logs: ['../app.log'], sources: ['todos', 'coverage', 'logs', 'runs'] },
  };
  const about = { directory, prompt: 'Keep it small.', checks: ['L0:true'], maxIterations: 1 };
  const { run, done } = await loops.start({ loop: 'improvement', ...about, options: { phases } });
  await done;
  let began = 0;
  for await (const read of readEvents(log, run)) {
    if (read.kind !== 'event') continue;
    const { type, payload, at } = read.event;
    if (type === 'iteration.started') began = Date.parse(at);
    if (type !== 'discovery.completed') continue;
    const failed = payload.sources.filter(({ fault }) => fault);
    if (failed.length > 0) throw new Error(JSON.stringify(failed));
    return { seconds: (Date.parse(at) - began) / 1_000, count: payload.discoveries.length + payload.left };
  }
  throw new Error('nothing was discovered');
}

async function makeProject(directory: string): Promise<void> {
  const covered: string[] = [];
  for (let index = 0; index < FILES; index += 1) {
    const inside = `src/${Math.floor(index / FILES_OF_A_FOLDER)}`;
    if (index % FILES_OF_A_FOLDER === 0) mkdirSync(join(directory, inside), { recursive: true });
    const path = `${inside}/${index}.ts`;
    const comment = index % COMMENTED === 0 ? `// TODO: handle case ${index}\n` : '';
    writeFileSync(join(directory, path), comment + `export const value = ${index};\n`.repeat(LINES));
    covered.push(
      `SF:${path}`,
      ...Array.from({ length: LINES }, (_, line) => `DA:${line + 1},${index % 2}`),
      'end_of_record',
    );
  }
  writeFileSync(join(directory, '../lcov.info'), covered.join('\n'));
  const lines = Array.from({ length: 20_000 }, (_, line) => `ERROR case ${line % 50} failed in 12 ms`);
  writeFileSync(join(directory, '../app.log'), lines.join('\n'));
  writeFileSync(join(directory, '.gitignore'), '.loopfold/\n');
  await git(['init', '--quiet', '--initial-branch=main'], { directory });
  for (const setting of AUTHOR) await git(['config', ...setting.split('=')], { directory });
  await git(['add', '--all'], { directory });
  await git(['commit', '--quiet', '--message', 'a project'], { directory });
}

const AUTHOR = ['user.name=bench', 'user.email=bench@localhost', 'gc.auto=0'];
