import { randomUUID } from 'node:crypto';
import type { RunOptions } from '../../config/options.ts';
import { lifeOf } from '../../kernel/fold.ts';
import type { AppHost } from '../../app/app-host.ts';
import { previewedSettings } from '../../app/preview/settings-preview.ts';
import type { HeldTrees } from './tree-holds.ts';
import { isOver } from './tree-on-host.ts';
import { Invocation, type Left } from './tree-invocation.ts';
import { Journal } from './journal.ts';
import type { ObjectContext, RestateSdk } from './sdk.ts';
import { NOTHING, untilWoken } from './wake.ts';

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
