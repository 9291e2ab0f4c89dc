import type { Json } from '../../machines/json.ts';
import type { Permissions } from '../../machines/permissions.ts';
import type { AgentCell } from './agent-cell.ts';
import type { McpServerSpec } from './mcp/server-spec.ts';
import type { AgentEnding } from './agent-ending.ts';
import type { Wire } from './meter/wire.ts';

// A coding agent of others, such as Claude Code or Codex: a program that is given a task and a folder, and works there
// by itself, with a model, keys and tools of its own.

/** One prompt for an agent, and the limits within which it works on it. */
export interface AgentTask {
  /** The run that it works for. Null: none. */
  readonly run: string | null;
  readonly prompt: string;
  /** A session of the same agent that is to be continued, with what is asked there. Absent: another one begins. */
  readonly session?: EarlierSession | undefined;
  /** The folder that it works in, absolute. */
  readonly directory: string;
  /** Names of variables of ours that the agent sees beside the usual ones, such as that of its key. */
  readonly passes: readonly string[];
  /** MCP servers that a person has named: an agent that takes servers gets them. */
  readonly servers?: readonly McpServerSpec[];
  readonly timeMs: number;
  /** The time that it may give no sign of life. */
  readonly silenceMs: number;
  readonly signal: AbortSignal;
  /** The rules of its run, for those that are told of rules when they start. Absent: it has none. */
  readonly permissions?: Permissions | undefined;
  /** Answers a question for permission. */
  readonly permit: (question: PermissionQuestion) => Promise<PermissionAnswer>;
  /** The walls of the run. Absent: it has none. */
  readonly cell?: AgentCell | undefined;
  /** The meter before its providers: their addresses there, and the stand-in for a key. Absent: there is none. */
  readonly meter?: AgentMeter | undefined;
}

/** A session that an agent had before. Where it cannot be continued, another one begins, with the whole prompt. */
export interface EarlierSession {
  readonly id: string;
  readonly prompt: string;
}

/** A meter, as an agent is told of it. */
export interface AgentMeter {
  readonly addresses: Readonly<Partial<Record<Wire, string>>>;
  readonly key: string;
}

/** A question of an agent before it does something. */
export interface PermissionQuestion {
  readonly call: string;
  readonly title: string;
  readonly kind: CallKind;
  /** The paths that it is about, absolute. */
  readonly paths: readonly string[];
  /** What the tool is given. Null: the agent does not say. */
  readonly input: Json;
}

export type PermissionAnswer = 'allowed' | 'refused' | 'cancelled';

/** The kinds of tool calls that the Agent Client Protocol knows. */
export const CALL_KINDS = [
  'read',
  'edit',
  'delete',
  'move',
  'search',
  'execute',
  'think',
  'fetch',
  'switch_mode',
  'other',
] as const;
export type CallKind = (typeof CALL_KINDS)[number];

export type CallStatus = 'pending' | 'in_progress' | 'completed' | 'failed';

/** A tool call of an agent, as it says it is. No claim of it proves anything. */
export interface ReportedCall {
  readonly call: string;
  readonly title: string;
  readonly kind: CallKind;
  readonly status: CallStatus;
}

/** Tokens as the agent counts them, and money where it says so. */
export interface ReportedUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number | null;
}

/** Everything that an agent does, in order. The last one is `ended`, and there is exactly one of it. */
export type AgentEvent =
  | { readonly kind: 'session'; readonly id: string; readonly agent: string | null }
  /** Pieces of a message and of a thought. */
  | { readonly kind: 'message' | 'thought'; readonly text: string }
  | { readonly kind: 'plan'; readonly steps: readonly { readonly text: string; readonly status: string }[] }
  | ({ readonly kind: 'call' } & { readonly reported: ReportedCall })
  | { readonly kind: 'permission'; readonly question: PermissionQuestion; readonly answer: PermissionAnswer }
  /** It has given no sign of life for that long. */
  | { readonly kind: 'quiet'; readonly ms: number }
  /** The usage of the whole prompt so far. */
  | { readonly kind: 'usage'; readonly usage: ReportedUsage }
  | { readonly kind: 'ended'; readonly ending: AgentEnding };

/** A way to drive an agent. It never throws: whatever goes wrong is an ending. */
export type Agent = (task: AgentTask) => AsyncIterable<AgentEvent>;
