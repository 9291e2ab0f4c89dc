import { mkdir, mkdtemp, readFile, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Json } from '../../../src/log/envelope.ts';
import type { EffectCall } from '../../../src/actors/actor.ts';
import { builtinTools } from '../../../src/actors/tools/builtin.ts';
import type { Tool } from '../../../src/actors/tools/tool.ts';
import { type ToolActorOptions, type ToolInput, toolActor } from '../../../src/actors/tools/tool-actor.ts';

export interface Workspace {
  readonly directory: string;
  readonly read: (path: string) => Promise<string>;
  readonly names: () => Promise<string[]>;
}

/** A folder that holds these files and vanishes with the test. */
export async function workspace(files: Readonly<Record<string, string | Buffer>> = {}): Promise<Workspace> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'workspace-')));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), content);
  }
  return {
    directory,
    read: (path) => readFile(join(directory, path), 'utf8'),
    names: async () => (await readdir(directory, { recursive: true })).toSorted(),
  };
}

export interface Calling
  extends ToolActorOptions, Partial<EffectCall>, Partial<Pick<ToolInput, 'environment' | 'readable'>> {
  readonly tools?: readonly Tool[];
}

/** What one call in a workspace yields. */
export async function calling(directory: string, tool: string, args: Json, options: Calling = {}) {
  const { actor, input, call } = prepare(directory, tool, args, options);
  const events = [];
  for await (const event of actor.execute(input, call)) events.push(event);
  return events;
}

/** What the actor says of such a call after a crash. */
export function reconciling(directory: string, tool: string, args: Json, options: Calling = {}) {
  const { actor, input, call } = prepare(directory, tool, args, options);
  if (actor.reconcile === undefined) throw new Error('the actor cannot be asked');
  return actor.reconcile(input, call);
}

function prepare(
  directory: string,
  tool: string,
  args: Json,
  { tools = builtinTools(), environment = [], readable = [], ...options }: Calling,
) {
  const call = { id: 'run/3/0', attempt: 1, signal: new AbortController().signal, delta: () => {}, ...options };
  const input = { callId: '0.0', tool, arguments: args, directory, environment, readable };
  return { actor: toolActor(tools, options), input, call };
}

export const completed = (output: unknown, answer?: string) => ({
  type: 'tool.completed',
  payload: { callId: '0.0', output, ...(answer === undefined ? {} : { answer }) },
});

export const failed = (code: string, message: unknown) => ({
  type: 'tool.failed',
  payload: { callId: '0.0', fault: { code, message } },
});

const TOOK = { wallMs: expect.any(Number), cpuMs: process.platform === 'linux' ? expect.any(Number) : null };

/** Such a result of a call that has run a command, with the time that it took. */
export const timed = <Result extends { readonly payload: object }>({ payload, ...result }: Result) => ({
  ...result,
  payload: { ...payload, took: TOOK },
});

export const interrupted = (reason: unknown) => ({ type: 'tool.interrupted', payload: { callId: '0.0', reason } });

export const containing = (text: string) => expect.stringContaining(text);
