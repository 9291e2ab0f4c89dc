import type { Attendant, FindingQuestion } from '../../ports/services.ts';
import { oneLine } from '../../projections/phrases.ts';
import { forgetTyped, readLine, denialIn, isYes } from '../terminal/question-lines.ts';
import type { Output } from '../terminal/output.ts';

const MAX_MESSAGE_CHARS = 1_000;

/** The person at the terminal, who is asked before a detector ends a run that is watched there. */
export class Attending {
  #ask: Attendant | null = null;

  /** From here on the person there is asked. Null: there is no terminal. */
  at(input: NodeJS.ReadStream | null, err: Output, onAsking: (isAsking: boolean) => void): void {
    this.#ask = input && askingAt(input, err, onAsking);
  }

  readonly attendant: Attendant = async (question, signal) => (await this.#ask?.(question, signal)) ?? null;
}

/** Asks at a terminal. `onAsking`: called before the person is asked, and after. */
const askingAt =
  (input: NodeJS.ReadStream, err: Output, onAsking: (isAsking: boolean) => void): Attendant =>
  async ({ detector, message }: FindingQuestion, signal) => {
    onAsking(true);
    try {
      await forgetTyped(input);
      err.line(err.colours.bold(`? ${detector} ends the run: ${oneLine(message, MAX_MESSAGE_CHARS)}. Let it go on?`));
      err.prompt('y/N, or why not > ');
      const reply = await readLine(input, signal);
      err.prompted(reply.kind === 'line');
      if (reply.kind !== 'line') return null;
      if (isYes(reply.text)) return { answer: 'go on', because: '' };
      return { answer: 'stop', because: oneLine(denialIn(reply.text) ?? '', MAX_MESSAGE_CHARS) };
    } finally {
      onAsking(false);
    }
  };
