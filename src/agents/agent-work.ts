import { type AgentEnding, endingOf } from './agent-ending.ts';
import type { Agent, AgentEvent, AgentTask } from './agent-port.ts';
import { EventChannel } from './event-channel.ts';
import { Watch } from './agent-watch.ts';

/** The things that an adapter has while its agent works. */
export interface AgentWork {
  readonly task: AgentTask;
  readonly tell: (event: AgentEvent) => void;
  /** Resolves when there is room for more events: read no more before. */
  readonly ready: () => Promise<void>;
  readonly watch: Watch;
}

/** Makes an agent from what drives it to its ending. Nothing of it runs any more when its last event is read. */
export function agentOf(drive: (work: AgentWork) => Promise<AgentEnding>): Agent {
  return async function* work(task) {
    const channel = new EventChannel<AgentEvent>();
    const left = new AbortController();
    const signal = AbortSignal.any([task.signal, left.signal]);
    const watch = new Watch({ ...task, signal }, (ms) => channel.add({ kind: 'quiet', ms }));
    // Agents call a command completed that they were told to stop: nothing that they say of calls then is believed.
    const tell = (event: AgentEvent) => {
      if (event.kind !== 'call' || !watch.isCut) channel.add(event);
    };
    const done = drive({ task, tell, ready: () => channel.ready(), watch })
      .catch((error: unknown) => endingOf('failed', error instanceof Error ? error.message : String(error)))
      .then((ending) => {
        watch.stop();
        tell({ kind: 'ended', ending });
        channel.close();
      });
    try {
      yield* channel;
    } finally {
      // Its reader may have left early: then it is told to stop, and nothing waits for room.
      left.abort();
      channel.close();
      await done;
    }
  };
}
