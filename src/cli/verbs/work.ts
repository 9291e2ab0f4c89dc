import { CODER } from '../../config/agents/coder.ts';
import { runValues } from '../../config/config.ts';
import { parseDuration } from '../../text/duration.ts';
import { endingOf } from '../../hosts/fleet/claimed-run.ts';
import { FleetWorker, type WorkerNews } from '../../hosts/fleet/fleet-workers.ts';
import type { Loops } from '../../hosts/local/loops.ts';
import type { WorkerRun } from '../../hosts/fleet/worker-options.ts';
import { plain } from '../../projections/phrases.ts';
import { wholeNumber } from '../args/whole-number.ts';
import { usage } from '../pages/complaint.ts';
import type { Session } from '../session.ts';
import { EXIT, SIGNAL_EXIT } from '../terminal/exit-status.ts';
import type { Streams } from '../terminal/output.ts';
import { onceThenNow, onStopSignals } from '../terminal/stop-signals.ts';
import { locatedIn } from './dry-run.ts';

export interface WorkFlags {
  readonly concurrency: string;
  readonly grace?: string;
  readonly untilIdle?: boolean;
}

/** Works on what is submitted to the log, until a signal drains it. */
export async function work(session: Session, { concurrency, grace, untilIdle = false }: WorkFlags): Promise<number> {
  const atOnce = wholeNumber('--concurrency', concurrency);
  const graceMs = grace === undefined ? 0 : parseDuration(grace);
  if (graceMs === null) throw usage('--grace', 'a time such as 90s or 10m', `'${grace}'`);
  const run = await runOfWorker(session);
  const rehearsal = await session.loopsNowhere();
  await rehearsal.check({ ...run, prompt: 'a rehearsal' }).catch(locatedIn(session));
  const loops = await session.loopsOrNew();
  const { err } = session.streams;
  let printing = Promise.resolve();
  const worker = new FleetWorker(loops, {
    run,
    concurrency: atOnce,
    told: (news) => {
      printing = printing.then(() => print(session.streams, news, loops)).catch(() => {});
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
    return EXIT.success;
  } finally {
    stopListening();
    await loops.log.close();
  }
}

/** What every run has: the options of this call, its variables and its files. */
async function runOfWorker(session: Session): Promise<WorkerRun> {
  const { values } = await session.config();
  const options = { agent: CODER, ...runValues(values) };
  const loop = options.loop === undefined ? {} : { loop: await session.loopName(options.loop) };
  return { ...options, ...loop, directory: session.directory };
}

async function print({ out, err }: Streams, news: WorkerNews, loops: Loops): Promise<void> {
  switch (news.kind) {
    case 'begun':
    case 'resumed':
      out.line(`${news.kind}  ${news.run}`);
      for (const warning of news.live.warnings) err.line(`warning: ${plain(warning)}`);
      return;
    case 'settled': {
      const { standing } = news.settled;
      const because = 'because' in news.settled ? news.settled.because : null;
      const what = standing === 'over' ? ((await endingOf(loops, news.run).catch(() => null)) ?? 'over') : standing;
      return out.line(`left  ${news.run}  ${what}${because === null ? '' : `: ${plain(because)}`}`);
    }
    case 'left_to_others':
      return out.line(`left  ${news.run}  to others: ${plain(news.because)}`);
    case 'trouble':
      return err.line(`trouble: ${plain(news.because)}`);
  }
}
