import type { Report } from '../../log/outbox-store.ts';
import { amount, oneLine } from '../../projections/phrases.ts';
import { shownUrl } from '../../text/shown-url.ts';

const MAX_CHARS = 200;

/** A report to a webhook that is not delivered, for programs. */
export interface ReportStatus extends Pick<
  Report,
  'id' | 'run' | 'createdAt' | 'attempts' | 'nextTryAt' | 'givenUpAt' | 'lastError'
> {
  /** Without its query. */
  readonly url: string;
}

export const reportStatus = (report: Report): ReportStatus => {
  const { id, run, createdAt, attempts, nextTryAt, givenUpAt, lastError } = report;
  return { id, run, url: shownUrl(report.url), createdAt, attempts, nextTryAt, givenUpAt, lastError };
};

/** One line for each URL that reports are owed to, and for each that some were given up for. */
export function reportLines(reports: readonly ReportStatus[]): string[] {
  const byUrl = Map.groupBy(reports, ({ url, givenUpAt }) => `${givenUpAt === null ? 'owed' : 'given up'} ${url}`);
  return [...byUrl.values()].flatMap((some) => {
    const [first] = some;
    if (!first) return [];
    const { url, givenUpAt, lastError } = first;
    const what = givenUpAt === null ? `owed to ${url}` : `to ${url} given up`;
    const why = lastError ?? 'not tried yet, or by a process without its secret';
    return [oneLine(`${amount(some.length, 'report')} ${what}: ${why}`, MAX_CHARS)];
  });
}
