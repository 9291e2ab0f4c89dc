import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Dispute } from '../../machines/recorded-proof.ts';
import type { Actor } from '../../src/actors/actor.ts';
import type { VerifyInput } from '../../src/actors/verify/verify-actor.ts';
import { STATE_FILE } from '../../src/ralph/ralph-options.ts';
import type { RunOptions } from '../../src/config/options.ts';
import { LEASE_TTL_MS } from '../../src/log/lease-store.ts';
import type { ObservedRun } from '../support/observers.ts';
import { disputed } from '../support/facts.ts';
import { ended } from '../support/run-history.ts';
import { capturing, note, tool, untilStopped, verdicts, verifying } from '../support/stand-ins.ts';
import type { Tool } from '../../src/actors/tools/tool.ts';
import type { Production } from './productions.ts';

/** More than the times of files are apart that a file system tells apart. */
const FILE_TIME_MS = 50;
const PROMISE = '<promise>TASK COMPLETE</promise>';
const CHECKS = ['L0:tsc', 'L1:npm test'];
const edits = (from: string, to: string) => ({ tool: 'edits', arguments: { from, to } });
const slow = untilStopped('slow', () => Promise.reject(new Error('cut short')));

/** The folder that a state file lies in. */
class Desk {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** What people do with an editor, and an agent with a shell. */
  async edit(from: string, to: string): Promise<void> {
    const path = join(this.folder, STATE_FILE);
    const text = await readFile(path, 'utf8');
    if (!text.includes(from)) throw new Error(`the state file does not say ${from}:\n${text}`);
    await writeFile(path, text.replace(from, to));
  }

  /** After a pause in which nothing else changes: the times that a file system notes are coarse. */
  async editLater(from: string, to: string): Promise<void> {
    await setTimeout(FILE_TIME_MS);
    await this.edit(from, to);
    await setTimeout(FILE_TIME_MS);
  }

  /** An agent's tool that does the same. */
  readonly edits = tool('edits', async ({ from, to }) => {
    await this.edit(String(from), String(to));
    return { output: 'edited' };
  });

  asked(label: string, more: Partial<RunOptions> = {}): Partial<RunOptions> {
    return { labels: [label], prompt: 'Mend the clock.', directory: this.folder, checks: CHECKS, ...more };
  }
}

const at =
  (play: (desk: Desk, recorder: Parameters<Production['play']>[0]) => Promise<unknown>): Production['play'] =>
  async (recorder) => {
    const folder = await mkdtemp(join(tmpdir(), 'state-file-'));
    try {
      return await play(new Desk(folder), recorder);
    } finally {
      await rm(folder, { recursive: true });
    }
  };

/** Checks that fail without the work's own tests, and say these of them. */
const disputing = (...said: readonly (readonly [Dispute['is'], string])[]): Actor<VerifyInput> => {
  const left = [...said];
  return {
    effectClass: () => 'repeatable',
    async *execute({ workspace }) {
      const [is, digest] = left.shift() ?? ['told', 'tests-1'];
      yield disputed(digest, workspace, is);
    },
  };
};

/** The digest of the edit that waits for a person. */
async function heldIn({ observer }: ObservedRun): Promise<string> {
  const { payload } = await observer.until('state_file.edited', (fact) => fact.payload.edit.held);
  return payload.edit.digest;
}

/** The loop with a state file. */
export const ralphProductions: Readonly<Record<string, Production>> = {
  'ralph-success': {
    about: 'A Ralph loop: a promise while checks fail, then an edit by the agent that a person allows, then success.',
    play: at(async (desk, recorder) => {
      const harness = recorder.harness({
        tools: [note, desk.edits],
        services: { verify: verdicts(false, false, true) },
        model: ({ iteration, step }) =>
          step === 0 && iteration !== 2
            ? { calls: [iteration === 1 ? edits('max_iterations: 2', 'max_iterations: 3') : { tool: 'note' }] }
            : { text: `Attempt ${iteration}.\n\n${PROMISE}` },
      });
      const live = await harness.start(desk.asked('ralph-wiggum-2', { context: 'continue' }));
      const payload = { digest: await heldIn(live), reason: 'three are fine' };
      await harness.supervisor.send(live.run, { type: 'edit.approved', payload });
      return ended(live);
    }),
  },
  'ralph-cap-hit-grown': {
    about: 'A Ralph loop whose maximum grows while more checks pass, until they do not; and its continuation.',
    play: at(async (desk, recorder) => {
      const passing = [1, 1, 2, 2, 2, 3];
      const harness = recorder.harness({
        services: {
          capture: capturing(...passing.map((count, index) => `${index}:${count}`)),
          verify: verifying(({ name }, { workspace }) => Number(name.at(-1)) <= Number(workspace?.at(-1))),
        },
        model: ({ iteration }) => ({ text: `Attempt ${iteration}.\n\n${PROMISE}` }),
      });
      const checks = ['L0:check 1', 'L0:check 2', 'L0:check 3'];
      const { run } = await harness.play(desk.asked('ralph-wiggum-3', { adaptiveIterations: true, checks }));
      return ended(await harness.extend(run, { limits: { maxIterations: 7 } }));
    }),
  },
  'ralph-disputed': {
    about: 'A Ralph loop: changed tests that a person denies; in its last iteration others, which are approved.',
    play: at(async (desk, recorder) => {
      const verify = disputing(
        ['told', 'tests-1'],
        ['asked', 'tests-1'],
        ['denied', 'tests-1'],
        ['asked', 'tests-2'],
        ['approved', 'tests-2'],
      );
      const harness = recorder.harness({
        services: { capture: capturing('tree-1', 'tree-2', 'tree-3'), verify },
        model: ({ iteration }) => ({ text: `Attempt ${iteration}.\n\n${PROMISE}` }),
      });
      const live = await harness.start(desk.asked('ralph-wiggum-3', { adaptiveIterations: true }));
      const rule = async (type: 'grounds.approved' | 'grounds.denied', digest: string, reason: string | null) => {
        const isAsked = ({ is, digest: of }: Dispute) => is === 'asked' && of === digest;
        await live.observer.until('verification.completed', ({ payload: { proof } }) =>
          proof?.dispute ? isAsked(proof.dispute) : false,
        );
        await harness.supervisor.send(live.run, { type, payload: { digest, reason } });
      };
      await rule('grounds.denied', 'tests-1', 'the old tests are right');
      await rule('grounds.approved', 'tests-2', null);
      return ended(live);
    }),
  },
  'ralph-budget': {
    about: 'A Ralph loop whose token budget is exhausted.',
    play: at((desk, recorder) =>
      recorder
        .harness({
          services: { verify: verdicts(false) },
          model: ({ iteration }) => ({ text: `Attempt ${iteration}.`, usage: { inputTokens: 2_500, outputTokens: 7 } }),
        })
        .play(desk.asked('ralph-wiggum', { maxTokens: 6_000 })),
    ),
  },
  'ralph-doom-loop': {
    about: 'A Ralph loop without a maximum that a detector stops: its attempts leave the same files again and again.',
    play: at((desk, recorder) =>
      recorder
        .harness({
          services: { verify: verdicts(false), capture: capturing('tree-1') },
          model: () => ({ text: 'I do not know how to go on.' }),
        })
        .play(desk.asked('ralph-wiggum-0')),
    ),
  },
  'ralph-abort': {
    about: 'A Ralph loop: an edit in a pause, one that is denied, a damaged file, a crash, and an edit that stops it.',
    play: at(async (desk, recorder) => {
      const calls = [{ tool: 'slow' }, edits('ions: 5', 'ions: 50'), edits('iteration: 3', 'iteration: many')];
      const harness = (meanwhile: Tool) =>
        recorder.harness({
          tools: [note, meanwhile, desk.edits],
          services: { verify: verdicts(false) },
          model: ({ iteration, step }) =>
            step === 0 ? { calls: [calls[iteration] ?? { tool: 'slow' }] } : { text: `Attempt ${iteration}.` },
        });
      const first = await harness(slow).start(desk.asked('ralph-wiggum-9'));
      await first.observer.untilDelta(({ text }) => text === 'slow');
      await first.pause('user');
      await first.done;
      await desk.editLater('max_iterations: 9', 'max_iterations: 5');

      const second = await harness({ ...note, name: 'slow' }).resume(first.run);
      const payload = { digest: await heldIn(second), reason: 'five are enough' };
      await harness(slow).supervisor.send(first.run, { type: 'edit.denied', payload });
      await second.observer.until('state_file.damaged');
      await second.pause('user');
      await second.done;
      await desk.editLater('iteration: many', 'iteration: 3');

      const third = await harness(slow).resume(first.run);
      await third.observer.untilDelta(({ text }) => text === 'slow');
      recorder.crash(LEASE_TTL_MS);
      await desk.edit('active: true', 'active: false');
      return ended(await harness(slow).resume(first.run));
    }),
  },
};
