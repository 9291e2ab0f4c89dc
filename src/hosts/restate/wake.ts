import { standingOf } from '../../app/kept/run-standing.ts';
import type { AppHost } from '../../app/app-host.ts';
import type { Journal } from './journal.ts';
import type { ObjectContext, ObjectSharedContext } from './sdk.ts';

/** The name under which an object keeps what wakes its invocation. */
const WAKING = 'waking';
/** Said to an invocation that a person lets go on. */
const RESUME = 'resume';
/** The body of a call that says nothing: null, as JSON. */
export const NOTHING = new TextEncoder().encode('null');

/**
 * Waits until the run is told to resume, or something was recorded in it. No effect is open meanwhile, so that Restate
 * may suspend the invocation, and wake it anywhere. Resolves with `ended` where a process has ended the run.
 */
export async function untilWoken(
  context: ObjectContext,
  journal: Journal,
  { log, definitions }: Pick<AppHost, 'log' | 'definitions'>,
): Promise<'ended' | 'resume'> {
  for (;;) {
    const { id, promise } = context.awakeable<string | null>();
    context.set(WAKING, id);
    // What is recorded after this look is told to the one that waits: its name is known by then.
    const look = async () => (await standingOf(log, context.key, definitions)).kind;
    const found = await journal.run('standing', look);
    if (found === 'ended') return found;
    if (found === 'moved' || (await promise) === RESUME) return 'resume';
  }
}

/** Wakes the invocation of a run. Tells whether one waits. */
export async function wake(context: ObjectSharedContext, how: 'look' | typeof RESUME): Promise<boolean> {
  const waking = await context.get<string>(WAKING);
  if (waking !== null) context.resolveAwakeable(waking, how);
  return waking !== null;
}

/** Says something to a run, and wakes its invocation where that has left it. */
export async function saying<Said>(
  context: ObjectSharedContext,
  { name, what }: { readonly name: string; readonly what: string },
  say: () => Promise<Said>,
): Promise<Said> {
  const said = await context.run(what, say);
  // An invocation of its own: this one knows the state of its object as it was when it began.
  context.genericSend({ service: name, method: 'wake', key: context.key, parameter: NOTHING });
  return said;
}
