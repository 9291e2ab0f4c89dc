import type { LoopEvent } from '../../../machines/events.ts';
import { lifeOf } from '../../kernel/fold.ts';
import { settled } from '../../runtime/child-runs.ts';
import { lastMessage } from '../../runtime/run-end.ts';
import { waitsForPerson } from '../../runtime/wait-states.ts';
import { type HostedRun, isOver } from './tree-on-host.ts';

interface ToParent {
  readonly to: string;
  readonly event: LoopEvent;
  /** The effect that it answers, or null. */
  readonly effect: string | null;
  /** The child, where it has ended. */
  readonly over: string | null;
}

/** What the children of a tree have to say to their parents. */
export function childEvents(runs: ReadonlyMap<string, HostedRun>): readonly ToParent[] {
  return [...runs.values()].flatMap((child) => {
    const parent = child.parent === null ? undefined : runs.get(child.parent);
    return parent ? fromChild(parent, child) : [];
  });
}

function fromChild(parent: HostedRun, child: HostedRun): readonly ToParent[] {
  const opening = parent.state.outstanding.find(({ effect }) => `${parent.id}/${effect}` === child.parentEffect);
  if (!opening) return [];
  const { key, input } = opening;
  const { callId, lane } = input;
  const { outcome, spend } = lifeOf(child.state);
  if (isOver(child) && outcome) {
    const { handlers } = child.scope;
    const end = { kind: 'ended', outcome, spend, ...lastMessage(handlers), steering: handlers.steering() } as const;
    const event = settled(
      { ...end, run: child.id, isFinished: true },
      { callId: callId ?? null, ...(lane ? { lane } : {}) },
    );
    return [{ to: parent.id, event, effect: opening.effect, over: child.id }];
  }
  const { pending, waitingSince } = lifeOf(parent.state);
  const isAsked = waitsForPerson(child);
  if (isAsked === (pending[key] === 'waiting' || waitingSince !== null)) return [];
  const which = { ...(callId === undefined ? {} : { callId }), ...(lane === undefined ? {} : { lane }) };
  const payload = { child: child.id, ...which };
  return [
    { to: parent.id, event: { type: isAsked ? 'child.asked' : 'child.answered', payload }, effect: null, over: null },
  ];
}
