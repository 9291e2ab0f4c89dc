import { EnvironmentError } from '../../actors/environment-error.ts';
import { CODER } from '../../config/agents/coder.ts';
import { runValues } from '../../config/config.ts';
import { parseDuration } from '../../text/duration.ts';
import { fleetWorker, type WorkerRun } from '../hosts.ts';
import { plain } from '../../projections/phrases.ts';
import { wholeNumber } from '../args/whole-number.ts';
import { keyBudgetOf, placesOf, type WorkFlags } from '../args/work-flags.ts';
import { treesTelemetryHere } from '../live/telemetry-here.ts';
import { printNews } from '../live/print-news.ts';
import { usage } from '../pages/complaint.ts';
import type { Session } from '../session.ts';
import { EXIT, SIGNAL_EXIT } from '../terminal/exit-status.ts';
import { onceThenNow, onStopSignals } from '../terminal/stop-signals.ts';
import { locatedIn } from './dry-run.ts';

/** Works on what is submitted to the log, until a signal drains it. */
export async function work(session: Session, flags: WorkFlags): Promise<number> {
  const { concurrency, grace, untilIdle = false } = flags;
  const [places, keyBudget] = [placesOf(flags), keyBudgetOf(flags)];
  const atOnce = wholeNumber('--concurrency', concurrency);
  const graceMs = grace === undefined ? 0 : parseDuration(grace);
  if (graceMs === null) throw usage('--grace', 'a time such as 90s or 10m', `'${grace}'`);
  const run = await runOfWorker(session);
  const rehearsal = await session.loopsNowhere();
  await rehearsal
    .check({ ...run, prompt: 'a rehearsal' })
    // Its own folder counts for runs that name no repository.
    .catch((error: unknown) => (places && isOutsideGit(error) ? undefined : locatedIn(session)(error)));
  const { err } = session.streams;
  const telemetry = await treesTelemetryHere(err);
  const watch = telemetry ? { watch: telemetry.watch } : {};
  const loops = await session.loopsOrNew({ ...watch, ...(places ? { captures: places.captures } : {}) });
  telemetry?.belongsTo(loops);
  let printing = Promise.resolve();
  const worker = await fleetWorker(loops, {
    run,
    concurrency: atOnce,
    ...(places ? { places } : {}),
    ...(keyBudget ? { keyBudget } : {}),
    told: (news) => {
      printing = printing.then(() => printNews(session.streams, news, loops)).catch(() => {});
    },
  });
  const stopListening = onStopSignals(
    onceThenNow({
      once: (signal) => {
        err.line(`${signal}: draining; once more to stop at once`);
        void worker.drain(graceMs);
      },
      // What is at work is recovered by another worker, once the leases of this one are over.
      now: (signal) => process.exit(SIGNAL_EXIT[signal]),
    }),
  );
  try {
    err.line(`working on ${plain(loops.log.store)}, ${atOnce} at once`);
    await worker.work({ untilIdle });
    await printing;
    await telemetry?.end();
    return EXIT.success;
  } finally {
    stopListening();
    await loops.log.close();
  }
}

const isOutsideGit = (error: unknown): boolean => error instanceof EnvironmentError && error.code === 'no_git';

/** What every run has: the options of this call, its variables and its files. */
async function runOfWorker(session: Session): Promise<WorkerRun> {
  const { values } = await session.config();
  const options = { agent: CODER, ...runValues(values) };
  const loop = options.loop === undefined ? {} : { loop: await session.loopName(options.loop) };
  return { ...options, ...loop, directory: session.directory };
}
