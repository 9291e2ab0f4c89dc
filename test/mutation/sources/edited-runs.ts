import fc from 'fast-check';
import { inject, type RunnerTask, TestRunner, vi } from 'vitest';
import { CUT_OFF } from './cut-off.ts';
import { Overtime } from './overtime.ts';
import type { Said } from './tries.ts';

/** What a pass over test files does: looks which edits a test comes by, or runs it once under each of them. */
export type Pass =
  | { readonly kind: 'looking' }
  | { readonly kind: 'editing'; readonly asked: AskedByTest }
  /** From the start: what is computed while files are loaded is edited as well. */
  | { readonly kind: 'loading'; readonly asked: AskedByTest; readonly number: number };

export type AskedByTest = { readonly [test: string]: Asked };

/** The edits that a test runs under, and what it takes without one. */
export interface Asked {
  readonly edits: readonly number[];
  readonly took: Took;
}

/** Neither counts what other processes of a busy machine take. */
export interface Took {
  readonly cpuMs: number;
  /** How long its thread waits for something. */
  readonly idleMs: number;
  /** How often it comes by an edit, whichever. */
  readonly times: number;
}

declare module 'vitest' {
  interface ProvidedContext {
    pass: Pass;
  }
  interface TaskMeta {
    /** The edits that a test comes by. */
    edits?: number[];
    /** The edits that files come by while they are loaded. */
    loading?: number[];
    took?: Took;
  }
}

type Test = Extract<RunnerTask, { type: 'test' }>;

const MAX_WHY_CHARACTERS = 200;
/** So much longer than without an edit a test may take: one that waits for what never comes is cut off. */
const MAX_MORE: Took = { cpuMs: 5_000, idleMs: 2_000, times: 20_000 };
const TIMES_LONGER = 3;
/** Without an edit too much is no finding: such a test cannot be repeated, or is broken by what an edit left behind. */
const MAX_WITHOUT_EDIT: Omit<Took, 'times'> = { cpuMs: 60_000, idleMs: 30_000 };
/** Of processor time: what files may take that are loaded under an edit. */
const MAX_LOADING_MS = 60_000;
const LOOK_EVERY_MS = 100;
/** The real ones, whatever a test has put in their place. */
const { setInterval, clearInterval } = globalThis;

interface Shared {
  edit: number | null;
  times: number;
  maxTimes: number;
  /** The edits that were come by. */
  readonly seen: Set<number>;
  readonly loading: Set<number>;
  isInTest: boolean;
  hasFailed: boolean;
  readonly killed: Set<number>;
  readonly overtime: Overtime;
}

/** Of the thread: its test files share what they have loaded, and each loads this module anew. */
const thread = globalThis as { $shared?: Shared };
thread.$shared ??= {
  edit: null,
  times: 0,
  maxTimes: Infinity,
  seen: new Set(),
  loading: new Set(),
  isInTest: false,
  hasFailed: false,
  killed: new Set(),
  overtime: new Overtime(),
};
const state = thread.$shared;

Object.assign(globalThis, {
  $edited: (number: number): boolean => {
    if (state.isInTest) {
      state.seen.add(number);
      state.times += 1;
      // Each edit counts: a loop may go round for ever for another reason than an edit in it.
      if (state.times > state.maxTimes) throw new Error('it goes round for ever');
    } else state.loading.add(number);
    return number === state.edit;
  },
});

/** Repeats each test within the thread that has loaded it, with its hooks: one try for each edit. */
// oxlint-disable-next-line import/no-default-export -- the form in which vitest takes a runner.
export default class EditedRuns extends TestRunner {
  readonly #pass: Pass = inject('pass');
  #asked: readonly number[] = [];
  #limit: Took | null = null;
  #from = now();

  constructor(config: ConstructorParameters<typeof TestRunner>[0]) {
    super(config);
    if (this.#pass.kind !== 'loading') return;
    const { number } = this.#pass;
    state.edit = number;
    say({ kind: 'begun', one: { number, test: null, name: 'loading' } });
    state.overtime.begin(MAX_LOADING_MS);
  }

  override async onBeforeRunTask(test: RunnerTask): Promise<void> {
    await super.onBeforeRunTask(test);
    if (test.type !== 'test') return;
    // Looked at twice: a test that passes once only cannot be repeated.
    if (this.#pass.kind === 'looking') test.repeats = 1;
    if (this.#pass.kind === 'looking') return;
    const { edits = [], took = null } = this.#pass.asked[test.id] ?? {};
    this.#limit = took && longer(took);
    state.maxTimes = this.#limit?.times ?? Infinity;
    // Of the tests that may be asked, one that fails is enough.
    if (took === null || (this.#pass.kind === 'loading' && state.hasFailed)) test.mode = 'skip';
    if (this.#pass.kind === 'loading') return;
    this.#asked = edits.filter((number) => !state.killed.has(number));
    if (this.#asked.length === 0) test.mode = 'skip';
    // The last try has no edit: what those before it have left behind would show.
    test.repeats = this.#asked.length;
  }

  override onBeforeTryTask(test: Test, options: Parameters<TestRunner['onBeforeTryTask']>[1]): void {
    super.onBeforeTryTask(test, options);
    state.isInTest = true;
    state.times = 0;
    this.#from = now();
    if (this.#pass.kind === 'looking') return state.seen.clear();
    // Only whether a property fails is of interest, not its smallest counterexample.
    fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });
    if (this.#pass.kind === 'editing') state.edit = this.#asked[options.repeats] ?? null;
    // What a try that was cut off still expects is not waited for by those after it.
    delete test.promises;
    const { id, fullName: name } = test;
    say({ kind: 'begun', one: { number: state.edit, test: id, name } });
    state.overtime.begin(this.#maxTook.cpuMs);
  }

  async runTask(test: Test): Promise<void> {
    const run = TestRunner.getTestFn(test);
    const limit = this.#maxTook;
    const from = this.#from;
    let timer: NodeJS.Timeout | undefined;
    const cutOff = new Promise<never>((_resolve, reject) => {
      timer = setInterval(() => {
        const { cpuMs, idleMs } = since(from);
        if (cpuMs > limit.cpuMs || idleMs > limit.idleMs) reject(new Error(`${CUT_OFF}it waits for what never comes`));
      }, LOOK_EVERY_MS);
    });
    try {
      await Promise.race([run(), cutOff]);
    } finally {
      clearInterval(timer);
    }
  }

  get #maxTook(): Omit<Took, 'times'> {
    return state.edit !== null && this.#limit ? this.#limit : MAX_WITHOUT_EDIT;
  }

  override async onAfterRetryTask(test: Test, options: Parameters<TestRunner['onAfterRetryTask']>[1]): Promise<void> {
    await super.onAfterRetryTask(test, options);
    state.isInTest = false;
    // A test that was cut off has not put them back.
    vi.useRealTimers();
    if (this.#pass.kind === 'looking') {
      const took = { ...since(this.#from), times: state.times };
      Object.assign(test.meta, { edits: [...state.seen], took } satisfies typeof test.meta);
      return;
    }
    const [error] = test.result?.errors ?? [];
    state.overtime.end();
    say({ kind: 'ended', why: error ? error.message.slice(0, MAX_WHY_CHARACTERS) : null });
    if (error) state.hasFailed = true;
    if (this.#pass.kind === 'loading' || state.edit === null) return;
    if (error) state.killed.add(state.edit);
    state.edit = null;
    if (test.result) Object.assign(test.result, { state: 'pass', errors: undefined });
  }

  override async onAfterRunSuite(suite: Parameters<TestRunner['onAfterRunSuite']>[0]): Promise<void> {
    await super.onAfterRunSuite(suite);
    if ('filepath' in suite) suite.meta.loading = [...state.loading];
  }
}

/** Gets through also where the thread never comes to an end of this. */
const say = ($said: Said): unknown => process.send?.({ $said });

function now(): { readonly cpu: NodeJS.CpuUsage; readonly idleMs: number } {
  return { cpu: process.threadCpuUsage(), idleMs: performance.eventLoopUtilization().idle };
}

const longer = ({ cpuMs, idleMs, times }: Took): Took => ({
  cpuMs: TIMES_LONGER * cpuMs + MAX_MORE.cpuMs,
  idleMs: TIMES_LONGER * idleMs + MAX_MORE.idleMs,
  times: TIMES_LONGER * times + MAX_MORE.times,
});

function since({ cpu, idleMs }: ReturnType<typeof now>): Omit<Took, 'times'> {
  const { user, system } = process.threadCpuUsage(cpu);
  return { cpuMs: (user + system) / 1000, idleMs: performance.eventLoopUtilization().idle - idleMs };
}
