import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Outcome } from '../../machines/outcome.ts';
import type { Message } from '../../src/actors/model/model.ts';
import type { Log } from '../../src/log/log.ts';
import type { RunRecord } from '../../src/log/event-store.ts';
import { Transcript } from '../../src/loops/turn/conversation.ts';
import { rebuild } from '../../src/runtime/load-run.ts';
import { history } from '../support/run-history.ts';
import type { Seen } from '../support/observers.ts';
import { readLedger } from './ledger.ts';

/** One run as its log tells it. */
export interface Told {
  readonly record: RunRecord;
  readonly facts: readonly Seen[];
  readonly messages: readonly Message[];
  readonly isIntact: boolean;
  /** Ids of calls that may not be repeated and have no result. */
  readonly onceOpen: readonly string[];
  readonly interrupted: readonly string[];
}

/** What a folder has seen: its runs, and what was really done. */
export class Story {
  readonly root: Told | null;
  readonly children: readonly Told[];
  /** What the shell commands have left behind, line by line. */
  readonly trace: readonly string[];
  /** Effects that were started again although their result was recorded. */
  readonly repeated: readonly string[];

  private constructor(told: readonly Told[], trace: readonly string[], repeated: readonly string[]) {
    this.root = told.find(({ record }) => record.parentEffect === null) ?? null;
    this.children = told.filter(({ record }) => record.parentEffect !== null);
    this.trace = trace;
    this.repeated = repeated;
  }

  static async of(log: Log, folder: string): Promise<Story> {
    const told: Told[] = [];
    for (const record of await log.runs()) told.push(await tell(log, record));
    const trace = await readFile(join(folder, 'work/trace.txt'), 'utf8').catch(() => '');
    return new Story(
      told,
      trace.split('\n').filter((line) => line !== ''),
      repeatedIn(told, folder),
    );
  }

  get all(): readonly Told[] {
    return this.root ? [this.root, ...this.children] : [];
  }

  /** A person has been asked, and has not answered yet. */
  get isAsking(): boolean {
    const facts = this.all.flatMap((one) => one.facts);
    const asked = facts.filter(
      (fact) => fact.type === 'calls.admitted' && fact.payload.run.some(({ actor }) => actor === 'askPerson'),
    );
    return asked.length > facts.filter(({ type }) => type === 'person.answered').length;
  }

  get isOver(): boolean {
    return this.root !== null && this.root.record.closed !== null;
  }

  get outcome(): Outcome | null {
    return this.root ? outcomeOf(this.root.facts) : null;
  }
}

function outcomeOf(facts: readonly Seen[]): Outcome | null {
  const decided = facts.flatMap((fact) =>
    fact.type === 'decision.made' && fact.payload.sink ? [fact.payload.sink] : [],
  );
  return decided.at(-1) ?? null;
}

async function tell(log: Log, record: RunRecord): Promise<Told> {
  const facts = await history(log, record.run);
  const transcript = new Transcript();
  for (const fact of facts) transcript.observe(fact);
  const verified = await log.verify(record.run);
  return {
    record,
    facts,
    messages: transcript.messages(),
    isIntact: verified.kind === 'intact' && verified.version === facts.length,
    onceOpen: await onceOpen(log, record.run, facts),
    interrupted: facts.flatMap((fact) => (fact.type === 'tool.interrupted' ? [fact.payload.callId] : [])),
  };
}

async function onceOpen(log: Log, run: string, facts: readonly Seen[]): Promise<string[]> {
  const rebuilt = await rebuild(log, run);
  if (rebuilt.kind !== 'loaded') throw new Error(`${run}: ${rebuilt.kind}`);
  const answer = facts.findLast((fact) => fact.type === 'model.completed');
  const isOnce = (callId: string) =>
    answer?.payload.calls.some((call) => call.callId === callId && call.tool === 'shell');
  return rebuilt.state.outstanding.flatMap(({ input }) =>
    isOnce(input['callId'] ?? '') ? [input['callId'] ?? ''] : [],
  );
}

/** Each process takes the lease once, so it is the generation that its epoch says. */
function repeatedIn(told: readonly Told[], folder: string): string[] {
  const answered = new Map<string, number>();
  for (const { record, facts } of told)
    for (const fact of facts) answered.set(`${record.run}/${fact.causation}`, fact.epoch);
  return readLedger(folder)
    .filter(({ effect, generation }) => (answered.get(effect) ?? Infinity) < generation)
    .map(({ effect, actor }) => `${actor} ${effect}`);
}
