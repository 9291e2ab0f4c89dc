import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cruise, fewestModules } from './layers.ts';
import { scratch } from './scratch.ts';
import { root } from './tool.ts';

/** One file of every folder, top to bottom. Each offence below is one import, in a file of its own. */
const column = [
  'machines/a.ts',
  'src/text/a.ts',
  'src/options/a.ts',
  'src/evidence/a.ts',
  'src/strategies/a.ts',
  'src/ralph/a.ts',
  'src/prompt/a.ts',
  'src/detectors/a.ts',
  'src/permissions/a.ts',
  'src/budget/a.ts',
  'src/log/a.ts',
  'src/git/a.ts',
  'src/actors/a.ts',
  'src/agents/a.ts',
  'src/config/a.ts',
  'src/kernel/a.ts',
  'src/judging/a.ts',
  'src/runtime/a.ts',
  'src/charts/a.ts',
  'src/termination/a.ts',
  'src/testing/a.ts',
  'src/projections/a.ts',
  'src/ports/a.ts',
  'src/verification/a.ts',
  'src/loops/a.ts',
  'src/redecide/a.ts',
  'src/replay/a.ts',
  'src/app/a.ts',
  'src/hosts/a.ts',
  'src/triggers/a.ts',
  'src/http/a.ts',
  'src/studio/a.ts',
  'src/cli/a.ts',
  'src/index.ts',
];

const offences: Record<string, { readonly file: string; readonly imports: readonly string[] }> = {
  ...Object.fromEntries(column.slice(0, -1).map((file, index) => [arrowOf(file), pointsDown(file, index)])),
  'machines-packages': { file: 'machines/dates.ts', imports: ['rxjs'] },
  'machines-node': { file: 'machines/clock.ts', imports: ['node:timers'] },
  'engines-are-strangers': { file: 'src/log/postgres/a.ts', imports: ['src/log/sqlite/a.ts'] },
  'actors-are-strangers': { file: 'src/actors/agent/a.ts', imports: ['src/actors/model/a.ts'] },
  'engines-are-handed-in': { file: 'src/runtime/commit.ts', imports: ['src/log/sqlite/a.ts'] },
  'actors-are-handed-in': { file: 'src/cli/run.ts', imports: ['src/actors/model/a.ts'] },
  'git-is-handed-in': { file: 'src/cli/commit.ts', imports: ['src/git/a.ts'] },
  'attempts-ask-a-host': { file: 'src/loops/turn/disk.ts', imports: ['node:fs/promises'] },
  'actors-start-processes': { file: 'src/app/shell.ts', imports: ['node:child_process'] },
  'xstate-importers': { file: 'src/kernel/fold.ts', imports: ['xstate'] },
  'graph-importer': { file: 'src/testing/paths.ts', imports: ['xstate/graph'] },
  'redecide-touches-nothing': { file: 'src/redecide/diary.ts', imports: ['node:fs'] },
  'judging-and-running-are-strangers': { file: 'src/runtime/judge.ts', imports: ['src/judging/a.ts'] },
  'kernel-is-pure': { file: 'src/kernel/dates.ts', imports: ['node:timers'] },
  'sqlite-importer': { file: 'src/log/memory/a.ts', imports: ['node:sqlite'] },
  'build-ships-nothing': { file: 'src/testing/built.ts', imports: ['src/build/bundle.ts'] },
  'nobody-imports-tests': { file: 'src/testing/borrowed.ts', imports: ['test/a.ts'] },
  'declared-packages': { file: 'src/testing/laws.ts', imports: ['vitest'] },
  'everything-resolves': { file: 'src/config/gone.ts', imports: ['src/config/nowhere.ts'] },
  'command-line-names-no-host': { file: 'src/cli/worker.ts', imports: ['src/hosts/a.ts'] },
  'no-cycles': { file: 'src/budget/chicken.ts', imports: ['src/budget/egg.ts'] },
  'no-orphans': { file: 'src/charts/forgotten.ts', imports: [] },
  'only-hosts-compose': {
    file: 'src/testing/proof-environment.ts',
    imports: ['src/log/memory/b.ts', 'src/actors/model/a.ts'],
  },
};

const permitted: Record<string, readonly string[]> = {
  'machines/turn.ts': ['xstate', 'immer', 'zod', 'machines/a.ts'],
  'src/kernel/step.ts': ['xstate', 'machines/a.ts'],
  'src/testing/graph.ts': ['xstate/graph'],
  'src/log/sqlite/a.ts': ['node:sqlite', 'src/log/a.ts'],
  'src/log/memory/b.ts': ['src/log/a.ts'],
  'src/actors/model/a.ts': ['src/actors/a.ts'],
  'src/hosts/local.ts': ['src/log/sqlite/a.ts', 'src/actors/model/a.ts', 'src/git/a.ts'],
  'src/loops/contest/effects/a.ts': ['src/git/a.ts', 'node:fs'],
  'src/loops/turn/b.ts': ['type:src/git/a.ts'],
  'src/actors/run-command.ts': ['execa', 'node:child_process'],
  'src/redecide/b.ts': ['node:util', 'src/projections/a.ts'],
  'src/runtime/dispatch.ts': ['type:src/actors/model/a.ts', 'type:src/git/a.ts'],
  'src/budget/egg.ts': ['src/budget/chicken.ts'],
  'src/hosts/a.ts': ['src/projections/a.ts'],
  'src/build/bundle.ts': ['rolldown'],
  'src/cli/hosts.ts': ['src/hosts/a.ts'],
  'test/a.ts': ['zod'],
};

function arrowOf(file: string) {
  const [, folder] = /^(?:src\/)?([a-z]+)/.exec(file) ?? [];
  return `arrow-${folder}`;
}

function pointsDown(file: string, index: number) {
  return { file: file.replace(/a\.ts$/, 'downward.ts'), imports: [column[index + 1] ?? ''] };
}

function importing(file: string, imports: readonly string[]) {
  const up = file
    .split('/')
    .slice(1)
    .map(() => '..')
    .join('/');
  const lines = imports.map((written) => {
    const path = written.replace('type:', '');
    const from = /^(machines|src|test)\//.test(path) ? `${up}/${path}` : path;
    return written === path ? `import '${from}';` : `import type {} from '${from}';`;
  });
  return [...lines, 'export {};'].join('\n');
}

describe('the layers', () => {
  test('the tree keeps every rule, and the rules saw the tree', () => {
    const { modules, broken } = cruise(root);
    expect(broken).toEqual([]);
    expect(modules.length).toBeGreaterThanOrEqual(fewestModules);
  });

  test('every rule catches its own offence, and only that', () => {
    const files: Record<string, string> = { 'package.json': readFileSync(join(root, 'package.json'), 'utf8') };
    for (const file of column) files[file] = importing(file, ['zod']);
    for (const [file, imports] of Object.entries(permitted)) files[file] = importing(file, imports);
    for (const { file, imports } of Object.values(offences)) files[file] = importing(file, imports);

    const { broken, rules } = cruise(scratch(files));

    const caught = Object.groupBy(broken, ({ from }) => from);
    const expected = Object.entries(offences).map(([rule, { file }]) => [file, [rule]]);
    const found = Object.entries(caught).map(([from, all]) => [from, [...new Set(all?.map(({ rule }) => rule))]]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
    expect(Object.keys(offences).toSorted()).toEqual([...rules].toSorted());
  });
});
