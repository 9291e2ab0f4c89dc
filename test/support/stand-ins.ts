import { z } from 'zod';
import type { LevelResult } from '../../machines/events.ts';
import type { Check } from '../../machines/settings.ts';
import type { Actor, EffectCall, EffectClass } from '../../src/actors/actor.ts';
import { defineTool, type Tool, type ToolContext, type ToolReply } from '../../src/actors/tools/tool.ts';
import type { ToolInput } from '../../src/actors/tools/tool-actor.ts';
import type { VerifyInput } from '../../src/actors/verify/verify-actor.ts';
import type { CaptureInput } from '../../src/actors/capture/capture-actor.ts';

/** Captures without a repository: the hashes in turn, the last one for ever. */
export function capturing(...hashes: readonly string[]): Actor<CaptureInput> {
  return {
    effectClass: () => 'repeatable',
    async *execute({ run, number }) {
      const hash = (typeof number === 'number' && hashes[number - 1]) || hashes.at(-1) || `tree-${number}`;
      yield { type: 'workspace.captured', payload: { hash, ref: `refs/loopfold/${run}/${number}`, changed: [] } };
    },
  };
}

/** Checks that pass or fail in turn, without running; the last verdict holds for ever. */
export function verdicts(...passed: readonly boolean[]): Actor<VerifyInput> {
  let asked = 0;
  return verifying(() => passed[asked++] ?? passed.at(-1) ?? true);
}

/** Checks whose verdict is a function of the check and the workspace; no level after the first that fails. */
export function verifying(passes: (check: Check, input: VerifyInput) => boolean): Actor<VerifyInput> {
  return {
    effectClass: () => 'repeatable',
    async *execute(input) {
      const levels: LevelResult[] = [];
      for (const [level, checks] of Object.entries(Object.groupBy(input.checks, (check) => check.level))) {
        const results = checks.map((check) => resultOf(check, passes(check, input)));
        const passed = results.every((result) => result.passed);
        levels.push({ level: level as LevelResult['level'], passed, checks: results });
        if (!passed) break;
      }
      const passed = levels.every((level) => level.passed);
      yield { type: 'verification.completed', payload: { passed, workspace: input.workspace, levels } };
    },
  };
}

const resultOf = ({ name }: Check, passed: boolean) => ({
  name,
  passed,
  output: passed ? '' : `${name} says no`,
  exitCode: passed ? 0 : 1,
  durationMs: 5,
});

/** A tool by name and what it does. It takes any input, and is repeatable unless told otherwise. */
export function tool(
  name: string,
  run: (input: Record<string, unknown>, context: ToolContext) => Promise<ToolReply>,
  more: Partial<Pick<Tool, 'effectClass' | 'timeoutMs'>> = {},
): Tool {
  return defineTool({
    name,
    description: name,
    input: z.record(z.string(), z.json()),
    effectClass: 'repeatable',
    run,
    ...more,
  });
}

/** A tool that does nothing, at once. */
export const note = tool('note', async () => ({ output: 'noted' }));

const sayStopped = async (): Promise<ToolReply> => ({ output: 'stopped' });

/** A tool that writes its name as soon as it runs, and then runs until it is told to stop. */
export const untilStopped = (name: string, last = sayStopped, more: Parameters<typeof tool>[2] = {}): Tool =>
  tool(
    name,
    async (_input, context) => {
      context.delta(name);
      await stopped(context);
      return last();
    },
    more,
  );

/** Resolves when it is told to stop. */
export const stopped = ({ signal }: Pick<EffectCall, 'signal'>): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** A promise that never settles. */
export const never = <Value = never>(): Promise<Value> => new Promise(() => {});

/** Waits for a few turns of the event loop, to show that something does not happen in them. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Tools of which each says `at work`, and does not stop until it is let go, whatever it is told. */
export function heldTools(effectClass: EffectClass = 'repeatable') {
  const { promise, resolve } = Promise.withResolvers<void>();
  const tools = (): Actor<ToolInput> => ({
    effectClass: () => effectClass,
    async *execute(_input, { delta }) {
      delta({ kind: 'output', text: 'at work' });
      await promise;
      yield { type: 'tool.completed', payload: { callId: '0.0', output: 'too late' } };
    },
  });
  return { tools, free: resolve };
}
