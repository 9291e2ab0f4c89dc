import type { Log } from '../../log/log.ts';
import type { Report } from '../../log/outbox-store.ts';
import { appended, AT, elsewhere, fact, history } from './contract.ts';

export const ONE = 'https://one.example/hook';
export const OTHER = 'https://other.example/hook';
/** How long a claim holds. */
export const FOR_MS = 15_000;
export const ONE_PROCESS = elsewhere('a process');
/** A request for the next report: by a process that knows the secret of the variable KNOWN. */
export const claim = (by = ONE_PROCESS) => ({ by, forMs: FOR_MS, variables: ['KNOWN'] });
/** The report of an event, as an append takes it. */
export const report = (version: number, url = ONE, secretVariable: string | null = null) => ({
  version,
  url,
  secretVariable,
  body: `{"version":${version}}`,
});

/** A time so many milliseconds after noon. */
export const later = (ms: number) => new Date(Date.parse(AT) + ms).toISOString();

/** A run with a report for each of its events. */
export async function reporting(log: Log, run: string, urls: readonly string[], events = 3): Promise<void> {
  const { epoch } = await history(log, run, 1);
  const reports = Array.from({ length: events }, (_, index) => urls.map((url) => report(index + 2, url))).flat();
  const facts = Array.from({ length: events }, () => fact());
  await appended(log.append({ run, events: facts, expectedVersion: 1, epoch, reports }));
}

export const idsOf = (reports: readonly (Report | null)[]) => reports.map((one) => one?.id ?? null);

/** Claims the next report. Throws an `Error` where there is none. */
export async function claimed(log: Log, by = ONE_PROCESS): Promise<Report> {
  const one = await log.claimReport(claim(by));
  if (!one) throw new Error('nothing to claim');
  return one;
}
