import type { EventOf } from '../../../machines/events.ts';
import { acceptedText, endingName, filesCommand, isDone, oneLine, plain, span } from '../../projections/phrases.ts';
import type { Fact } from '../../kernel/effect-handlers.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import type { Line, Piece, Told, Tone } from '../../kernel/narration.ts';
import { Branches } from './branches.ts';
import { hasHeadlines, wordsOf } from '../pages/loop-text.ts';
import type { Colours, Output } from '../terminal/output.ts';
import { threadText } from '../pages/thread-text.ts';
import { type Watched, WatchedRuns } from './watch-runs.ts';
import { workLines } from './work-lines.ts';

const MAX_SAID_CHARS = 110;
const MAX_REASON_CHARS = 220;
/** Why a run could not begin ends with what to do about it. */
const MAX_ENDING_CHARS = 1_000;
const MAX_MODEL_CHARS = 90;

/** Prints what a run and the runs below it are doing, one line for each step of the work. */
export class Narrator {
  readonly #to: Output;
  /** The root run: the first one observed. */
  #root: string | null = null;
  /** The beginning of a line whose rest has not arrived yet. */
  #held: { readonly run: string; readonly text: string } | null = null;
  /** The beginnings, by run, that were printed before their rest. */
  readonly #begun = new Map<string, string>();
  readonly #branches = new Branches();
  readonly #runs: WatchedRuns;
  readonly #isVerbose: boolean;

  /** `isVerbose`: with texts to their end on a terminal, too, and with what calls have said. */
  constructor(to: Output, loops: readonly LoopDefinition[], { isVerbose = false } = {}) {
    this.#to = to;
    this.#runs = new WatchedRuns(loops);
    this.#isVerbose = isVerbose;
  }

  /** Learns from facts of the past, without printing. */
  recall(fact: Fact): void {
    this.#learn(fact);
  }

  /** Learns from what happens now, without printing. A continuation has an id of its own, and its past another. */
  pass(fact: Fact): void {
    this.#root ??= fact.run;
    this.#learn(fact);
  }

  /** The id of the root run, after its first fact. */
  get root(): string | null {
    return this.#root;
  }

  tell(fact: Fact): void {
    this.#root ??= fact.run;
    const watched = this.#learn(fact);
    if (fact.run === this.#root) this.#tellRoot(fact, watched);
    else this.#tellBelow(fact, watched);
  }

  #learn(fact: Fact): Watched {
    this.#branches.observe(fact);
    return this.#runs.observe(fact);
  }

  /** Lines of delegated work carry the run's name, because lines of other runs may come in between. */
  #tellBelow(fact: Fact, watched: Watched): void {
    const name = this.#branches.nameOf(fact.run);
    const indent = '  '.repeat(Math.max(1, this.#branches.depthOf(fact.run)));
    if (name === null) return this.#tellWork(fact, watched, indent);
    const { dim } = this.#to.colours;
    if (fact.type === 'run.started')
      this.#line(`${indent}${dim(name)} ${oneLine(fact.payload.settings.prompt, MAX_SAID_CHARS)}`);
    else this.#tellWork(fact, watched, `${indent}${dim(name)} `);
  }

  #tellRoot(fact: Fact, watched: Watched): void {
    const { bold, dim, yellow } = this.#to.colours;
    const about = (text: string) => this.#line(`${bold(`run ${fact.run}`)} ${dim(text)}`);
    switch (fact.type) {
      case 'run.started': {
        const { loop, model, thread } = fact.payload.settings;
        about(`${loop}, ${oneLine(model, MAX_MODEL_CHARS)}`);
        if (thread) this.#line(dim(`  ${threadText(thread)}`));
        break;
      }
      case 'run.resumed':
        about(`resumed, after ${span(fact.payload.idleMs)} idle`);
        break;
      case 'run.migrated':
        about(`continues under ${fact.payload.to}`);
        break;
      case 'run.continued':
        about('continues from where the run before it ended');
        break;
      case 'run.paused':
        this.#line(yellow(pauseText(fact.payload, watched)));
        break;
      default:
        this.#tellRound(fact, watched);
        if (fact.type === 'decision.made') this.#ended(fact.payload, watched);
    }
  }

  /** The loop's line for an activity takes the place of the headline of its round. */
  #tellRound(fact: Fact, watched: Watched): void {
    const { activity, beginsRound, loop } = watched;
    if (activity === null) {
      if (beginsRound && loop?.describe.activity && !watched.told) return;
      if (beginsRound && hasHeadlines(loop)) this.#line('');
      return this.#tellWork(fact, watched, '');
    }
    this.#tellWork(fact, watched, '');
    this.#line('');
    this.#line(this.#to.colours.bold(oneLine(activity, MAX_REASON_CHARS)));
  }

  /** Lines of a round are indented below its headline. */
  #tellWork(fact: Fact, watched: Watched, around: string): void {
    const { loop, told, beginsRound } = watched;
    if (!told && beginsRound) return this.#line(`${around}${this.#headline(watched)}`);
    const indent = hasHeadlines(loop) ? `${around}  ` : around;
    for (const line of told ? this.#linesOf(told) : workLines(fact, watched)) this.#tellLine(fact.run, line, indent);
  }

  /** A terminal shows the beginning of a text, elsewhere nothing is cut to a width. */
  #linesOf({ lines = [], whole = lines, detail = [] }: Told): readonly Line[] {
    const isWhole = this.#isVerbose || !this.#to.isTerminal;
    return [...(isWhole ? whole : lines), ...(this.#isVerbose ? detail : [])];
  }

  #headline({ loop, rounds, mostRounds }: Watched): string {
    const { bold, dim } = this.#to.colours;
    const name = `${wordsOf(loop).round} ${rounds}`;
    if (!hasHeadlines(loop)) return dim(name);
    return bold(mostRounds === null ? name : `${name}/${mostRounds}`);
  }

  /** Prints a whole line: a held beginning is completed by its rest, or printed before another line. */
  #tellLine(run: string, { opening, rest, names }: Line, indent: string): void {
    if (names === (this.#to.canRedraw ? 'begun' : 'done')) return;
    if (!opening) {
      if (rest !== null) this.#line(indent + this.#rendered(rest));
      return;
    }
    const beginning = indent + this.#rendered(opening);
    if (rest === null) return this.#hold(run, beginning);
    const isPrinted = this.#begun.get(run) === beginning;
    this.#begun.delete(run);
    if (isPrinted) {
      if (rest.length > 0) this.#line(indent + this.#rendered(rest));
      return;
    }
    if (this.#held?.run !== run) this.#hold(run, beginning);
    this.#finish(this.#rendered(rest));
  }

  #rendered(pieces: readonly Piece[]): string {
    return pieces
      .map((piece) => (typeof piece === 'string' ? flat(piece) : coloured(piece, this.#to.colours)))
      .join('');
  }

  #ended({ sink, reason }: EventOf<'decision.made'>['payload'], { hasChecks, loop }: Watched): void {
    if (!sink) return;
    const { bold, dim, green, yellow } = this.#to.colours;
    const colour = isDone(sink, hasChecks) ? green : yellow;
    this.#line('');
    this.#line(`${bold(colour(endingName(sink, hasChecks)))}: ${oneLine(reason, MAX_ENDING_CHARS)}`);
    if (sink.ending !== 'success' || !sink.accepted) return;
    const command = filesCommand(sink.accepted);
    this.#line(`${dim('taken')}  ${oneLine(acceptedText(sink.accepted, wordsOf(loop).round), MAX_REASON_CHARS)}`);
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
    const { run, text } = this.#held;
    this.#to.brief(text + rest);
    if (rest === '') this.#begun.set(run, text);
    this.#held = null;
  }
}

const PAUSED = {
  signal: 'paused',
  user: 'paused: a person asked for it',
  waiting: 'paused: nothing is left to do until a person has answered',
  environment: 'paused: the system has too little of something',
} as const;

function pauseText({ by, reason }: EventOf<'run.paused'>['payload'], { remedy }: Watched): string {
  if (reason !== undefined) return `paused: ${oneLine(reason, MAX_REASON_CHARS)}`;
  if (by !== 'waiting' || remedy === null) return PAUSED[by];
  return `paused: ${oneLine(remedy, MAX_REASON_CHARS)}`;
}

const COLOURS = {
  strong: 'bold',
  quiet: 'dim',
  subject: 'cyan',
  news: 'cyan',
  good: 'green',
  warning: 'yellow',
  error: 'red',
} as const satisfies Readonly<Record<Tone, keyof Colours>>;

const coloured = ({ text, tone }: Exclude<Piece, string>, colours: Colours): string =>
  colours[COLOURS[tone]](flat(text));

/** A loop may use spaces, but no line breaks and no control characters. */
const flat = (text: string): string => plain(text).replace(/[\n\t]+/g, ' ');
