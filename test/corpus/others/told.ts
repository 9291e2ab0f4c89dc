import { readStory, type Line, type Story } from '../../../src/redecide/story.ts';
import { TRANSCRIPTS } from '../stories/transcript.ts';
import type { Shape } from './shape.ts';
import { askedBy, outputOf } from './told-call.ts';

const STARTED_AT = '2026-03-02T09:00:00.000Z';
const RUN = 'run-1';
const MODEL_MS = 4_000;
const TOOL_MS = 500;
const CHECK = { name: 'npm test', command: 'npm test', level: 'L1', timeoutMs: 600_000 };
const NO_LIMITS = {
  maxIterations: null,
  maxSteps: null,
  maxTokens: null,
  maxCostNanoUsd: null,
  maxTimeMs: null,
  maxToolCalls: null,
};

/** A trajectory as a story of the loop turn: made-up words of this library's own tools where it has numbers. */
export function told({ source, id, label, steps }: Shape, seed: number): Story {
  const facts: Line['facts'] = [[0, 0, 'run.started', started(steps.length)]];
  let ms = 0;
  const add = (type: string, payload: object): unknown => facts.push([0, ms, type, payload as never]);
  add('decision.made', { action: 'continue', reason: 'the first step', evidence: [] });
  for (const [step, { in: inputTokens, out: outputTokens, text, calls }] of steps.entries()) {
    add('step.started', { step, startedAt: new Date(Date.parse(STARTED_AT) + ms).toISOString() });
    const made = calls.map((call, index) => ({ call, callId: `${step}.${index}` }));
    ms += MODEL_MS;
    add('model.completed', {
      text: text === 0 ? '' : `thought ${text}`,
      calls: made.map(({ call, callId }) => ({ callId, ...askedBy(call), providerId: null })),
      usage: { inputTokens, outputTokens },
    });
    add('calls.admitted', { run: made.map(({ callId }) => ({ callId, actor: 'runTool' })), refused: [] });
    for (const { call, callId } of made) {
      ms += TOOL_MS + (call.seconds ?? 0) * 1_000;
      if (call.failed) add('tool.failed', { callId, fault: { code: 'tool_threw', message: outputOf(call) } });
      else add('tool.completed', { callId, output: outputOf(call) });
    }
    add('decision.made', { action: 'continue', reason: 'the calls are answered', evidence: [] });
  }
  const line: Line = {
    detector: TRANSCRIPTS,
    label: label === 'stuck' ? 'loop' : 'lookalike',
    story: `${source} ${id}`,
    seed,
    apart: true,
    startedAt: STARTED_AT,
    runs: [RUN],
    facts,
  };
  const read = readStory(JSON.stringify(line));
  if (read.kind === 'invalid') throw new Error(`${source} ${id}: ${read.because}`);
  return read.story;
}

const started = (maxSteps: number) => ({
  machine: 'turn@1',
  settings: {
    agent: 'Coder',
    attemptLimits: null,
    checks: [CHECK],
    ci: null,
    detectors: [],
    directory: '/workspace',
    environment: [],
    fallbackModel: null,
    graceMs: 10_000,
    limits: { ...NO_LIMITS, maxSteps: maxSteps + 1 },
    loop: 'turn',
    maxParallel: 8,
    model: 'default',
    parent: null,
    prompt: 'Make the tests pass.',
    stateDirectory: null,
    strategy: null,
    summaryTokens: 0,
    system: null,
    tools: ['read', 'list', 'grep', 'edit', 'write', 'shell', 'finish'],
  },
});
