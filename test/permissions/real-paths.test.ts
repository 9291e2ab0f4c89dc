import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ledElsewhere } from '../../src/actors/real-paths.ts';
import { temporaryFolder } from '../git/repository.ts';
import { factsOf, office, outputsIn } from '../hosts/local/office.ts';
import { rules } from './rulings.ts';

/** A workspace with a link `docs/link` to `src`, `docs/out` to a folder elsewhere, and `docs/new` to nothing yet. */
async function linked() {
  const [directory, elsewhere] = [await temporaryFolder(), await temporaryFolder()];
  for (const name of ['docs', 'src']) await mkdir(join(directory, name));
  await writeFile(join(directory, 'src/a.ts'), 'a');
  await symlink('../src', join(directory, 'docs/link'));
  await symlink(elsewhere, join(directory, 'docs/out'));
  const led = (texts: readonly string[], tool: string, given: object, profile?: 'edit') =>
    ledElsewhere(
      { tool, arguments: given as never },
      {
        permissions: { rules: rules(...texts), ...(profile ? { profile } : {}) },
        directory,
        isWalled: true,
        isForeign: false,
      },
    );
  return { directory, elsewhere, led };
}

test('X9 a path is ruled by the place that its links lead to, also where the file is not there yet', async () => {
  const { led, elsewhere } = await linked();
  const deny = ['deny edit path=src/**'];
  expect(await led(deny, 'write', { path: 'docs/link/a.ts' })).toMatchObject({ action: 'deny', real: 'src/a.ts' });
  expect(await led(deny, 'write', { path: 'docs/link/new/b.ts' })).toMatchObject({ real: 'src/new/b.ts' });
  expect(await led(deny, 'write', { path: 'docs/a.md' })).toBeNull();
  expect(await led([], 'write', { path: 'docs/out/x' }, 'edit')).toMatchObject({
    action: 'ask',
    real: `${elsewhere}/x`,
  });
  expect(await led([], 'write', { path: 'docs/link/a.ts' }, 'edit')).toBeNull();
  expect(await led(['allow edit path=docs/**', 'deny edit'], 'edit', { path: 'docs/link/a.ts' })).toMatchObject({
    action: 'deny',
    because: 'deny edit',
  });
  expect(await led(['deny shell path=src/**'], 'shell', { command: 'cat docs/link/a.ts' })).toMatchObject({
    path: 'docs/link/a.ts',
  });
  expect(await led(deny, 'shell', { command: 'echo x > docs/link/a.ts' })).toMatchObject({ real: 'src/a.ts' });
});

test('X9 what is asked anyway is not refused for where it leads', async () => {
  const { led } = await linked();
  expect(await led(['ask edit'], 'write', { path: 'docs/link/a.ts' })).toBeNull();
});

test('X9 a call through a link to a denied place does not run, and the model reads where it leads', async () => {
  const { directory } = await linked();
  const write = { tool: 'write', arguments: { path: 'docs/link/a.ts', content: 'b' } };
  const { start, requests, log } = office({ answers: [{ calls: [write] }, { text: 'done' }] });
  const options = { directory, sandbox: 'off', tools: ['write'], permissions: ['deny edit path=src/**'] } as const;
  const live = await start({ ...options, tools: [...options.tools], permissions: [...options.permissions] });
  expect(await live.done).toMatchObject({ kind: 'ended' });
  expect(requests.flatMap(outputsIn)).toEqual([
    'not permitted: docs/link/a.ts leads to src/a.ts (deny edit path=src/**). Go on without it.',
  ]);
  expect(await factsOf(log, live.run, 'tool.failed')).toMatchObject([
    { payload: { fault: { code: 'not_permitted' } } },
  ]);
});
