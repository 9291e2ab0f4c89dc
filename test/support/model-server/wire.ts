import type { Usage } from '../../../machines/events.ts';
import type { Answer } from './script.ts';

/** One piece of a stream, and what it tells of the tokens used so far. */
export interface Piece {
  readonly name?: string;
  readonly data: unknown;
  readonly reports?: Usage;
}

export interface Said {
  readonly answer: Answer;
  readonly usage: Usage;
  readonly model: string;
  /** Of the request: makes ids that no other answer has. */
  readonly number: number;
  /** It would have been longer than was asked for. */
  readonly isCut?: boolean;
  /** Nothing says why it ends. */
  readonly isEndUnsaid?: boolean;
}

/** How one kind of server speaks. */
export interface WireFormat {
  readonly name: string;
  readonly matches: (path: string) => boolean;
  readonly stream: (said: Said) => readonly Piece[];
  /** The same answer as one document, as it comes where no stream is asked for. */
  readonly whole: (said: Said) => object;
  /** The body of a refusal. */
  readonly refusal: (status: number) => unknown;
  /** The body of a refusal, with status 400, of a request that is longer than the window. */
  readonly overflow: (tokens: number, windowTokens: number) => unknown;
  /** A failure told in the middle of a stream. */
  readonly failure: () => Piece;
}

export const chunks = (text: string, size: number): readonly string[] => {
  const characters = Array.from(text);
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, index) =>
    characters.slice(index * size, (index + 1) * size).join(''),
  );
};

export const argumentsOf = (call: Answer['calls'][number]) => call.rawArguments ?? JSON.stringify(call.arguments);
