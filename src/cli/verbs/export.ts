import { htmlRun } from '../../app/views/html-run.ts';
import { markdownRun } from '../../app/views/markdown-run.ts';
import { readExported, readOutline } from '../../app/views/read-exported.ts';
import type { App } from '../../app/app.ts';
import { studioFiles } from '../../http/studio-files.ts';
import type { RunRecord } from '../../log/event-store.ts';
import { findRun, type RunReference, shortId } from '../args/find-run.ts';
import { Complaint, usage } from '../pages/complaint.ts';
import type { Session } from '../session.ts';
import { EXIT } from '../terminal/exit-status.ts';
import { writeNew } from '../terminal/new-file.ts';

export interface ExportFlags {
  readonly as: string;
  readonly to?: string;
  readonly otlp?: string;
}

type Host = Pick<App, 'log' | 'definitions'>;
type Writer = (host: Host, record: RunRecord) => Promise<string | null>;

const WRITERS: { readonly [as: string]: Writer } = {
  markdown: async (host, record) => {
    const outline = await readOutline(host, record);
    return outline && markdownRun(outline.view, outline.change);
  },
  html: async (host, record) => {
    const files = await studioFiles();
    const [script, styles] = ['studio.js', 'studio.css'].map((name) => files?.get(name)?.toString('utf8'));
    if (script === undefined || styles === undefined)
      throw new Complaint(EXIT.environment, 'the page was not built: npm run build makes it', null);
    const exported = await readExported(host, record);
    return exported && htmlRun(exported, { script, styles });
  },
};

/** Writes a run as one text for people who have no log: to stdout, or into a new file. */
export async function exportRun(session: Session, reference: RunReference, flags: ExportFlags): Promise<number> {
  const { as, to, otlp } = flags;
  if (as === 'otlp' || otlp !== undefined) {
    const text = await (await import('./export-spans.ts')).exportSpans(session, reference, otlp);
    return text === null ? EXIT.success : given(session, text, to);
  }
  const write = WRITERS[as];
  if (!write)
    throw usage('--as', `one of ${[...Object.keys(WRITERS), 'otlp'].join(', ')}`, `'${as}'`, ['export', '--help']);
  const loops = await session.reading({ runs: [reference], otherwise: 'warn' });
  const record = await findRun(loops.log, reference);
  const text = await write(loops, record);
  await loops.log.close();
  if (text === null)
    throw new Complaint(EXIT.log, `the start of run ${record.run} cannot be read`, ['events', shortId(record.run)]);
  return given(session, text, to);
}

/** Prints a text, or writes it into a new file. */
async function given({ streams: { out, err } }: Session, text: string, to: string | undefined): Promise<number> {
  if (to === undefined) {
    for (const line of text.trimEnd().split('\n')) out.line(line);
    return EXIT.success;
  }
  await into(to, text);
  err.line(`written: ${to}`);
  return EXIT.success;
}

async function into(path: string, text: string): Promise<void> {
  const made = await writeNew(path, pieces(text)).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new Complaint(EXIT.environment, `${path} cannot be written: ${why}`, null, { cause: error });
  });
  if (made === 'exists') throw usage('--to', 'a file that does not exist yet', `'${path}'`);
}

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
