import type { EventOf, LevelResult, ToolCall } from '../../machines/events.ts';
import type { Limits } from '../../machines/settings.ts';
import type { Envelope } from '../log/envelope.ts';
import { factOf } from '../projections/fact.ts';
import { timelineEntry } from '../projections/timeline.ts';
import { callArgument, changes, endingName, oneLine, span, spent } from '../projections/wording.ts';
import type { Fact } from '../runtime/cast.ts';
import { failingLines } from './failing-lines.ts';
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
  /** The calls of each run's newest answer. */
  readonly #calls = new Map<string, readonly ToolCall[]>();

  constructor(to: Output) {
    this.#to = to;
  }

  /** Learns what the run is about from facts of the past, without a word. */
  recall(envelope: Envelope): void {
    const fact = factOf(envelope);
    if (fact.type === 'run.started') {
      const { limits, loop, checks } = fact.payload.settings;
      this.#limits = limits;
      this.#isIteration = loop === 'iteration';
      this.#hasChecks = checks.length > 0;
      this.#isToBeChecked = this.#hasChecks;
    }
    if (fact.type === 'iteration.started') this.#isToBeChecked = false;
    if (fact.type === 'child.settled') this.#isToBeChecked = this.#hasChecks && fact.payload.outcome.ending === 'success';
    if (fact.type === 'run.continued') this.#limits = fact.payload.limits;
  }

  /** The run that is told of, once it has been heard of. */
  get root(): string | null {
    return this.#root;
  }

  tell(envelope: Envelope): void {
    const fact = factOf(envelope);
    this.#root ??= fact.run;
    if (fact.run !== this.#root) return this.#tellWork(fact, '  ');
    this.recall(envelope);
    this.#tellRoot(fact);
  }

  #tellRoot(fact: Fact): void {
    const { bold, dim } = this.#to.colours;
    switch (fact.type) {
      case 'run.started': {
        const { loop, model } = fact.payload.settings;
        this.#line('', `${bold(`run ${fact.run}`)} ${dim(`${loop}, ${oneLine(model, MAX_ARGUMENT_CHARS)}`)}`);
        break;
      }
      case 'run.resumed':
        this.#line('', `${bold(`run ${fact.run}`)} ${dim('goes on')}`);
        break;
      case 'run.continued':
        this.#line('', `${bold(`run ${fact.run}`)} ${dim('goes on from where the one before it ended')}`);
        break;
      case 'iteration.started': {
        const { maxIterations } = this.#limits ?? {};
        const of = maxIterations == null ? '' : `/${maxIterations}`;
        this.#to.line();
        this.#line('', bold(`iteration ${fact.payload.iteration + 1}${of}`));
        break;
      }
      case 'child.settled':
        this.#settled(fact.payload);
        break;
      case 'decision.made':
        this.#decided(fact.payload);
        break;
      case 'run.paused':
        this.#line('', this.#to.colours.yellow('paused'));
        break;
      default:
        this.#tellWork(fact, this.#isIteration ? '  ' : '');
    }
  }

  #tellWork(fact: Fact, indent: string): void {
    const { dim, red, yellow } = this.#to.colours;
    switch (fact.type) {
      case 'step.started':
        this.#to.begin(`${indent}${dim(`step ${fact.payload.step + 1}`)}`);
        break;
      case 'model.completed':
        this.#calls.set(fact.run, fact.payload.calls);
        this.#to.finish(fact.payload.text === '' ? '' : `  ${oneLine(fact.payload.text, MAX_SAID_CHARS)}`);
        break;
      case 'calls.admitted':
        this.#admitted(fact, indent);
        break;
      case 'tool.completed':
        this.#answered(fact, indent, exitNote(fact.payload.output));
        break;
      case 'tool.failed':
        this.#answered(fact, indent, oneLine(fact.payload.fault.message, MAX_SAID_CHARS));
        break;
      case 'tool.interrupted':
        this.#answered(fact, indent, `interrupted: ${oneLine(fact.payload.reason, MAX_SAID_CHARS)}`);
        break;
      case 'workspace.captured':
        this.#line(indent, `files   ${changes(fact.payload.changed) ?? 'nothing changed'}`);
        if (this.#isToBeChecked) this.#to.begin(`${indent}checks`);
        break;
      case 'verification.completed':
        if (this.#to.isMidLine) this.#to.finish('');
        for (const level of fact.payload.levels) this.#checked(level, indent);
        break;
      case 'model.failed':
      case 'workspace.failed':
        this.#line(indent, red(`${oneLine(fact.payload.fault.message, MAX_SAID_CHARS)} (${oneLine(fact.payload.fault.code, MAX_SAID_CHARS)})`));
        break;
      case 'warning.raised':
      case 'model.retried':
      case 'model.limited':
      case 'model.interrupted':
      case 'effect.interrupted':
      case 'abort.requested':
        this.#line(indent, yellow(`${fact.type}: ${timelineEntry(fact).text}`));
        break;
    }
  }

  #admitted(fact: Fact & EventOf<'calls.admitted'>, indent: string): void {
    const { dim, yellow } = this.#to.colours;
    const calls = this.#calls.get(fact.run) ?? [];
    for (const { callId } of fact.payload.run) this.#to.begin(`${indent}  ${dim('›')} ${this.#call(fact.run, callId)}`);
    for (const { callId, reason } of fact.payload.refused) {
      const call = calls.find((one) => one.callId === callId);
      this.#line(indent, `  ${yellow('›')} ${oneLine(call?.tool ?? callId, MAX_ARGUMENT_CHARS)} ${yellow(oneLine(reason, MAX_SAID_CHARS))}`);
    }
  }

  #answered({ run, payload: { callId } }: Fact & ToolResult, indent: string, wrong: string | null): void {
    const { red, dim } = this.#to.colours;
    const isOnly = (this.#calls.get(run)?.length ?? 0) <= 1;
    if (wrong === null) {
      if (isOnly && this.#to.isMidLine) this.#to.finish('');
      return;
    }
    const result = red(`✗ ${wrong}`);
    if (isOnly) this.#to.finish(`  ${result}`, `${indent}  ${result}`);
    else this.#line(indent, `  ${dim('›')} ${this.#call(run, callId)}  ${result}`);
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
    this.#line('  ', `attempt ${how} ${dim(`(${spent(spend)})`)}`);
  }

  #checked({ level, checks }: LevelResult, indent: string): void {
    const { green, red, dim } = this.#to.colours;
    for (const { name, passed, output, durationMs } of checks) {
      const mark = passed ? green('✓') : red('✗');
      this.#line(indent, `  ${mark} ${level} ${oneLine(name, MAX_ARGUMENT_CHARS)} ${dim(span(durationMs))}`);
      if (!passed) for (const line of failingLines(output)) this.#line(indent, `      ${red(line)}`);
    }
  }

  #decided({ action, sink, reason }: EventOf<'decision.made'>['payload']): void {
    const { bold, cyan, green, yellow } = this.#to.colours;
    if (!sink) {
      // Going on for a first time, or because calls were answered, is no news.
      const isNews = this.#isIteration && reason !== 'the first iteration';
      if (isNews) this.#line('  ', `${cyan(`→ ${action}`)}: ${oneLine(reason, MAX_SAID_CHARS * 2)}`);
      return;
    }
    const tone = sink.ending === 'success' ? green : yellow;
    this.#to.line();
    this.#line('', `${bold(tone(endingName(sink)))}: ${oneLine(reason, MAX_SAID_CHARS * 2)}`);
  }

  #line(indent: string, text: string): void {
    this.#to.line(`${indent}${text}`);
  }
}

/** How a shell command ended, where it was not well. */
const exitNote = (output: string): string | null => /\[(exit code \d+|ended by \w+)\]$/.exec(output)?.[1] ?? null;

