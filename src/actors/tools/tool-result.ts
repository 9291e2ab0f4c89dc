import { inspect } from 'node:util';
import { z } from 'zod';
import type { EventOf } from '../../../machines/events.ts';
import { Took } from '../../../machines/took.ts';
import type { EffectClass } from '../actor.ts';
import { withoutControl } from '../../text/plain-stream.ts';
import { boundText } from '../bound-text.ts';
import type { Attempt } from '../attempt.ts';
import { FLOOD_BYTES, MAX_OUTPUT_BYTES, type Tool } from './tool.ts';
import { ToolRefusal } from './confine.ts';

/** A command without a result, and the time that it took until then. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly took: Took | undefined;

  constructor(message: string, took: Took | undefined) {
    super(message);
    this.took = took;
  }
}

export type ToolResult = EventOf<'tool.completed' | 'tool.failed' | 'tool.interrupted'>;

const Reply = z.object({ output: z.string(), answer: z.string().optional(), took: Took.optional() });
const EXPECTED = '{ output: string, answer?: string, took?: { wallMs: integer, cpuMs: integer or null } }';

/**
 * What a tool came back with, whatever that is, as a result the log can hold. Escape codes are left out, unless it is
 * `isExact`: what a tool has read, as it is.
 */
export function completed(callId: string, value: unknown, isExact = false): ToolResult {
  const reply = Reply.safeParse(value);
  if (!reply.success) {
    const got = inspect(value, { depth: 1, maxStringLength: 100, maxArrayLength: 10, breakLength: Infinity });
    return failed(callId, 'tool_reply_invalid', `reply: expected ${EXPECTED}, got ${got}`);
  }
  const { answer, took } = reply.data;
  const output = isExact ? reply.data.output : withoutControl(reply.data.output);
  const bytes = Buffer.byteLength(output) + Buffer.byteLength(answer ?? '');
  if (bytes > FLOOD_BYTES) {
    const message = `${bytes} bytes are more than the ${FLOOD_BYTES} allowed, ask for less:\n${output}`;
    return failed(callId, 'tool_flooded', message, took);
  }
  const payload = { callId, output: boundText(output, MAX_OUTPUT_BYTES), ...(took && { took }) };
  if (answer === undefined) return { type: 'tool.completed', payload };
  return { type: 'tool.completed', payload: { ...payload, answer: boundText(answer, MAX_OUTPUT_BYTES) } };
}

export function failed(callId: string, code: string, message: string, took?: Took): ToolResult {
  const fault = { code, message: boundText(message, MAX_OUTPUT_BYTES) };
  return { type: 'tool.failed', payload: { callId, fault, ...(took && { took }) } };
}

export function interrupted(callId: string, reason: string): ToolResult {
  return { type: 'tool.interrupted', payload: { callId, reason: boundText(reason, MAX_OUTPUT_BYTES) } };
}

/** The one result of a call that has been attempted. Null: it was only paused, and may simply be started again. */
export function resultOf(
  callId: string,
  { cut, settled }: Attempt<unknown>,
  { effectClass = 'once', traits }: Pick<Tool, 'effectClass' | 'traits'>,
  stopped: unknown,
): ToolResult | null {
  // A reply is a fact, however late.
  if (settled.kind === 'returned') return completed(callId, settled.value, traits?.reads === true);
  const isRefusal = settled.kind === 'threw' && settled.error instanceof ToolRefusal;
  const took = settled.kind === 'threw' && settled.error instanceof CommandFailure ? settled.error.took : undefined;
  const said = saidBy(settled);
  if (cut === null || isRefusal) return failed(callId, isRefusal ? settled.error.code : 'tool_threw', said, took);
  if (cut === 'timed_out') return failed(callId, 'tool_timed_out', `the tool did not answer in time: ${said}`, took);
  if (stopped === 'pause' && mayStartAgain(effectClass, settled.kind === 'threw')) return null;
  return interrupted(callId, `stopped while it ran (${String(stopped)}), what it has done is not known: ${said}`);
}

/** Asking whether something happened is worth nothing while it may still be happening. */
const mayStartAgain = (effectClass: EffectClass, isOver: boolean): boolean =>
  effectClass === 'repeatable' || (effectClass === 'reconcilable' && isOver);

export function saidBy(settled: Attempt<unknown>['settled']): string {
  if (settled.kind !== 'threw') return 'it ignores that it was told to stop, and may still be running';
  const { error } = settled;
  return error instanceof Error && error.message !== '' ? error.message : inspect(error);
}
