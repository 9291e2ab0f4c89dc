import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { Reading } from '../../log/reading.ts';
import { LoopInView } from '../../projections/loop-in-view.ts';
import { plain } from '../../projections/phrases.ts';
import { timelineEntry, unreadableEntry } from '../../projections/timeline.ts';
import { head } from '../../text/excerpt.ts';
import { pathText } from '../../text/path-text.ts';
import type { DoorRuns } from '../doors/door-runs.ts';
import { noChange } from '../pages/print-patch.ts';
import { answered, dataResult } from './tool-results.ts';
import { named, RunArgument } from './run-tools.ts';

const MAX_PATCH_CHARS = 100_000;
const MAX_FILES = 1_000;
const MAX_PATH_CHARS = 500;
const MAX_EVENTS = 200;

const Diff = z.object({
  run: z.string(),
  files: z.array(
    z.object({ path: z.string(), status: z.string(), added: z.number().nullable(), removed: z.number().nullable() }),
  ),
  moreFiles: z.number().int(),
  patch: z.string().nullable(),
  isCut: z.boolean().describe('The patch goes on: the verb diff has all of it'),
});

const Events = z.object({
  run: z.string(),
  events: z.array(z.object({ version: z.number().int(), at: z.string(), type: z.string(), text: z.string() })),
  next: z.number().int().nullable().describe('Where the next page begins. Null: these are the last so far'),
});

const READS = { readOnlyHint: true, openWorldHint: false } as const;

/** Registers the tools that read what a run has changed and recorded. */
export function addReadingTools(server: McpServer, door: DoorRuns): void {
  addRunDiff(server, door);
  addRunEvents(server, door);
}

/** Shows the change of a run, cut at so many files and characters. */
function addRunDiff(server: McpServer, door: DoorRuns): void {
  server.registerTool(
    'run_diff',
    {
      title: 'Change of a run',
      description: 'What a run has changed in the files so far: the files, and the patch as git apply takes it.',
      inputSchema: z.object({ run: RunArgument, patch: z.boolean().default(true) }),
      outputSchema: Diff,
      annotations: READS,
    },
    ({ run, patch }) =>
      answered(async () => {
        const record = await named(door, run);
        const change = await (await door.recorded()).diff(record.run);
        if (change.kind !== 'change') throw noChange('diff', change);
        const text = patch ? await beginning(change.patch(true), MAX_PATCH_CHARS) : null;
        return dataResult({
          run: record.run,
          files: change.files.slice(0, MAX_FILES).map(({ path, status, added, removed }) => ({
            path: pathText(path, MAX_PATH_CHARS),
            status,
            added,
            removed,
          })),
          moreFiles: Math.max(0, change.files.length - MAX_FILES),
          patch: text?.text ?? null,
          isCut: text?.isCut ?? false,
        });
      }),
  );
}

/** Lists the events of a run by pages. */
function addRunEvents(server: McpServer, door: DoorRuns): void {
  server.registerTool(
    'run_events',
    {
      title: 'Events of a run',
      description: 'What a run has recorded, a line for each event, oldest first.',
      inputSchema: z.object({
        run: RunArgument,
        from: z.number().int().min(1).default(1),
        limit: z.number().int().min(1).max(MAX_EVENTS).default(MAX_EVENTS),
      }),
      outputSchema: Events,
      annotations: READS,
    },
    ({ run, from, limit }) =>
      answered(async () => {
        const record = await named(door, run);
        const { log, definitions } = await door.recorded();
        const reading = new Reading(definitions, { isWhole: true });
        const inView = new LoopInView(definitions);
        const lines = [];
        let next: number | null = null;
        for await (const envelope of log.read(record.run)) {
          const read = reading.read(envelope);
          const loop = read.kind === 'event' ? inView.observe(read.event) : null;
          if (envelope.version < from) continue;
          if (lines.length === limit) next = envelope.version;
          if (next !== null) break;
          const { version, at, type, text } =
            read.kind === 'event' ? timelineEntry(read.event, loop) : unreadableEntry(read, envelope.payload);
          lines.push({ version, at, type, text });
        }
        return dataResult({ run: record.run, events: lines, next });
      }),
  );
}

/** The beginning of a text that comes in pieces, cleaned, and whether there is more. */
async function beginning(pieces: AsyncIterable<Uint8Array>, most: number) {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of pieces) {
    text += decoder.decode(piece, { stream: true });
    if (text.length > most) return { text: plain(head(text, most)), isCut: true };
  }
  return { text: plain(text + decoder.decode()), isCut: false };
}
