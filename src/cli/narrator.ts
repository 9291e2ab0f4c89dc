import type { CiResult, EventOf, LevelResult, ToolCall } from '../../machines/events.ts';
import type { Accepted } from '../../machines/outcome.ts';
import type { Limits } from '../../machines/settings.ts';
import type { Envelope } from '../log/envelope.ts';
import { readAlone } from '../log/reading.ts';
import { acceptedText, callArgument, changes, endingName, filesCommand, isDone, oneLine, span, spent } from '../projections/wording.ts';
import type { Fact } from '../runtime/cast.ts';
import { Branches } from './branches.ts';
import { failing, testCounts } from './failing-lines.ts';
import { notice } from './notices.ts';
import type { Output } from './output.ts';

const MAX_SAID_CHARS = 110;
const MAX_ARGUMENT_CHARS = 90;

type ToolResult = EventOf<'tool.completed' | 'tool.failed' | 'tool.interrupted'>;

/** Tells a person what a run and its attempts are doing, a line for each thing that happens. */
export class Narrator {
  readonly #to: Output;
  /** The run at the top: the first one heard of. */
  #root: string | null = null;
  #limits: Limits | null = null;
  #isIteration = false;
  #hasChecks = false;
  /** An attempt that came to nothing is not checked. */
  #isToBeChecked = false;
  /** The beginning of a line whose rest is still to come. */
  #held: { readonly run: string; readonly text: string } | null = null;
  readonly #branches = new Branches();
  /** The step each run is at, from 0. */
  readonly #steps = new Map<string, number>();
  /** The calls of each run's newest answer. */
  readonly #calls = new Map<string, readonly ToolCall[]>();

  constructor(to: Output) {
    this.#to = to;
  }

  /** Learns what the run and its attempts are about from facts of the past, without a word. */
  recall(envelope: Envelope): void {
    const read = readAlone(envelope);
    if (read.kind === 'event') this.#recall(read.event);
  }

  #recall(fact: Fact): void {
    if (fact.type === 'run.started' && !fact.payload.settings.parent) {
      const { limits, loop, checks } = fact.payload.settings;
      this.#limits = limits;
      this.#isIteration = loop === 'iteration';
      this.#hasChecks = checks.length > 0;
      this.#isToBeChecked = this.#hasChecks;
    }
    if (fact.type === 'step.started') this.#steps.set(fact.run, fact.payload.step);
    if (fact.type === 'model.completed') this.#calls.set(fact.run, fact.payload.calls);
    if (fact.type === 'iteration.started') this.#isToBeChecked = false;
    this.#branches.observe(fact);
    if (fact.type === 'child.settled' && fact.payload.callId === undefined) this.#isToBeChecked = this.#hasChecks && fact.payload.outcome.ending === 'success';
    if (fact.type === 'run.continued') this.#limits = fact.payload.limits;
  }

  /** The run that is told of, once it has been heard of. */
  get root(): string | null {
    return this.#root;
  }

  tell(envelope: Envelope): void {
    this.#root ??= envelope.run;
    const read = readAlone(envelope);
    if (read.kind === 'unreadable') return;
    const fact = read.event;
    this.#recall(fact);
    if (fact.run === this.#root) this.#tellRoot(fact);
    else this.#tellBelow(fact);
  }

  /** An attempt, or work that was handed over: then its lines are named, because others may be told of in between. */
  #tellBelow(fact: Fact): void {
    const name = this.#branches.nameOf(fact.run);
    const indent = '  '.repeat(Math.max(1, this.#branches.depthOf(fact.run)));
    if (name === null) return this.#tellWork(fact, indent);
    const { dim } = this.#to.colours;
    if (fact.type === 'run.started') this.#line(`${indent}${dim(name)} ${oneLine(fact.payload.settings.prompt, MAX_SAID_CHARS)}`);
    else this.#tellWork(fact, `${indent}${dim(name)} `);
  }

  #tellRoot(fact: Fact): void {
    const { bold, dim, yellow } = this.#to.colours;
    switch (fact.type) {
      case 'run.started': {
        const { loop, model } = fact.payload.settings;
        this.#line(`${bold(`run ${fact.run}`)} ${dim(`${loop}, ${oneLine(model, MAX_ARGUMENT_CHARS)}`)}`);
        break;
      }
      case 'run.resumed':
        this.#line(`${bold(`run ${fact.run}`)} ${dim(`goes on, after ${span(fact.payload.idleMs)} in which nobody worked on it`)}`);
        break;
      case 'run.migrated':
        this.#line(`${bold(`run ${fact.run}`)} ${dim(`goes on under ${fact.payload.to}`)}`);
        break;
      case 'run.continued':
        this.#line(`${bold(`run ${fact.run}`)} ${dim('goes on from where the one before it ended')}`);
        break;
      case 'iteration.started': {
        const { maxIterations } = this.#limits ?? {};
        const of = maxIterations == null ? '' : `/${maxIterations}`;
        this.#line('');
        this.#line(bold(`iteration ${fact.payload.iteration + 1}${of}`));
        break;
      }
      case 'child.settled':
        if (fact.payload.callId === undefined) this.#settled(fact.payload);
        else this.#tellWork(fact, '');
        break;
      case 'decision.made':
        this.#noticed(fact, this.#isIteration ? '  ' : '');
        this.#decided(fact.payload);
        break;
      case 'run.paused':
        this.#line(yellow(PAUSED[fact.payload.by]));
        break;
      default:
        this.#tellWork(fact, this.#isIteration ? '  ' : '');
    }
  }

  #tellWork(fact: Fact, indent: string): void {
    switch (fact.type) {
      case 'step.started':
        this.#hold(fact.run, this.#step(fact.run, indent));
        break;
      case 'model.completed':
        // Something came in between, or the step began before this process did.
        if (this.#held?.run !== fact.run) this.#hold(fact.run, this.#step(fact.run, indent));
        this.#finish(fact.payload.text === '' ? '' : `  ${oneLine(fact.payload.text, MAX_SAID_CHARS)}`);
        break;
      case 'calls.admitted':
        this.#admitted(fact, indent);
        break;
      case 'tool.completed':
        this.#answered(fact, indent, exitNote(fact.payload.output));
        break;
      case 'tool.failed':
        this.#answered(fact, indent, endNote(fact.payload.fault.message) ?? oneLine(fact.payload.fault.message, MAX_SAID_CHARS));
        break;
      case 'tool.interrupted':
        this.#answered(fact, indent, `interrupted: ${oneLine(fact.payload.reason, MAX_SAID_CHARS)}`);
        break;
      case 'workspace.captured':
        this.#line(`${indent}files   ${changes(fact.payload.changed) ?? 'nothing changed'}`);
        if (this.#isToBeChecked) this.#line(`${indent}checks`);
        break;
      case 'verification.completed':
        for (const level of fact.payload.levels) this.#checked(level, indent);
        if (fact.payload.ci) this.#ci(fact.payload.ci, indent);
        break;
      default:
        this.#noticed(fact, indent);
    }
  }

  #noticed(fact: Fact, indent: string): void {
    const { red, yellow, cyan } = this.#to.colours;
    const told = notice(fact);
    if (told) this.#line(`${indent}${{ news: cyan, warning: yellow, error: red }[told.tone](told.text)}`);
  }

  #admitted(fact: Fact & EventOf<'calls.admitted'>, indent: string): void {
    const { dim, yellow } = this.#to.colours;
    const calls = this.#calls.get(fact.run) ?? [];
    for (const { callId, actor } of fact.payload.run) {
      const mark = actor === 'askPerson' ? yellow('?') : dim('›');
      this.#line(`${indent}  ${mark} ${this.#call(fact.run, callId)}`);
    }
    for (const { callId, reason } of fact.payload.refused) {
      const call = calls.find((one) => one.callId === callId);
      const what = oneLine(call?.tool ?? callId, MAX_ARGUMENT_CHARS);
      this.#line(`${indent}  ${yellow('›')} ${what} ${yellow(oneLine(reason, MAX_SAID_CHARS))}`);
    }
  }

  #answered({ run, payload: { callId } }: Fact & ToolResult, indent: string, wrong: string | null): void {
    if (wrong === null) return;
    const { red, dim } = this.#to.colours;
    const isOnly = (this.#calls.get(run)?.length ?? 0) <= 1;
    const whose = isOnly ? '  ' : `${dim('›')} ${this.#call(run, callId)}  `;
    this.#line(`${indent}  ${whose}${red(`✗ ${wrong}`)}`);
  }

  #step(run: string, indent: string): string {
    const step = this.#steps.get(run);
    return step === undefined ? indent : `${indent}${this.#to.colours.dim(`step ${step + 1}`)}`;
  }

  #call(run: string, callId: string): string {
    const call = this.#calls.get(run)?.find((one) => one.callId === callId);
    if (!call) return callId;
    const { cyan } = this.#to.colours;
    return `${oneLine(call.tool, MAX_ARGUMENT_CHARS)} ${cyan(callArgument(call, MAX_ARGUMENT_CHARS))}`.trimEnd();
  }

  #settled({ outcome, spend }: EventOf<'child.settled'>['payload']): void {
    const { dim, yellow } = this.#to.colours;
    const how = outcome.ending === 'success' ? 'says it is done' : yellow(endingName(outcome));
    this.#line(`  attempt ${how} ${dim(`(${spent(spend)})`)}`);
  }

  #checked({ level, checks }: LevelResult, indent: string): void {
    const { green, red, dim } = this.#to.colours;
    for (const check of checks) {
      const mark = check.passed ? green('✓') : red('✗');
      const took = dim(`${testCounts(check)}${span(check.durationMs)}`);
      this.#line(`${indent}  ${mark} ${level} ${oneLine(check.name, MAX_ARGUMENT_CHARS)} ${took}`);
      if (!check.passed) for (const line of failing(check)) this.#line(`${indent}      ${red(line)}`);
    }
  }

  #ci({ passed, output, durationMs }: CiResult, indent: string): void {
    const { green, red, dim } = this.#to.colours;
    this.#line(`${indent}  ${passed ? green('✓') : red('✗')} ci ${dim(span(durationMs))}`);
    if (!passed) for (const line of failing({ output })) this.#line(`${indent}      ${red(line)}`);
  }

  #decided({ action, sink, reason }: EventOf<'decision.made'>['payload']): void {
    const { bold, cyan, green, yellow } = this.#to.colours;
    if (!sink) {
      // Going on for a first time, or because calls were answered, is no news.
      const isNews = this.#isIteration && reason !== 'the first iteration';
      if (isNews) this.#line(`  ${cyan(`→ ${action}`)}: ${oneLine(reason, MAX_SAID_CHARS * 2)}`);
      return;
    }
    const colour = isDone(sink, this.#hasChecks) ? green : yellow;
    this.#line('');
    this.#line(`${bold(colour(endingName(sink, this.#hasChecks)))}: ${oneLine(reason, MAX_SAID_CHARS * 2)}`);
    if (sink.ending === 'success' && sink.accepted) this.#accepted(sink.accepted);
  }

  #accepted(accepted: Accepted): void {
    const { dim } = this.#to.colours;
    const command = filesCommand(accepted);
    this.#line(`${dim('taken')}  ${oneLine(acceptedText(accepted), MAX_SAID_CHARS * 2)}`);
    if (command) this.#to.line(`${dim('files')}  ${command}`);
  }

  #line(text: string): void {
    this.#finish('');
    this.#to.brief(text);
  }

  #hold(run: string, text: string): void {
    this.#finish('');
    this.#held = { run, text };
  }

  #finish(rest: string): void {
    if (this.#held === null) return;
    this.#to.brief(this.#held.text + rest);
    this.#held = null;
  }
}

const PAUSED = {
  signal: 'paused',
  user: 'paused: a person asked for it',
  waiting: 'paused: nothing is left to do until a person has answered',
} as const;

/** How a shell command ended, where it was not well. */
const exitNote = (output: string): string | null => /\[(exit code \d+|ended by \w+)\]$/.exec(output)?.[1] ?? null;

/** Why one was ended: below all that it had printed. */
const endNote = (message: string): string | null => /\n\[(ended[ :][^\]\n]*|stopped)\]$/.exec(message)?.[1] ?? null;
