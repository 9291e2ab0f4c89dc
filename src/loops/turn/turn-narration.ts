import type { EventOf, ToolCall } from '../../../machines/events.ts';
import { callArgument, oneLine } from '../../projections/phrases.ts';
import { clockTime } from '../../text/clock-time.ts';
import { excerptOfLines, head } from '../../text/excerpt.ts';
import type { Fact } from '../../kernel/effect-handlers.ts';
import type { Line, Narration, Piece, Told, Wait } from '../../kernel/narration.ts';
import { editLines } from './edit-lines.ts';
import { noticed } from './turn-notices.ts';

const MAX_SAID_CHARS = 110;
const MAX_ARGUMENT_CHARS = 90;
const MAX_WAIT_CHARS = 60;
const MAX_WAIT_TOOL_CHARS = 30;

const MAX_OUTPUT_CHARS = 2_000;
const MAX_OUTPUT_LINE_CHARS = 200;
const MAX_WHOLE_CHARS = 20_000;

type ToolResult = EventOf<'tool.completed' | 'tool.failed' | 'tool.interrupted'>;

const FOR_THE_MODEL: Wait = { kind: 'only', what: 'the model' };
const FOR_NOTHING: Wait = { kind: 'over' };

/** Narrates a turn step by step: the model's text, its calls, and the calls that fail. */
export class TurnNarration implements Narration {
  #step: number | null = null;
  /** Of the newest answer. */
  #calls: readonly ToolCall[] = [];

  tell(fact: Fact): Told | null {
    const notice = noticed(fact);
    const lines: Line[] = notice ? [{ rest: [notice] }] : [];
    switch (fact.type) {
      case 'step.started':
        this.#step = fact.payload.step;
        return { lines: [{ opening: this.#opening(), rest: null }], waits: [FOR_THE_MODEL] };
      case 'model.completed': {
        const { text, calls } = fact.payload;
        this.#calls = calls;
        const opening = this.#opening();
        const said = text === '' ? [] : [`  ${oneLine(text, MAX_SAID_CHARS)}`];
        return { lines: [{ opening, rest: said }], whole: wholeText(opening, text), waits: [FOR_NOTHING] };
      }
      case 'calls.admitted':
        return { lines: this.#admitted(fact), waits: fact.payload.run.map(({ callId }) => this.#waitFor(callId)) };
      case 'tool.completed':
      case 'tool.failed':
      case 'tool.interrupted':
        return {
          lines: this.#done(fact),
          detail: this.#output(fact),
          waits: [{ kind: 'over', key: fact.payload.callId }],
        };
      case 'person.answered':
        return { lines, waits: [{ kind: 'over', key: fact.payload.callId }] };
      case 'model.limited': {
        const { retryAt } = fact.payload;
        const what = `the provider's rate limit, until ${clockTime(retryAt, Date.parse(fact.at))}`;
        return { lines, waits: [{ kind: 'only', what, until: retryAt }] };
      }
      case 'model.retried':
      case 'model.replaced':
        return { lines, waits: [FOR_THE_MODEL] };
      case 'timer.fired':
        return fact.payload.timer === 'retry' ? { waits: [FOR_THE_MODEL] } : null;
      case 'model.failed':
      case 'model.interrupted':
        return { lines, waits: [FOR_NOTHING] };
      default:
        return notice ? { lines } : null;
    }
  }

  #opening(): readonly Piece[] {
    return this.#step === null ? [] : [{ text: `step ${this.#step + 1}`, tone: 'quiet' }];
  }

  #admitted({ payload }: EventOf<'calls.admitted'>): Line[] {
    const admitted = payload.run.map(({ callId, actor }): Line => {
      const mark: Piece = actor === 'askPerson' ? { text: '?', tone: 'warning' } : { text: '›', tone: 'quiet' };
      // The end of other calls says nothing of them.
      const names = actor === 'runTool' ? { names: 'begun' as const } : {};
      return { rest: ['  ', mark, ' ', ...this.#call(callId)], ...names };
    });
    const refused = payload.refused.map(({ callId, reason }): Line => {
      const what = oneLine(this.#calls.find((one) => one.callId === callId)?.tool ?? callId, MAX_ARGUMENT_CHARS);
      const why: Piece = { text: oneLine(reason, MAX_SAID_CHARS), tone: 'warning' };
      return { rest: ['  ', { text: '›', tone: 'warning' }, ` ${what} `, why] };
    });
    return [...admitted, ...refused];
  }

  /** A call, and what came of it where that is news. It is named again where another may have been named since. */
  #done(fact: ToolResult): readonly Line[] {
    const { callId } = fact.payload;
    const wrong = wrongIn(fact);
    const news: readonly Line[] =
      wrong === null ? this.#changed(fact) : [{ rest: ['    ', { text: `✗ ${wrong}`, tone: 'error' }] }];
    const name = { rest: ['  ', { text: '›', tone: 'quiet' }, ' ', ...this.#call(callId)] } as const;
    // Another process may have named an interrupted one.
    const isAmbiguous = news.length > 0 && (this.#calls.length > 1 || fact.type === 'tool.interrupted');
    return [isAmbiguous ? name : { ...name, names: 'done' }, ...news];
  }

  /** What an edit that was made takes out of its file and puts in. */
  #changed({ type, payload: { callId } }: ToolResult): readonly Line[] {
    const call = this.#calls.find((one) => one.callId === callId);
    return call && type === 'tool.completed' ? editLines(call) : [];
  }

  /** What a call has said, within bounds. That of an edit is its diff. */
  #output({ type, payload }: ToolResult): readonly Line[] {
    if (type !== 'tool.completed' || this.#changed({ type, payload } as ToolResult).length > 0) return [];
    return excerptOfLines(payload.output, MAX_OUTPUT_CHARS)
      .split('\n')
      .map((text): Line => ({ rest: ['      ', { text: head(text, MAX_OUTPUT_LINE_CHARS), tone: 'quiet' }] }));
  }

  #call(callId: string): readonly Piece[] {
    const call = this.#calls.find((one) => one.callId === callId);
    if (!call) return [callId];
    const name = oneLine(call.tool, MAX_ARGUMENT_CHARS);
    const about = callArgument(call, MAX_ARGUMENT_CHARS);
    return about === '' ? [name] : [`${name} `, { text: about, tone: 'subject' }];
  }

  #waitFor(callId: string): Wait {
    const call = this.#calls.find((one) => one.callId === callId);
    const what = call
      ? `${oneLine(call.tool, MAX_WAIT_TOOL_CHARS)} ${callArgument(call, MAX_WAIT_CHARS)}`.trimEnd()
      : 'a call';
    return { kind: 'also', key: callId, what };
  }
}

/** A message line by line, its first line beside the step. */
function wholeText(opening: readonly Piece[], text: string): readonly Line[] {
  const [first = '', ...more] = excerptOfLines(text.trim(), MAX_WHOLE_CHARS).split('\n');
  return [
    { opening, rest: first === '' ? [] : [`  ${first}`] },
    ...more.map((line): Line => ({ rest: [`    ${line}`] })),
  ];
}

function wrongIn({ type, payload }: ToolResult): string | null {
  switch (type) {
    case 'tool.completed':
      return exitNote(payload.output);
    case 'tool.failed':
      return endNote(payload.fault.message) ?? oneLine(payload.fault.message, MAX_SAID_CHARS);
    case 'tool.interrupted':
      return `interrupted: ${oneLine(payload.reason, MAX_SAID_CHARS)}`;
  }
}

/** How a shell command ended, unless it succeeded. */
const exitNote = (output: string): string | null => /\[(exit code \d+|ended by \w+)\]$/.exec(output)?.[1] ?? null;

/** Why a shell command was ended: the last line of its output. */
const endNote = (message: string): string | null => /\n\[(ended[ :][^\]\n]*|stopped)\]$/.exec(message)?.[1] ?? null;
