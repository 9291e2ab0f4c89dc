import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { MARK_VARIABLE } from '../../src/actors/command-mark.ts';
import { UNATTENDED } from '../../src/actors/agent-shell.ts';
import { runCheck } from '../../src/actors/verify/check-run.ts';
import { root } from '../repository/tool.ts';

afterEach(() => void vi.unstubAllEnvs());

test('a check sees exactly the variables that the record lists, and those by which programs ask nothing', async () => {
  const record = readFileSync(join(root, 'docs/decisions/0011-environment-of-commands.md'), 'utf8');
  const listed = record.slice(record.indexOf('## Decision'), record.indexOf('(['));
  const names = [...listed.matchAll(/`([A-Z]+)`/g)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(3);
  expect(listed).toContain('`LC_`');
  expect(record).toContain(`\`${MARK_VARIABLE}\``);
  const set = [...names.filter((name) => !['PATH', 'HOME', 'TMPDIR'].includes(name)), 'LC_TIME', 'LC_SOMETHING_NEW'];
  for (const name of [...set, 'NODE_ENV', 'CI', 'API_KEY', 'PATHS', 'MY_HOME']) vi.stubEnv(name, `our ${name}`);
  vi.stubEnv('TMPDIR', '/tmp');

  const check = { level: 'L0', name: 'env', command: 'env', timeoutMs: 120_000 } as const;
  const signal = new AbortController().signal;
  const result = (await runCheck({ run: 'r', check, directory: root, environment: [], signal, onOutput: () => {} }))
    ?.result;

  // What the shell itself adds is no variable of ours.
  const ofTheShell = ['PWD', 'OLDPWD', 'SHLVL', '_'];
  const seen = [...(result?.output ?? '').matchAll(/^(\w+)=/gm)].map(([, name = '']) => name);
  expect(seen.filter((name) => !ofTheShell.includes(name)).toSorted()).toEqual(
    [...names, ...Object.keys(UNATTENDED), 'LC_TIME', 'LC_SOMETHING_NEW', MARK_VARIABLE].toSorted(),
  );
});
