import type { Permissions } from '../../machines/permissions.ts';
import type { Actor, Delta } from '../actors/actor.ts';
import type { Called } from '../permissions/call-parts.ts';
import type { CallRuling } from '../permissions/call-ruling.ts';
import type { AgentCell } from './agent-cell.ts';
import type { AgentEnding } from './agent-ending.ts';
import type { Agent, AgentEvent, AgentTask, PermissionQuestion } from './agent-port.ts';
import { AgentProgress } from './agent-progress.ts';
import { AgentRecord } from './agent-record.ts';
import { AskedCalls } from './call-questions.ts';
import { endingEvents, notWalled, quietNotice, SILENCE_MS } from './agent-outcome.ts';
import type { Meter, Metered, OpenMeter } from './meter/meter.ts';
import type { ProviderDoor } from './meter/provider-door.ts';
import { withPauses } from './with-pauses.ts';
import { lookAtWorkspace } from './workspace-look.ts';

/** A task for an agent of others. */
export interface AgentInput {
  readonly run: string;
  readonly prompt: string;
  /** Its session before, with what is asked there. Absent: there is none. */
  readonly session?: AgentTask['session'];
  /** The events of this step so far that told what it does. */
  readonly reports: number;
  readonly directory: string;
  /** Names of further variables that it sees. */
  readonly passes: readonly string[];
  /** What its calls may spend, as far as a meter stands before its providers. */
  readonly allowed: Metered['allowed'];
  readonly priceOf: Metered['priceOf'];
  /** Whether a call that it asks about may be tried. */
  readonly ruling: (call: Called) => CallRuling;
  /** Whether the hooks of a person let such a call through, too. */
  readonly lets: (call: Called, signal: AbortSignal) => Promise<boolean>;
  /** The rules that it is told of when it starts. Absent: the run has none. */
  readonly permissions?: Permissions | undefined;
  /** The number of its step, from 0. */
  readonly step: number;
  /** The walls of the run, with these entries of a reach beside its own. Null: it has none. */
  readonly walls: ((reach: readonly string[]) => Promise<AgentCell | { readonly missing: string }>) | null;
}

/** What a host has for an agent: its meter, the providers that it stands before, and MCP servers. */
interface Means {
  readonly servers: NonNullable<AgentTask['servers']>;
  readonly meter: Meter;
  readonly doors: readonly ProviderDoor[];
}

/**
 * Has an agent of others do the whole work of a step: `model.completed` with its last message, and with its report;
 * `model.failed` where it has not come to an end by itself; `model.interrupted` where it was told to stop. That it
 * stopped by itself proves nothing. Where it has changed no file, `warning.raised` says so (`agent_idle`). What the
 * meter knows counts before the words of the agent: a refused call is an exhausted budget, and a limit of its provider
 * is a wait.
 */
export function agentActor(agent: Agent, name: string, { meter, doors, servers }: Means): Actor<AgentInput> {
  return {
    // How far it got before a crash is unknown: what follows is told so.
    effectClass: () => 'once',
    async *execute({ allowed, priceOf, walls, ruling, lets, step, reports, ...input }, call) {
      const { directory } = input;
      const now = call.now ?? Date.now;
      const metered = doors.length === 0 ? null : await meter.open({ doors, allowed, priceOf, now });
      const cell = (await walls?.(metered ? [`loopback:${metered.port}`] : [])) ?? undefined;
      if (cell && 'missing' in cell) {
        metered?.close();
        yield notWalled(name, cell.missing);
        return;
      }
      const record = new AgentRecord(name);
      const progress = new AgentProgress(reports);
      const asked = new AskedCalls(ruling, (asking) => lets(asking, call.signal));
      const before = await lookAtWorkspace(directory);
      let ending: AgentEnding | null = null;
      const task = {
        ...input,
        servers,
        timeMs: Infinity,
        silenceMs: SILENCE_MS,
        signal: call.signal,
        permit: (question: PermissionQuestion) => asked.permit(question),
        cell,
        meter: metered ? { addresses: addressesOf(doors, metered), key: metered.key } : undefined,
      };
      try {
        for await (const event of withPauses(agent(task), () => progress.wait(performance.now()))) {
          if (event) record.take(event);
          if (event) progress.take(event);
          const delta = event && deltaOf(event);
          if (delta) call.delta(delta);
          if (event?.kind === 'ended') ending = event.ending;
          else if (progress.wait(performance.now()) === 0) yield* progress.tell(performance.now());
          if (event?.kind === 'quiet') yield quietNotice(name, event.ms);
        }
      } finally {
        metered?.close();
      }
      const known = metered?.record() ?? null;
      if (known && known.calls > 0) record.meter(known.usage, known.calls);
      if (ending?.code !== 'stopped' || call.signal.aborted) yield* progress.tell(performance.now(), true);
      if (ending === null || call.signal.aborted) {
        const payload = { reason: String(call.signal.reason), text: record.text(), usage: record.usage() };
        yield { type: 'model.interrupted', payload };
        return;
      }
      const isIdle = before !== null && before === (await lookAtWorkspace(directory));
      yield* endingEvents(ending, record, { name, isIdle, known, calls: asked.calls(step) });
    },
  };
}

const addressesOf = (doors: readonly ProviderDoor[], { base }: OpenMeter) =>
  Object.fromEntries(doors.map(({ wire }) => [wire, base(wire)]));

/** Returns what people see while it works. */
function deltaOf(event: AgentEvent): Delta | null {
  if (event.kind === 'message') return { kind: 'text', text: event.text };
  if (event.kind === 'call' && event.reported.status !== 'pending') {
    const { kind, title, status } = event.reported;
    return { kind: 'output', text: `[${kind}: ${title}, ${status.replace('_', ' ')}]\n` };
  }
  return null;
}
