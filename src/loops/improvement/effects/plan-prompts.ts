import type { EventOf, LoopEvent } from '../../../../machines/events.ts';
import type { Discovery } from '../../../../machines/improvement-facts.ts';
import type { EffectCall } from '../../../actors/actor.ts';
import type { ImprovementMemory } from '../memory.ts';
import { planPrompt, type ShownFile, type ShownRepository } from '../planning/plan-prompt.ts';
import { totalUsage } from '../total-usage.ts';
import { needsAcceptance } from '../witness/needs-acceptance.ts';
import type { EffectRequest } from '../../shared/effect.ts';
import type { EffectServices } from '../../../ports/services.ts';
import { join, posix, relative, sep } from 'node:path';
import { listFiles } from '../../../git/file-listing.ts';
import { boundedStart } from '../../../config/read-within.ts';
import { namedFile } from '../../../evidence/control/test-file.ts';
import { filesToShow } from '../planning/planner-files.ts';

const MAX_FILE_BYTES = 5_000;
const MAX_EXAMPLE_BYTES = 4_000;

/** What the planner of an acceptance test is shown of the head: bounded, so that its prompt fits into its share. */
async function shownRepository(
  discovery: Discovery,
  { context, memory }: EffectRequest,
  signal: AbortSignal,
): Promise<Omit<ShownRepository, 'refused'>> {
  const { directory, isolation } = context.settings;
  const folder = relative(isolation?.top ?? directory, directory)
    .split(sep)
    .join('/');
  const fromHere = (path: string) => posix.relative(folder === '' ? '.' : folder, path);
  const listed = await listFiles({ directory, signal });
  const tested = new Set((memory.baseline?.tests ?? []).flatMap(({ tests }) => tests.map(namedFile)));
  const { files, sources, examples } = filesToShow(discovery, listed.files, [...tested].map(fromHere));
  const read = async (path: string, maxBytes: number): Promise<ShownFile | null> => {
    const start = await boundedStart(join(directory, path), maxBytes);
    return start.kind === 'text' ? { path, text: start.text } : null;
  };
  const shown = await Promise.all(sources.map((path) => read(path, MAX_FILE_BYTES)));
  const [nearest] = examples;
  const example = nearest === undefined ? null : await read(nearest, MAX_EXAMPLE_BYTES);
  return { files, sources: shown.filter((one) => one !== null), example };
}

export type PlanServices = Pick<EffectServices, 'ask' | 'batch' | 'clock' | 'rootOf'>;

/** The plans that were asked for, or why they are not there. They are a help: an experiment goes on without one. */
export type Planned = Omit<EventOf<'plans.written'>['payload'], 'by'>;

/** What plans are written for and with. */
export interface Planning {
  readonly request: EffectRequest;
  readonly own: ImprovementMemory;
  /** Whose plans are written, in their order. */
  readonly candidates: ImprovementMemory['candidates'];
  readonly model: string;
  readonly call: EffectCall;
}

/** What the planner of a candidate is asked. `refused`: why the test that it wrote before shows nothing. */
export async function promptFor(
  candidate: Discovery,
  { request, own, call: { signal } }: Pick<Planning, 'request' | 'own' | 'call'>,
  refused: string | null = null,
): Promise<string> {
  const isTested = own.hasRunner && needsAcceptance(candidate, own.options);
  const shown = isTested ? { ...(await shownRepository(candidate, request, signal)), refused } : null;
  return planPrompt(candidate, request.memory.settings.prompt, own.tried, shown);
}

/** What several questions for plans came to together. */
export function together(all: readonly Planned[]): Planned {
  const usage = totalUsage(all.map((one) => one.usage));
  const [fault] = all.flatMap((one) => one.fault ?? []);
  const plans = new Map(all.flatMap((one) => one.plans).map((plan) => [plan.candidate, plan]));
  const acceptance = all.flatMap((one) => one.acceptance ?? []);
  return {
    plans: [...plans.values()],
    ...(acceptance.length > 0 ? { acceptance } : {}),
    ...(usage ? { usage } : {}),
    ...(fault ? { fault } : {}),
  };
}

/** Told to stop, what was used is recorded, and the plans are asked for again when the run continues. */
export function plansEvent(planned: Planned, by: 'batch' | 'calls', { signal }: Pick<EffectCall, 'signal'>): LoopEvent {
  const { usage } = planned;
  if (!signal.aborted) return { type: 'plans.written', payload: { ...planned, by } };
  return { type: 'plans.interrupted', payload: { reason: String(signal.reason), ...(usage ? { usage } : {}) } };
}
