import { realpath } from 'node:fs/promises';
import type { ServerQuestion } from '../../../machines/server-question.ts';
import { environmentFault } from '../../log/environment-fault.ts';
import type { Json } from '../../log/envelope.ts';
import type { Actor, EffectCall, EffectClass } from '../actor.ts';
import { TOOL_UNKNOWN } from '../../detectors/call-ending.ts';
import { type Attempt, attempt } from '../attempt.ts';
import { STOP_GRACE_MS, TOOL_TIMEOUT_MS, type Tool, type ToolContext, type ToolReply } from './tool.ts';
import { parseArguments } from './parse-arguments.ts';
import { type ToolResult, completed, failed, interrupted, resultOf, saidBy } from './tool-result.ts';
import { toolTable } from './tool-table.ts';

export interface ToolInput {
  readonly callId: string;
  readonly tool: string;
  /** As the model sent them, valid or not. */
  readonly arguments: Json;
  /** The workspace. */
  readonly directory: string;
  /** Names of environment variables that commands see beside the usual ones. */
  readonly environment: readonly string[];
  /** Real places outside the workspace that a person has allowed to read, with everything below them. */
  readonly readable: readonly string[];
  /** Runs commands behind the walls of the run. Absent: they run without any. */
  readonly runCommand?: ToolContext['runCommand'];
  readonly asked?: ToolContext['asked'];
}

export interface ToolActorOptions {
  /** How long a tool that was told to stop may take to say what it has done. */
  readonly stopGraceMs?: number;
}

/** Workspaces by their paths. Calls that start together wait for the same answer, so none overtakes another. */
type Places = Map<string, Promise<string | null>>;

/** A call that can be made: its tool is known, its input parsed, its workspace there. */
interface Prepared {
  readonly kind: 'prepared';
  readonly tool: Tool;
  readonly input: unknown;
  readonly directory: string;
}
type Refused = { readonly kind: 'refused'; readonly result: ToolResult };

/**
 * Executes tool calls. Each ends in exactly one `tool.completed`, `tool.failed` or `tool.interrupted`, whatever the
 * model sent and whatever the tool does, or in the question of its server; only a paused call that may be started
 * again ends without, and one that the environment has failed throws an `EnvironmentFault`. Throws a
 * `TypeError`, here and at once, where two tools share a name.
 *
 * @example
 * const actor = toolActor([...builtinTools(), roll]);
 * const input = { callId: '0.0', tool: 'roll', arguments: { sides: 6 }, directory, environment: [], readable: [] };
 * for await (const event of actor.execute(input, call)) console.log(event.type);
 */
export function toolActor(tools: readonly Tool[], options: ToolActorOptions = {}): Actor<ToolInput> {
  const { stopGraceMs = STOP_GRACE_MS } = options;
  const table = toolTable(tools);
  const places: Places = new Map();

  return {
    effectClass: ({ tool }) => classOf(table.get(tool)),

    async *execute(input, call) {
      const { callId } = input;
      const prepared = await prepare(table, places, input);
      if (prepared.kind === 'refused') return yield prepared.result;
      const effectClass = classOf(prepared.tool);
      if (call.signal.aborted) {
        const why = String(call.signal.reason);
        if (why === 'pause' && effectClass !== 'once') return;
        return yield interrupted(callId, `stopped before it started (${why}); it has done nothing`);
      }
      const made = await tryOut(prepared, input, call, (context) => prepared.tool.run(prepared.input, context));
      const fault = made.settled.kind === 'threw' && made.cut === null ? environmentFault(made.settled.error) : null;
      if (fault) throw fault;
      const asks = questionIn(made.settled);
      if (asks && made.cut === null) return yield { type: 'server.asked', payload: { callId, question: asks } };
      const result = resultOf(callId, made, { ...prepared.tool, effectClass }, call.signal.reason);
      if (result !== null) yield result;
    },

    async reconcile(input, call) {
      const { callId } = input;
      const prepared = await prepare(table, places, input);
      // Refused again when it is started, so nothing is lost by saying that it did not happen.
      if (prepared.kind === 'refused') return null;
      const { tool } = prepared;
      const { reconcile } = tool;
      if (reconcile === undefined || call.signal.aborted)
        return interrupted(callId, 'it is unknown whether it happened: look before you repeat it');
      const asked = await tryOut(prepared, input, call, (context) => reconcile.call(tool, prepared.input, context));
      return knownOf(callId, asked);
    },
  };

  async function tryOut<Value>(
    { tool, directory }: Prepared,
    { callId, environment, readable, runCommand, asked }: ToolInput,
    call: EffectCall,
    work: (context: ToolContext) => Promise<Value>,
  ): Promise<Attempt<Value>> {
    let isListening = true;
    const delta = (text: string) => {
      if (isListening) call.delta({ kind: 'output', text });
    };
    const limits = { timeoutMs: tool.timeoutMs ?? TOOL_TIMEOUT_MS, graceMs: stopGraceMs, signal: call.signal };
    const made = await attempt(
      (signal) => work({ callId, effect: call.id, directory, environment, readable, runCommand, asked, signal, delta }),
      limits,
    );
    isListening = false;
    return made;
  }
}

/** Returns what a tool that was asked whether a call happened has said. Null: it did not. */
function knownOf(callId: string, { cut, settled }: Attempt<ToolReply | null>): ToolResult | null {
  if (cut === 'stopped') return interrupted(callId, 'stopped while asking whether it happened');
  if (settled.kind === 'returned') return settled.value === null ? null : completed(callId, settled.value);
  const said = saidBy(settled);
  return failed(callId, 'state_unknown', `whether it happened is unknown, look before you repeat it: ${said}`);
}

/** The question that a tool came back with in place of a result. */
const questionIn = (settled: Attempt<unknown>['settled']): ServerQuestion | undefined =>
  settled.kind === 'returned' ? (settled.value as Partial<ToolReply> | null)?.asks : undefined;

/** A tool that is unknown, or that cannot reconcile, may have done anything: `once`. */
function classOf(tool: Tool | undefined): EffectClass {
  if (tool?.effectClass === 'reconcilable' && tool.reconcile === undefined) return 'once';
  return tool?.effectClass ?? 'once';
}

async function prepare(
  table: ReadonlyMap<string, Tool>,
  places: Places,
  input: ToolInput,
): Promise<Prepared | Refused> {
  const refuse = (code: string, message: string): Refused => ({
    kind: 'refused',
    result: failed(input.callId, code, message),
  });
  const tool = table.get(input.tool);
  if (tool === undefined) {
    const known = table.size === 0 ? 'this run has no tools' : `use one of: ${[...table.keys()].join(', ')}`;
    return refuse(TOOL_UNKNOWN, `there is no tool ${JSON.stringify(input.tool)}; ${known}`);
  }
  const parsed = await parseArguments(tool, input.arguments);
  if (!parsed.ok) return refuse('arguments_invalid', parsed.message);
  // Asked once: a workspace that moves meanwhile is found out by the files a tool looks for.
  const place = places.get(input.directory) ?? realpath(input.directory).catch(() => null);
  places.set(input.directory, place);
  const directory = await place;
  if (directory === null) {
    places.delete(input.directory);
    return refuse('workspace_missing', `${input.directory}: the workspace does not exist`);
  }
  return { kind: 'prepared', tool, input: parsed.input, directory };
}
