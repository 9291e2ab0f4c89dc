import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { lastValueFrom, toArray } from 'rxjs';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { originRepository } from '../../../../src/git/worktree/origin-repository.ts';
import type { Check } from '../../../../machines/settings.ts';
import { takenBaseline } from '../../../../src/verification/baseline-of-check.ts';
import { testInTurn } from '../../../support/in-turn.ts';
import { repository, temporaryFolder } from '../../../git/repository.ts';
import { type Files, HAS_WALLS, WAYS, worked } from './proof-project.ts';

const IGNORED = 'node_modules\n.env.test\n.cachefile\ndata\ndist\n';

let home = '';
beforeEach(async () => {
  home = await temporaryFolder();
  const before = process.env['HOME'];
  onTestFinished(() => void (process.env['HOME'] = before));
  process.env['HOME'] = home;
});

async function put(folder: string, files: Files): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

interface Lacking {
  readonly command: string;
  readonly files?: Files;
  readonly installed?: Files;
  readonly check?: Partial<Check>;
}

/** The baseline of a project as it was committed. */
async function baseline({ command, files = {}, installed = {}, check = {} }: Lacking, probe = WAYS[0]?.options.probe) {
  const { root, commit, git } = await repository({ '.gitignore': IGNORED, ...files });
  await commit();
  await put(root, installed);
  const origin = await originRepository(root);
  if (!origin) throw new TypeError('no repository');
  const tree = (await git('rev-parse', 'HEAD^{tree}')).trim();
  const one = { level: 'L1' as const, name: 'unit', command, timeoutMs: 60_000, ...check };
  const taken = await takenBaseline(
    {
      origin,
      base: tree,
      work: tree,
      head: null,
      checks: [one],
      protect: [],
      unprotect: [],
      deps: ['node_modules'],
      provided: { root, files: [] },
      prepare: [],
      homePaths: [],
      since: new Date(),
    },
    { run: 'r', checks: [one], environment: [], signal: new AbortController().signal, delta: () => {}, probe },
  );
  return taken?.fault?.message ?? null;
}

/** Passes where all of these files are there. */
const needs = (...paths: readonly string[]) => paths.map((path) => `test -e ${path}`).join(' && ');
const AROUND: Files = { '.cachefile': '', 'data/x': '', 'node_modules/a/index.js': '' };

describe.each(WAYS)('V1 walls $walls: a check that fails for what a checkout lacks', ({ options: { probe } }) => {
  test('V1 is told the one ignored file, with the setting that gives it', async () => {
    const said = await baseline({ command: needs('.env.test'), installed: { ...AROUND, '.env.test': 'A=1' } }, probe);
    expect(said).toContain('unit fails in a clean checkout');
    expect(said).toContain('which is .env.test, which no capture has: --provide .env.test. Or let');
  });

  test('V1 is told to build what a build makes', async () => {
    const installed = { ...AROUND, 'dist/main.js': '' };
    expect(await baseline({ command: needs('dist/main.js'), installed }, probe)).toContain(
      'which is dist, which a build makes: --prepare with',
    );
  });

  testInTurn("B7 is told the project's own build, which was tried and with which it passes", async () => {
    const installed = { ...AROUND, 'dist/main.js': 'x' };
    const building = (build: string) => ({ 'package.json': JSON.stringify({ scripts: { build } }) });
    const said = (build: string) =>
      baseline({ command: needs('dist/main.js', 'data/x'), installed, files: building(build) }, probe);
    expect(await said('mkdir dist && touch dist/main.js')).toMatch(
      /data, which .*--provide data; and dist, which a build makes: --prepare 'npm run build', with which it passes/,
    );
    expect(await said('touch elsewhere')).toContain('--prepare with the command that builds it');
  });

  test('V1 is told the place in the home', async () => {
    await put(home, { '.tool/settings': '', '.other/x': '', '.third': '' });
    const command = 'test -e "$HOME/.tool/settings"';
    expect(await baseline({ command, installed: AROUND }, probe)).toContain('which is ~/.tool: --home-path .tool. Or');
  });

  test('V1 is told all that it needs, and nothing else', async () => {
    await put(home, { '.tool/settings': '', '.other/x': '' });
    const said = await baseline(
      { command: `${needs('.env.test')} && test -e "$HOME/.tool"`, installed: { ...AROUND, '.env.test': '' } },
      probe,
    );
    expect(said).toContain('--provide .env.test; and ~/.tool: --home-path .tool. Or');
  });

  test('V1 of several tests is one that fails for this, beside one that fails for the work', async () => {
    const file = `const { test } = require('node:test'); const fs = require('node:fs');
test('needs', () => fs.readFileSync('.env.test')); test('work', () => { throw new Error('to do'); });`;
    const files = { 'unit.test.cjs': file };
    const said = await baseline({ command: 'node --test', files, installed: { '.env.test': '' } }, probe);
    expect(said).toContain('--provide .env.test');
    expect(await baseline({ command: 'node --test', files }, probe)).toBeNull();
  });

  test('V1 a check that fails for the work is no fault, whatever lies around', async () => {
    await put(home, { '.tool': '' });
    expect(
      await baseline({ command: 'grep -q done work.txt', files: { 'work.txt': '' }, installed: AROUND }, probe),
    ).toBe(null);
  });
});

test.runIf(HAS_WALLS)('V1 a check that fails without the network is told so', async () => {
  const server = createServer((_request, answer) => answer.end('done'));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const command = `node -e "fetch('http://127.0.0.1:${port}').catch(() => process.exit(2))"`;
  expect(await baseline({ command, installed: AROUND })).toContain(
    'which is the network: "network": true of the check',
  );
  expect(await baseline({ command, installed: AROUND, check: { network: true } })).toBeNull();
});

test('V1 a check that fails now and then is no fault of its place', async () => {
  const seen = join(await temporaryFolder(), 'seen');
  // Fails the first time.
  const command = `test -e ${seen} || { touch ${seen}; exit 1; }`;
  expect(await baseline({ command, installed: AROUND }, async () => 'none are wanted')).toBeNull();
});

test('V1 the setting that is named cures it, and before that no model is asked', async () => {
  const project = {
    files: { '.gitignore': `.loopfold\n${IGNORED}`, 'work.txt': 'begun' },
    installed: { '.env.test': '' },
    checks: [`L1:${needs('.env.test')} && grep -q done work.txt`, `L1:${needs('.env.test')}`],
  };
  const work = { write: { 'work.txt': 'done' } };
  const lacking = await worked(project, work, { checkIn: 'proof' });
  const events = await lastValueFrom(lacking.loops.events(lacking.run).pipe(toArray()));
  expect(lacking.ending).toBe('abort');
  expect(events.map(({ type }) => String(type))).not.toContain('model.completed');
  expect((await worked(project, work, { checkIn: 'proof', provide: ['.env.test'] })).ending).toBe('success');
});

test('V1 work that passes in the folder for what it built there is told what a checkout lacks', async () => {
  const check = `const { existsSync } = require('node:fs');
process.exit(existsSync('uses-build') && !existsSync('dist/main.js') ? 1 : 0);`;
  const files = { '.gitignore': `.loopfold\n${IGNORED}`, 'check.cjs': check };
  const work = { write: { 'uses-build': '', 'dist/main.js': '' } };
  const built = await worked({ files, installed: { '.env.test': '' }, checks: ['L1:node check.cjs'] }, work, {
    checkIn: 'proof',
  });
  const events = await lastValueFrom(built.loops.events(built.run).pipe(toArray()));
  expect(JSON.stringify(events)).toContain(
    'With your work, node check.cjs fails in a clean checkout for what it does not have, which is dist, which a build makes',
  );
});

test('V3 checks of a proof read what they are given of the home, and no more', async () => {
  await put(home, { '.tool/bin/x': '', '.other': '', '.cargo/bin/y': '' });
  const project = {
    files: { '.gitignore': `.loopfold\n${IGNORED}`, 'work.txt': '' },
    checks: [
      'L1:test -e "$HOME/.tool/bin/x" && test -e "$HOME/.cargo/bin/y" && test ! -e "$HOME/.other" && test -s work.txt',
    ],
  };
  const work = { write: { 'work.txt': 'done' } };
  expect((await worked(project, work, { checkIn: 'proof', homePaths: ['.tool/bin', '.cargo'] })).ending).toBe(
    'success',
  );
});
