import type { PromptResponse } from '@agentclientprotocol/sdk';
import { RequestFault } from '../../agents/acp/json-rpc.ts';
import type { LiveRun } from '../../app/running/live-runs.ts';
import type { App } from '../../app/app.ts';
import { assertRecorded } from '../../app/records/success-record.ts';
import { plain } from '../../projections/phrases.ts';
import type { RunEnd } from '../../runtime/run-end.ts';
import type { DoorRuns, DoorTask } from '../doors/door-runs.ts';
import { complaintOf } from '../pages/complaint-of.ts';
import { attendEditor, type Editor } from './attend-editor.ts';
import type { Prompt } from './prompt-blocks.ts';
import { message } from './run-updates.ts';
import { threadFrom } from './thread-runs.ts';
import { tellPast, watchOfNew, watchOfResumed } from './run-telling.ts';
import { verdictText } from './verdict-text.ts';

const INTERNAL = -32_603;
const BUSY = -32_600;
const CANCELLED = 'cancelled in the editor';

/** A conversation of an editor: a thread of runs, whose first has the id of the session. Each prompt is a run. */
export class EditorSession {
  readonly id: string;
  readonly door: DoorRuns;
  readonly #editor: Editor;
  /** The loop that the next run has. Null: the one of the configuration. */
  loop: string | null = null;
  /** The newest run of the thread. Null: there is none yet. */
  #newest: string | null = null;
  #live: LiveRun | null = null;
  #isBusy = false;
  #isCancelled = false;

  constructor(id: string, door: DoorRuns, editor: Editor) {
    this.id = id;
    this.door = door;
    this.#editor = editor;
  }

  /** Finds the thread in the log, and tells all of it. Returns false where the log has no such run. */
  async load(isTold: boolean): Promise<boolean> {
    const loops = await this.door.loops();
    const thread = loops ? await threadFrom(loops.log, this.id) : [];
    if (!loops || thread.length === 0) return false;
    this.#newest = thread.at(-1) ?? null;
    if (isTold) for (const run of thread) await this.#tellPast(loops, run);
    return true;
  }

  /** Works on a prompt, until its run has ended or waits for a message. Rejects with a `RequestFault`. */
  async prompt(prompt: Prompt): Promise<PromptResponse> {
    if (this.#isBusy) throw new RequestFault(BUSY, 'the session works on another prompt');
    this.#isBusy = true;
    this.#isCancelled = false;
    try {
      return await this.#worked(prompt);
    } catch (error) {
      if (error instanceof RequestFault) throw error;
      throw new RequestFault(INTERNAL, plain(complaintOf(error, 'acp').message));
    } finally {
      this.#isBusy = false;
      this.#live = null;
    }
  }

  /** Ends the run of the prompt that is worked on. */
  cancel(): void {
    this.#isCancelled = this.#isBusy;
    void this.#live?.abort(CANCELLED);
  }

  async #worked(prompt: Prompt): Promise<PromptResponse> {
    const live = await this.#begin(prompt);
    this.#live = live;
    this.#newest = live.run;
    for (const warning of live.warnings) this.#editor.tell(message(`warning: ${warning}\n\n`));
    if (this.#isCancelled) void live.abort(CANCELLED);
    const loops = await this.door.recorded();
    const attended = attendEditor({ loops, live, editor: this.#editor, isCancelled: () => this.#isCancelled });
    const [end] = await Promise.all([live.done, attended]);
    return this.#ended(loops, live.run, end);
  }

  async #begin({ prompt, images }: Prompt): Promise<LiveRun> {
    const shown = images === undefined ? {} : { images };
    const loop = this.loop === null ? {} : { loop: this.loop };
    const task: DoorTask = { prompt, ...shown, ...loop };
    const watch = () => watchOfNew(this.door.definitions, this.#editor.tell);
    const newest = this.#newest;
    if (newest === null) return this.door.start(task, watch(), this.id);
    const loops = await this.door.recorded();
    if ((await loops.log.run(newest))?.closed === null) {
      await this.#say(loops, newest, prompt);
      const live = await this.door.resume(newest, await watchOfResumed(loops, newest, this.#editor.tell));
      if (live) return live;
    }
    return this.door.start({ ...task, continues: newest }, watch());
  }

  /** A message to a run that has not ended answers its question; without one it adds to the task. */
  async #say(loops: App, run: string, text: string): Promise<void> {
    const question = ((await loops.questions(run)) ?? []).find(({ kind }) => kind === 'question');
    const said = question ? await loops.answer(run, { call: question.callId, text }) : await loops.steer(run, text);
    if (said.kind === 'refused') throw new RequestFault(INTERNAL, plain(said.message));
  }

  async #ended(loops: App, run: string, end: RunEnd): Promise<PromptResponse> {
    if (end.kind === 'ended' && end.outcome.ending === 'success') await assertRecorded(loops.log, run);
    const { text, stopReason } = await verdictText(this.door, loops, run, { end, isCancelled: this.#isCancelled });
    if (stopReason === null) throw new RequestFault(INTERNAL, text);
    this.#editor.tell(message(`${text}\n`));
    return { stopReason, _meta: { loopfold: { run } } };
  }

  async #tellPast(loops: App, run: string): Promise<void> {
    await tellPast(loops, run, this.#editor.tell);
    const { text } = await verdictText(this.door, loops, run);
    this.#editor.tell(message(`${text}\n`));
  }
}
