import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { v7 as newRunId } from 'uuid';
import { onTestFinished } from 'vitest';
import type { z } from 'zod';
import { captureFolder } from '../../../src/git/capture/capture-folder.ts';
import { repository } from '../../git/repository.ts';
import type { LoopEvent } from '../../../machines/events.ts';
import type { Discovery } from '../../../machines/improvement-facts.ts';
import type { ImprovementOptions } from '../../../machines/improvement-options.ts';
import type { Check, HeldOutSettings, RunSettings } from '../../../machines/settings.ts';
import { dropMirrors } from '../../../src/actors/proof/mirror.ts';
import { HandlerMemory } from '../../../src/loops/shared/handler-memory.ts';
import { evaluateCandidate } from '../../../src/loops/improvement/effects/evaluate-candidate.ts';
import { takenBaseline } from '../../../src/verification/baseline-of-check.ts';
import { workingSubject } from '../../../src/verification/subject-in-folder.ts';
import { localServices } from '../../../src/hosts/local/local-services.ts';
import { improvementLoop } from '../../../src/loops/improvement/definition.ts';
import { fileIn } from '../../../src/loops/improvement/discovery/finding-facts.ts';
import { foundInChecks } from '../../../src/loops/improvement/discovery/check-errors.ts';
import { discoveryOf, nightStarted, settled } from './night-facts.ts';
import { trying } from './trying.ts';

export type Files = Readonly<Record<string, string | null>>;

export interface Project {
  /** What the head has. */
  readonly files: Readonly<Record<string, string>>;
  readonly checks: readonly Check[];
  readonly options?: z.input<typeof ImprovementOptions>;
  readonly heldOut?: HeldOutSettings;
  readonly walls?: 'off';
  readonly allowGrounds?: string[];
  /** Texts of the experiment's log. */
  readonly texts?: readonly string[];
}

const AT = '2030-01-01T00:00:00.000Z';

export const check = (name: string, command: string, level: Check['level'] = 'L1'): Check => ({
  level,
  name,
  command,
  timeoutMs: 60_000,
});

/** A head whose checks have run, on which changes are evaluated as candidates. */
export async function headOf({ files, checks, options = {}, heldOut, walls, allowGrounds, texts = [] }: Project) {
  const { root, commit, git } = await repository({ '.gitignore': '.loopfold\n', ...files });
  await commit();
  const run = newRunId();
  const signal = new AbortController().signal;
  const base = (await captureFolder({ run, number: 0, directory: root }, signal))?.hash ?? '';
  const proof = {
    base,
    at: AT,
    head: null,
    protect: [],
    unprotect: [],
    dependencies: [],
    ...(heldOut ? { heldOut } : {}),
    ...(walls ? { walls } : {}),
    ...(allowGrounds ? { allowGrounds } : {}),
  };
  const night = nightStarted({ options, settings: { directory: root, checks: [...checks], proof } });
  const settings: RunSettings = night.payload.settings;
  const how = { run, checks, environment: [], signal, delta: () => {} };
  const taken = await takenBaseline(await workingSubject(settings, proof, base), { ...how, heldOut });
  if (!taken) throw new TypeError('no baseline');
  const found = foundInChecks(taken, checks, fileIn(Object.keys(files)));
  onTestFinished(async () => {
    await dropMirrors(run);
  });

  /** Evaluates these changes of the head. */
  async function evaluate(changes: Files, discovery: Partial<Discovery> = {}, more: EvaluateOptions = {}) {
    const directory = `${root}-experiment-${newRunId()}`;
    await git('worktree', 'add', '--quiet', '--detach', directory);
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    for (const [path, text] of Object.entries(changes)) {
      await mkdir(dirname(join(directory, path)), { recursive: true });
      await (text === null ? rm(join(directory, path)) : writeFile(join(directory, path), text));
    }
    const isolation = { kind: 'worktree', origin: root, top: directory, repository: join(root, '.git'), base } as const;
    const memory = new HandlerMemory(run, settings, () => [], improvementLoop);
    const candidate = discoveryOf('it', discovery);
    const head = more.head ?? base;
    let version = 0;
    for (const event of [
      night,
      { type: 'baseline.taken', payload: taken },
      { type: 'baseline.taken', payload: { ...taken, workspace: head } },
      ...(more.head === undefined ? [] : [integrated(more.head)]),
      { type: 'iteration.started', payload: { iteration: 1 } },
      { type: 'filter.completed', payload: { candidates: [candidate], refused: 0, beyond: 0 } },
      { type: 'experiment.started', payload: { candidate: 'it' } },
      {
        type: 'experiment.prepared',
        payload: { candidate: 'it', base, directory, isolation: { ...isolation, dependencies: [] } },
      },
      settled(5, undefined, undefined, 'it'),
    ] as LoopEvent[])
      memory.observe({ ...event, run, version: (version += 1), at: AT } as never);
    const said = async function* () {
      yield* texts;
    };
    const services = { ...localServices(), texts: said, ...more.services };
    const execution = evaluateCandidate(services).execute?.({
      effect: { effect: '1/0', key: 'evaluation', actor: 'evaluateCandidate', input: {}, attempt: 1, told: false },
      context: { run, settings, state: trying('it'), at: AT },
      memory,
      strategy: services.strategies.of({ configured: null, limits: settings.limits, directory: root }),
    });
    if (execution?.kind !== 'actor') throw new Error('not an actor');
    const again = async () => {
      const events: LoopEvent[] = [];
      const call = { id: `${run}/1/0`, attempt: 1, signal: more.signal ?? signal, delta: () => {} };
      for await (const event of execution.execute(call)) events.push(event);
      return told(events);
    };
    return { ...(await again()), again, directory };
  }

  /** The tree of these files, as the head of a later iteration. */
  async function laterHead(changes: Readonly<Record<string, string>>): Promise<string> {
    for (const [path, text] of Object.entries(changes)) await writeFile(join(root, path), text);
    return (await captureFolder({ run, number: 1, directory: root }, signal))?.hash ?? '';
  }

  return { base, root, git, baseline: taken, found: [...found.values()], evaluate, laterHead };
}

interface EvaluateOptions {
  readonly head?: string;
  readonly signal?: AbortSignal;
  readonly services?: object;
}

const integrated = (tree: string) => ({
  type: 'integration.completed',
  payload: { candidate: 'before', branch: 'loopfold/before', commit: 'c'.repeat(40), tree, to: 'head' },
});

type Of<Type extends LoopEvent['type']> = Extract<LoopEvent, { type: Type }>['payload'];

function told(events: readonly LoopEvent[]) {
  const of = <Type extends LoopEvent['type']>(type: Type) =>
    events
      .filter((event): event is Extract<LoopEvent, { type: Type }> => event.type === type)
      .map(({ payload }) => payload as Of<Type>);
  const tiers = of('tier.completed');
  return {
    types: events.map(({ type }) => type),
    tiers,
    passed: tiers.filter((tier) => tier.passed).map(({ tier }) => tier),
    flickered: tiers.flatMap(({ flickered = [] }) => flickered),
    built: of('candidate.built').at(0),
    verified: of('verification.completed').at(0),
    end: of('evaluation.completed').at(0),
  };
}
