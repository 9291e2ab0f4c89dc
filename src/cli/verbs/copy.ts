import { type Copied, copyRuns } from '../../app/records/copy-runs.ts';
import { createStore } from '../../log/open-store.ts';
import type { Log } from '../../log/log.ts';
import { amount, plain } from '../../projections/phrases.ts';
import { storeAt } from '../args/session-loops.ts';
import { asJson } from '../pages/as-json.ts';
import { usage } from '../pages/complaint.ts';
import type { Session } from '../session.ts';
import { EXIT } from '../terminal/exit-status.ts';

export interface CopyFlags {
  /** The address of the log that takes the runs. */
  readonly to: string;
  readonly json?: boolean;
}

/** Copies all runs into another log, which is made where there is none. The log stays as it is. */
export async function copy(session: Session, { to, json = false }: CopyFlags): Promise<number> {
  const { out, err } = session.streams;
  const { log: from } = await session.reading();
  const into = await createStore(await storeAt('--to', to, session.directory));
  try {
    if (into.store === from.store) throw usage('--to', 'another log than the one that is copied', into.store);
    const runs: Copied[] = [];
    for await (const one of copyRuns(from, into)) {
      runs.push(one);
      if (one.kind === 'refused' && !json) out.line(`refused  run ${plain(one.run)}: ${plain(one.because)}`);
    }
    const count = (kind: Copied['kind']) => runs.filter((one) => one.kind === kind).length;
    const [copied, same, refused] = [count('copied'), count('same'), count('refused')];
    if (json) out.line(asJson({ to: into.store, runs }, 2));
    else out.line(`${amount(copied, 'run')} copied to ${into.store}, ${same} there already, ${refused} refused`);
    for (const left of await leftBehind(from)) err.line(left);
    return refused === 0 ? EXIT.success : EXIT.log;
  } finally {
    await into.close();
    await from.close();
  }
}

/** The parts of a log that belong to no event, and stay in it. */
async function leftBehind(from: Log): Promise<readonly string[]> {
  const trees = await from.waitingTrees();
  const reports = await from.undelivered();
  const submitted = await from.submissions();
  return [
    ...(trees.length === 0
      ? []
      : [`Not copied: commands that wait for ${amount(trees.length, 'run')}. Post them again.`]),
    ...(reports.length === 0
      ? []
      : [`Not copied: ${amount(reports.length, 'undelivered report')}. \`loopfold deliver\` delivers them from here.`]),
    ...(submitted.length === 0
      ? []
      : [`Not copied: ${amount(submitted.length, 'submission')}. \`loopfold queue\` lists them; submit them again.`]),
  ];
}
