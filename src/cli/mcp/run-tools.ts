import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { MAX_PROMPT_CHARACTERS } from '../../config/options.ts';
import type { RunRecord } from '../../log/event-store.ts';
import { readSettings } from '../../runtime/read-settings.ts';
import { plain } from '../../projections/phrases.ts';
import { findRun } from '../args/find-run.ts';
import type { DoorRuns } from '../doors/door-runs.ts';
import { RunStatus, statusOf } from '../doors/run-status-data.ts';
import { usage } from '../pages/complaint.ts';
import { answered, dataResult } from './tool-results.ts';

/** The longest wait of one call: clients give up after a minute. */
const MAX_WAIT_SECONDS = 45;
const MAX_LISTED = 50;

export const RunArgument = z.string().min(4).max(64).describe('The id of a run, or its last 8 characters');

const StartRun = z.object({
  task: z.string().min(1).max(MAX_PROMPT_CHARACTERS).describe('What is to be done, in full: it has no other context'),
  run: z.uuid().optional().describe('A UUIDv7 of yours for the run. The same id gives the same run: retry with it'),
  continues: RunArgument.optional().describe('A run that has ended, whose conversation goes on'),
});

const Waiting = z.object({
  run: RunArgument,
  waitSeconds: z.number().int().min(0).max(MAX_WAIT_SECONDS).default(0).describe('Waits so long until it stands still'),
});

const Listed = z.object({
  runs: z.array(z.object({ run: z.string(), state: z.string(), updatedAt: z.string(), task: z.string() })),
});

/** Registers the tools that start runs, look at them, and pause and resume them. */
export function addRunTools(server: McpServer, door: DoorRuns): void {
  addStartRun(server, door);
  addRunStatus(server, door);
  addListRuns(server, door);
  addPauseRun(server, door);
  addResumeRun(server, door);
}

/** Starts a run, or returns the one that was started under its id before. */
function addStartRun(server: McpServer, door: DoorRuns): void {
  server.registerTool(
    'start_run',
    {
      title: 'Start a run',
      description:
        'Starts a loop that works on a task until its checks pass or a limit is met, and returns at once. Its model, ' +
        'checks and limits are those of this server. Ask run_status for its end.',
      inputSchema: StartRun,
      outputSchema: RunStatus,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    },
    ({ task, run, continues }) =>
      answered(async () => {
        const before = run === undefined ? null : await earlier(door, run, task);
        if (before) return status(door, before);
        const past = continues === undefined ? undefined : await named(door, continues);
        const asked = { prompt: task, ...(past === undefined ? {} : { continues: past.run }) };
        const live = await door.start(asked, undefined, run);
        const data = await statusData(door, await named(door, live.run));
        const warnings = [...new Set([...live.warnings.map((warning) => plain(warning)), ...data.warnings])];
        return dataResult({ ...data, warnings });
      }),
  );
}

/** Tells the status of a run, at once or when it stands still. */
function addRunStatus(server: McpServer, door: DoorRuns): void {
  server.registerTool(
    'run_status',
    {
      title: 'Status of a run',
      description:
        'Where a run stands: its verdict with what proves it, its answer, its cost, and what it asks. A question may ' +
        'be answered with the tool answer; a ruling belongs to a person: call ask_person, or show them its command.',
      inputSchema: Waiting,
      outputSchema: RunStatus,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ run, waitSeconds }, { mcpReq: { signal } }) =>
      answered(async () => {
        const record = await named(door, run);
        if (waitSeconds > 0) await door.untilStill(record.run, waitSeconds * 1_000, signal);
        return status(door, await named(door, record.run));
      }),
  );
}

/** Lists the newest runs. One that cannot be read is listed as such. */
function addListRuns(server: McpServer, door: DoorRuns): void {
  server.registerTool(
    'list_runs',
    {
      title: 'Newest runs',
      description: 'The newest runs of the folder, newest first.',
      inputSchema: z.object({ limit: z.number().int().min(1).max(MAX_LISTED).default(10) }),
      outputSchema: Listed,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ limit }) =>
      answered(async () => {
        const loops = await door.loops();
        const newest = loops ? (await loops.log.newest(limit)).runs : [];
        const all = await Promise.all(newest.map((record) => statusData(door, record).catch(() => unread(record))));
        return dataResult({
          runs: all.map(({ run, state, task }, at) => ({ run, state, updatedAt: newest[at]?.updatedAt, task })),
        });
      }),
  );
}

/** Pauses a run, in this process or in the one that owns it. */
function addPauseRun(server: McpServer, door: DoorRuns): void {
  server.registerTool(
    'pause_run',
    {
      title: 'Pause a run',
      description: 'Stops a run and what it has started, and leaves it to be resumed.',
      inputSchema: z.object({ run: RunArgument }),
      outputSchema: RunStatus,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    ({ run }) =>
      answered(async () => {
        const record = await named(door, run);
        const live = door.live(record.run);
        if (live) await live.pause('user').then(() => live.done);
        else await (await door.recorded()).pause(record.run);
        return status(door, await named(door, record.run));
      }),
  );
}

/** Resumes a run in this process. */
function addResumeRun(server: McpServer, door: DoorRuns): void {
  server.registerTool(
    'resume_run',
    {
      title: 'Resume a run',
      description: 'Continues a run that is paused or was interrupted, and returns at once.',
      inputSchema: z.object({ run: RunArgument }),
      outputSchema: RunStatus,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    },
    ({ run }) =>
      answered(async () => {
        const record = await named(door, run);
        await door.resume(record.run);
        return status(door, await named(door, record.run));
      }),
  );
}

/** The run that is meant: an attempt of it stands for the whole. Throws a `Complaint` where there is none. */
export async function named(door: DoorRuns, run: string): Promise<RunRecord> {
  const { log } = await door.recorded();
  const { root } = await findRun(log, { run, last: false });
  await door.captured(root);
  return findRun(log, { run: root, last: false });
}

/** The run that was started under this id before. Throws a `Complaint` where that one was for another task. */
async function earlier(door: DoorRuns, run: string, task: string): Promise<RunRecord | null> {
  const log = (await door.loops())?.log;
  const record = (await log?.run(run)) ?? null;
  if (!log || !record) return null;
  if ((await readSettings(log, run))?.prompt === task) return record;
  throw usage('run', 'an id of its own for each task', `that of a run with another task`);
}

const statusData = async (door: DoorRuns, record: RunRecord): Promise<RunStatus> =>
  statusOf(door.session, await door.recorded(), record, door.live(record.run)?.isWaiting() ?? false);

const status = async (door: DoorRuns, record: RunRecord) => dataResult(await statusData(door, record));

const unread = ({ run }: RunRecord) => ({ run, state: 'unreadable', task: '' });
