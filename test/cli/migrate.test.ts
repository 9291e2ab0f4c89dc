import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chart } from '../repository/stately/edits.ts';
import { folder, MODEL, project } from './program.ts';
import { loopfold } from './warm-process.ts';

const root = join(import.meta.dirname, '../..');
const asks = { calls: [{ tool: 'ask_user', arguments: { question: 'Which colour?', choices: [] } }] };

/** The program after an edit of its turn that is a new version, as the guide says it is made. */
async function withSecondVersion(): Promise<string> {
  const copy = await folder();
  await mkdir(join(copy, 'src'));
  await Promise.all(
    ['src', 'machines', 'package.json', 'test/cli/warm.process.ts'].map((part) =>
      cp(join(root, part), join(copy, part), { recursive: true }),
    ),
  );
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  const change = async (path: string, from: string, edit: (text: string) => string) => {
    const text = await readFile(join(copy, from), 'utf8');
    const after = edit(text);
    if (after === text) throw new Error(`nothing was edited in ${path}`);
    await writeFile(join(copy, path), after);
  };
  const TURN = 'machines/turn.machine.ts';
  await change('machines/past/turn.1.machine.ts', TURN, (text) => text.replaceAll("from './", "from '../"));
  await change(TURN, TURN, (text) =>
    chart({ type: 'rename_state', path: ['tools', 'awaitingPerson'], name: 'asking' })(text).replace(
      "version: '1'",
      "version: '2'",
    ),
  );
  await change('machines/index.ts', 'machines/index.ts', (text) =>
    text
      .replace(
        "import { turn } from './turn.machine.ts';",
        "$&\nimport { turn as firstTurn } from './past/turn.1.machine.ts';",
      )
      .replace("id: 'turn@1',", "id: 'turn@2',")
      .replace(
        'export const iterationEntry',
        `
const awaiting = '{"tools":"awaitingPerson"}';
const renamed = (value: unknown) => (JSON.stringify(value) === awaiting ? { tools: 'asking' } : value);
export const migrate: Migration['migrate'] = (frozen) => ({ ...frozen, value: renamed(frozen.value) });
const migration = { to: turnEntry, migrate };
export const firstTurnEntry: CatalogueEntry = { ...turnEntry, id: 'turn@1', machine: firstTurn, migration };

$&`,
      )
      .replace(/= \[\s*turnEntry,/, '= [turnEntry, firstTurnEntry,'),
  );
  await change('src/loops/index.ts', 'src/loops/index.ts', (text) =>
    text
      .replace('import type', "import { firstTurnEntry, migrate } from '../../machines/index.ts';\n$&")
      .replace(
        /\[\s*turnLoop,/,
        '[turnLoop, { ...turnLoop, ...firstTurnEntry, migration: { to: turnLoop, migrate } } as LoopDefinition,',
      ),
  );
  return join(copy, 'src/cli/main.ts');
}

test('a run that was left in the middle is taken along to a chart that was edited since', async () => {
  const cwd = await project({ answers: [asks, asks, { text: 'painted' }] }, {}, false);
  expect((await loopfold(['run', 'x', '--loop', 'turn', ...MODEL], { cwd })).status).toBe(14);
  const file = await withSecondVersion();
  const of = (...words: string[]) => loopfold(words, { cwd, file });

  expect((await of('rebuild', '--json')).stdout).toContain('awaitingPerson');
  expect((await of('answer', '--last', 'blue')).status).toBe(0);
  const resumed = await of('resume', '--last', '--migrate');
  expect(resumed.stderr).toContain('continues under turn@2');
  expect(resumed.status).toBe(14);
  expect((await of('rebuild', '--json')).stdout).toContain('"asking"');

  expect((await of('answer', '--last', 'red')).status).toBe(0);
  expect(await of('resume', '--last')).toMatchObject({ status: 0, stdout: 'painted\n' });
  const { stdout } = await of('events');
  expect(stdout.match(/^.*run\.migrated.*$/gm)).toEqual([expect.stringContaining('from turn@1 to turn@2')]);
  for (const words of [['show'], ['check'], ['redecide', '--last'], ['runs']])
    expect({ words, status: (await of(...words)).status }).toEqual({ words, status: 0 });

  const unknown = await loopfold(['rebuild'], { cwd });
  expect(unknown).toMatchObject({ status: 7, stdout: '' });
  expect(unknown.stderr).toContain('turn@2');
  expect(unknown.stderr).toContain('there is no migration from turn@1 to turn@2');
});
