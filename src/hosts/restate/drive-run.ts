import { randomUUID } from 'node:crypto';
import type { RunOptions } from '../../config/options.ts';
import { lifeOf } from '../../kernel/fold.ts';
import type { AppHost } from '../../app/app-host.ts';
import { previewedSettings } from '../../app/preview/settings-preview.ts';
import type { HeldTrees } from './tree-holds.ts';
import { isOver } from './tree-on-host.ts';
import { Invocation, type Left } from './tree-invocation.ts';
import { Journal } from './journal.ts';
import type { ObjectContext, RestateSdk, ObjectSharedContext } from './sdk.ts';
import { standingOf } from '../../app/kept/run-standing.ts';

/** The name under which an object keeps what wakes its invocation. */
const WAKING = 'waking';
/** Said to an invocation that a person lets go on. */
const RESUME = 'resume';
/** The body of a call that says nothing: null, as JSON. */
const NOTHING = new TextEncoder().encode('null');

/**
 * Waits until the run is told to resume, or something was recorded in it. No effect is open meanwhile, so that Restate
 * may suspend the invocation, and wake it anywhere. Resolves with `ended` where a process has ended the run.
 */
async function untilWoken(
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

/** How a run has left its invocation. */
export interface DrivenRun {
  readonly run: string;
  readonly left: Left;
  readonly ending: string | null;
  readonly answer: string;
  readonly version: number;
}

export interface Driving {
  readonly sdk: RestateSdk;
  readonly host: AppHost;
  readonly held: HeldTrees;
  /** The name of the virtual object. */
  readonly name: string;
  /** The options that every run has. */
  readonly common: Partial<RunOptions>;
  readonly mostEntries: number;
}

/** Starts a run, or resumes the one of this key, and works on it until it has ended. */
export async function driveRun(driving: Driving, context: ObjectContext, asked: RunOptions | null): Promise<DrivenRun> {
  const { sdk, host, held, name, mostEntries } = driving;
  const root = context.key;
  const parts = { host, held, root, mostEntries, journal: new Journal(context, randomUUID()) };
  let invocation = new Invocation(parts, sdk);
  if (!(await invocation.tree.look())) await begin(driving, invocation, parts.journal, asked);
  else if (!isOver(invocation.tree.root)) await invocation.resume();
  for (;;) {
    const left = await driven(invocation, sdk);
    if (left === 'full') context.genericSend({ service: name, method: 'drive', key: root, parameter: NOTHING });
    if (left === 'ended' || left === 'full') return resultOf(invocation, left);
    await untilWoken(context, parts.journal, host);
    invocation = new Invocation(parts, sdk);
    await invocation.tree.look();
    if (!isOver(invocation.tree.root)) await invocation.resume();
  }
}

async function begin(
  { sdk, host, common }: Driving,
  { tree }: Invocation,
  journal: Journal,
  asked: RunOptions | null,
): Promise<void> {
  const { key } = journal.context;
  if (asked === null) throw new sdk.TerminalError(`run ${key} is unknown: start it with its options`);
  const settings = await journal.run('settings', () =>
    previewedSettings(host, { ...common, ...asked }).then(
      (prepared) => prepared.settings,
      (error: unknown) => {
        // What cannot begin is not tried again.
        throw new sdk.TerminalError(error instanceof Error ? error.message : String(error));
      },
    ),
  );
  await tree.begin(key, settings);
}

/** An invocation that is cancelled from outside aborts its run. */
async function driven(invocation: Invocation, sdk: RestateSdk): Promise<Left> {
  if (isOver(invocation.tree.root)) return 'ended';
  try {
    return await invocation.drive();
  } catch (error) {
    if (!(error instanceof sdk.CancelledError)) throw error;
    await invocation.abort('its invocation was cancelled');
    return invocation.drive();
  }
}

function resultOf({ tree }: Invocation, left: Left): DrivenRun {
  const { id, state, scope } = tree.root;
  const ending = lifeOf(state).outcome?.ending ?? null;
  return { run: id, left, ending, answer: scope.handlers.answer(), version: state.version };
}
