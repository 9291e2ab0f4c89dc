import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { builtInNames } from '../../src/redecide/other-judge.ts';
import { redecideTree } from '../../src/redecide/redecide-tree.ts';
import { redecide } from '../../src/redecide/redecide-run.ts';
import { root } from '../repository/tool.ts';
import { createHarness } from '../support/harness.ts';
import { testInTurn } from '../support/in-turn.ts';
import { note, verdicts } from '../support/stand-ins.ts';
import { forbidden } from './forbidden.ts';
import { factsOf } from './recorded.ts';

const recorded = async (loop: 'turn' | 'iteration') => {
  const harness = createHarness({
    tools: [note],
    services: { verify: verdicts(false) },
    model: ({ step }) =>
      step < 4 ? { calls: [{ tool: 'note', arguments: { step: Math.floor(step / 2) } }] } : { text: 'done' },
  });
  const { run } = await harness.play({ loop, checks: ['npm test'], maxSteps: 9, maxIterations: 3 });
  return { log: harness.log, run, facts: await factsOf(harness.log, run) };
};

testInTurn.each(['turn', 'iteration'] as const)(
  'a %s is judged again while clock, network, processes and disk are forbidden',
  async (loop) => {
    const { facts } = await recorded(loop);
    const names = builtInNames();
    const allow = forbidden();
    try {
      expect(() => Date.now()).toThrow('touched');
      const same = await redecide(facts, {}, names);
      const less = await redecide(
        facts,
        { detectors: ['strict'], limits: { maxSteps: 1, maxIterations: 1 }, strategy: { name: 'ralph', config: {} } },
        names,
      );
      allow();
      expect(same).toMatchObject({ conclusion: 'agrees', differsFrom: null });
      expect(less.conclusion).toBe('stops_earlier');
    } finally {
      allow();
    }
  },
);

testInTurn('a whole tree is judged again by reading the log alone: none of its writing members is called', async () => {
  const { log, run } = await recorded('iteration');
  const reading = ['pages', 'run', 'tree', 'verifyTree'];
  const called = new Set<string>();
  const readable = new Proxy(log, {
    get: (target, name) => {
      called.add(String(name));
      if (!reading.includes(String(name))) throw new Error(`${String(name)} was called`);
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
  expect(await redecideTree(readable, run, { detectors: ['strict'] }, builtInNames())).toMatchObject({
    judgements: expect.any(Number),
  });
  expect(called).toContain('pages');
});

test('children that a fork shares are verified: they belong to the tree that it continues', async () => {
  const { log, run } = await recorded('iteration');
  const [, ...children] = await log.tree(run);
  const { version = 0 } = (await log.run(run)) ?? {};
  await log.fork({ from: run, at: version, to: 'fork' });
  const verifyTree = vi.spyOn(log, 'verifyTree');
  await redecideTree(log, 'fork', {}, builtInNames());
  expect(children.length).toBeGreaterThan(1);
  expect(verifyTree.mock.calls.map(([asked]) => asked)).toEqual(['fork', ...children.map((child) => child.run)]);
});

test('rows that lead round in circles are judged once each', async () => {
  const { log, run } = await recorded('iteration');
  const circular = new Proxy(log, {
    get: (target, name) => {
      if (name !== 'tree') return Reflect.get(target, name) as unknown;
      return async (root: string) =>
        (await target.tree(root)).map((record) =>
          record.parentEffect === null ? { ...record, parentEffect: `${run}/1/0` } : record,
        );
    },
  });
  const tree = async (of: typeof log) => (await redecideTree(of, run, {}, builtInNames())).judgements;
  expect(await tree(circular)).toBe(await tree(log));
});

testInTurn(
  'a process that may read its own sources, and nothing else of this machine, judges a run again',
  async () => {
    const { facts } = await recorded('turn');
    const script = fileURLToPath(new URL('./judging.process.ts', import.meta.url));
    const readable = [root, realpathSync(join(root, 'node_modules'))];
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [
        '--permission',
        ...readable.map((folder) => `--allow-fs-read=${folder}/*`),
        '--no-warnings',
        script,
        JSON.stringify({ limits: { maxSteps: 2 } }),
      ],
      { cwd: root, input: facts.map((fact) => JSON.stringify(fact)).join('\n'), encoding: 'utf8' },
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ conclusion: 'stops_earlier', turn: { after: 2, verdict: 'cap_hit' } });
  },
);
