import { z } from 'zod';
import type { Block, ReportPage, Table, Text } from '../../kernel/report-page.ts';
import { type RunReport, runReport } from '../records/run-tracker.ts';
import { unreadableSentence } from '../../log/unreadable.ts';
import { MAX_LINE_CHARS, shownText } from './line-for-view.ts';

const Said = z.array(z.object({ text: z.string(), isCode: z.boolean() }));
const Tone = z.enum(['good', 'bad', 'quiet']).nullable();
const TableView = z.object({
  kind: z.literal('table'),
  columns: z.array(z.object({ name: z.string(), isNumber: z.boolean() })),
  rows: z.array(z.array(z.object({ said: Said, tone: Tone }))),
});
const place = { title: z.string(), unit: z.string() };

const BlockView = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('heading'), text: z.string() }),
  z.object({ kind: z.literal('text'), said: Said }),
  z.object({
    kind: z.literal('figures'),
    figures: z.array(z.object({ name: z.string(), value: z.string(), tone: Tone })),
  }),
  TableView,
  z.object({
    kind: z.literal('bars'),
    ...place,
    group: z.string(),
    parts: z.array(z.string()),
    groups: z.array(z.object({ name: z.string(), values: z.array(z.number()) })),
  }),
  z.object({ kind: z.literal('line'), ...place, points: z.array(z.object({ atMs: z.number(), value: z.number() })) }),
  /** `patch` null: the repository has it no more, or it is too large. */
  z.object({ kind: z.literal('patch'), title: z.string(), command: z.string(), patch: z.string().nullable() }),
]);
export type BlockView = z.infer<typeof BlockView>;

/** The report on a whole run, part by part. `overview`: a row for everything that it is about. */
export const ReportView = z.object({ title: z.string(), overview: TableView.nullable(), blocks: z.array(BlockView) });
export type ReportView = z.infer<typeof ReportView>;

/** The report on a run for its page. Null: its loop has none, or not all of it can be read. */
export async function readReport(host: Parameters<typeof runReport>[0], run: string): Promise<ReportView | null> {
  const read = await runReport(host, run);
  return read.kind === 'report' ? reportView(read) : null;
}

/** A report as a page shows it. */
export function reportView({ report, patches }: Extract<RunReport, { kind: 'report' }>): ReportView {
  const { title, blocks, overview }: ReportPage = report;
  return {
    title: line(title),
    overview: overview ? tableView(overview) : null,
    blocks: blocks.map((block) => blockView(block, patches)),
  };
}

/** Why a run has no report, in a sentence. */
export function noReportText(read: Exclude<RunReport, { kind: 'report' }>): string {
  switch (read.kind) {
    case 'unknown_run':
      return `the log has no run ${read.run}`;
    case 'no_report':
      return `runs of the loop ${read.loop} have no report`;
    case 'unreadable':
      return `the report needs every event: ${unreadableSentence(read.unreadable)}`;
  }
}

const line = (text: string): string => shownText(text, MAX_LINE_CHARS);

function blockView(block: Block, patches: ReadonlyMap<string, string>): BlockView {
  switch (block.kind) {
    case 'heading':
      return { kind: 'heading', text: line(block.text) };
    case 'text':
      return { kind: 'text', said: saidIn(block.text) };
    case 'figures':
      return { kind: 'figures', figures: block.figures.map((one) => ({ ...one, tone: one.tone ?? null })) };
    case 'table':
      return tableView(block);
    case 'bars':
      return {
        ...block,
        parts: [...block.parts],
        groups: block.groups.map((one) => ({ ...one, values: [...one.values] })),
      };
    case 'line':
      return { ...block, points: [...block.points] };
    case 'patch':
      return { kind: 'patch', title: line(block.title), command: block.command, patch: patches.get(block.id) ?? null };
  }
}

const tableView = ({ columns, rows }: Table): z.infer<typeof TableView> => ({
  kind: 'table',
  columns: columns.map(({ name, isNumber = false }) => ({ name, isNumber })),
  rows: rows.map((row) =>
    row.map((cell) => {
      const { text, tone = null } = typeof cell === 'object' && 'text' in cell ? cell : { text: cell };
      return { said: saidIn(text), tone };
    }),
  ),
});

const saidIn = (text: Text): z.infer<typeof Said> =>
  (typeof text === 'string' ? [text] : text).map((part) =>
    typeof part === 'string' ? { text: shownText(part), isCode: false } : { text: shownText(part.code), isCode: true },
  );
