import { isKnownDead } from '../../log/holder.ts';
import { isOwed, type Report } from '../../log/outbox-store.ts';
import { amount, oneLine, processOf } from '../../projections/phrases.ts';
import { shownUrl } from '../../text/url-text.ts';

const MAX_CHARS = 200;

/** A report to a webhook that is not delivered, for programs. */
export interface ReportStatus extends Pick<
  Report,
  'id' | 'run' | 'createdAt' | 'attempts' | 'nextTryAt' | 'givenUpAt' | 'lastError' | 'secretVariable'
> {
  /** Without its query. */
  readonly url: string;
  /** The process that tries it at this time, as far as is known here. */
  readonly triedBy: { readonly pid: number; readonly host: string } | null;
}

export const reportStatus = (report: Report): ReportStatus => {
  const { id, run, secretVariable, createdAt, attempts, nextTryAt, givenUpAt, lastError } = report;
  const url = shownUrl(report.url);
  const triedBy = triedNowBy(report);
  return { id, run, url, secretVariable, createdAt, attempts, nextTryAt, givenUpAt, lastError, triedBy };
};

/** The status of those that are still owed. */
export const owedStatus = (reports: readonly Report[]): readonly ReportStatus[] =>
  reports.filter(isOwed).map(reportStatus);

function triedNowBy({ claimedBy, claimedUntil }: Report): ReportStatus['triedBy'] {
  const isClaimed = claimedUntil !== null && Date.parse(claimedUntil) > Date.now();
  return isClaimed && claimedBy && !isKnownDead(claimedBy) ? { pid: claimedBy.pid, host: claimedBy.host } : null;
}

/** The environment of a process that has just tried everything it can sign. */
type Tried = { readonly [variable: string]: string | undefined } | null;

/** One line for each URL that reports are owed to, and for each that some were given up for. */
export function reportLines(reports: readonly ReportStatus[], tried: Tried = null): string[] {
  const byUrl = Map.groupBy(reports, ({ url, givenUpAt }) => `${givenUpAt === null ? 'owed' : 'given up'} ${url}`);
  return [...byUrl.values()].flatMap((some) => {
    const [first] = some;
    if (!first) return [];
    const { url, givenUpAt } = first;
    const what = givenUpAt === null ? `owed to ${url}` : `to ${url} given up`;
    return [oneLine(`${amount(some.length, 'report')} ${what}: ${reason(first, some.length, tried)}`, MAX_CHARS)];
  });
}

/** Why the first report to a URL is not delivered: the later ones wait for it. */
function reason({ givenUpAt, lastError, secretVariable, triedBy }: ReportStatus, count: number, tried: Tried): string {
  if (triedBy) return `${processOf(triedBy)} is trying ${count > 1 ? 'the first of them' : 'it'} now`;
  const isUnsigned = givenUpAt === null && tried !== null && secretVariable !== null && !tried[secretVariable];
  if (isUnsigned) return `not tried here: ${secretVariable}, with which they are signed, is not set`;
  if (lastError !== null) return lastError;
  return secretVariable === null ? 'not tried yet' : `not tried yet: that takes a process that has ${secretVariable}`;
}
