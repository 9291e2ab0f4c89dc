import { newestOf } from '../../machines/index.ts';
import type { RunSettings } from '../../machines/settings.ts';
import type { Message, ModelRequest } from '../actors/model/model.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import { attemptSettings } from './attempt-settings.ts';
import { openingMessages, recordedRequest, type RequestParts } from './turn/request-record.ts';

export interface FirstRequest extends Pick<RequestParts, 'toolSpecs'> {
  readonly loops: readonly LoopDefinition[];
  /** What is said of the checks before any work. Null: none ran. */
  readonly feedback?: string | null;
}

/** Loops that open loops: deeper than any host lets them. */
const MAX_DEPTH = 10;

/**
 * The first request of a run with these settings: that of its own turn, or of the first turn that it opens. Pure, so a
 * dry run shows what a run would send, and a page what one has sent. Throws where a loop is unknown.
 *
 * @example
 * const { system, messages, tools } = firstRequest(settings, { loops: shippedLoops, toolSpecs });
 */
export function firstRequest(settings: RunSettings, { loops, toolSpecs, feedback = null }: FirstRequest): ModelRequest {
  let of = settings;
  let said = feedback;
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const opened = openedBy(of, loops, said);
    if (opened === null) break;
    of = opened;
    // It is in the prompt of what is opened.
    said = null;
  }
  const messages: Message[] = [
    ...openingMessages(of),
    ...(said === null ? [] : [{ role: 'user', text: said } as const]),
  ];
  return recordedRequest({ run: '', settings: of, maxSteps: of.limits.maxSteps, step: 0, messages, toolSpecs });
}

/** The settings of the first run that a run opens by itself. Null: it asks the model itself. */
function openedBy(
  settings: RunSettings,
  loops: readonly LoopDefinition[],
  feedback: string | null,
): RunSettings | null {
  const loop = newestOf(settings.loop, loops);
  if (!loop) throw new Error(`no loop ${settings.loop}; known: ${loops.map(({ id }) => id).join(', ')}`);
  const opening = Object.values(loop.effects).find((spec) => spec.class === 'child' && spec.opens);
  if (!opening) return null;
  const { limits, attemptLimits } = settings;
  return (opening.opens ?? attemptSettings)({
    settings,
    run: '',
    effect: '',
    iteration: 0,
    limits,
    attemptLimits: attemptLimits ?? limits,
    share: { tokens: limits.maxTokens, nanoUsd: limits.maxCostNanoUsd ?? null },
    feedback,
    steering: [],
    remade: null,
    memory: loop.remember?.('', settings) ?? { observe: () => {} },
  });
}
