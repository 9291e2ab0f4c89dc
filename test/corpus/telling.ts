import type { RunOptions } from '../../src/config/options.ts';
import type { Label } from '../../src/redecide/story.ts';
import type { Random } from './random.ts';

/** A call of a told model, and what comes of it. */
export interface Called {
  readonly tool: string;
  readonly arguments: { readonly [name: string]: string | number | boolean };
  readonly output?: string;
  readonly fails?: string;
  /** There is no tool of that name: the model has invented it. */
  readonly isUnknown?: true;
}

/** What a told model says: words, calls, or nothing because the conversation no longer fits. */
export interface Said {
  readonly text?: string;
  readonly calls?: readonly Called[];
  readonly cut?: true;
  readonly isFull?: true;
}

/** An agent's task, and the tasks that it delegates, in that order. */
export interface Handing {
  readonly task: string;
  readonly to: readonly { readonly agent: string; readonly task: string }[];
}

/** What a family of stories tells for one seed. */
export type Told =
  | {
      readonly kind: 'turn';
      readonly prompt: string;
      readonly says: readonly Said[];
      readonly checks?: readonly boolean[];
    }
  | {
      readonly kind: 'loop';
      readonly prompt: string;
      readonly attempts: readonly {
        readonly says: string;
        readonly tree: string;
        readonly passes: readonly boolean[];
        /** The files that it changed. Absent: one of the sources. */
        readonly changed?: readonly string[];
      }[];
    }
  | { readonly kind: 'handing'; readonly prompt: string; readonly hands: readonly Handing[] };

/** A family of stories: the same in kind, each with its own names and numbers. */
export interface Family {
  readonly detector: string;
  readonly label: Label;
  readonly story: string;
  /** How many are told. */
  readonly count: number;
  readonly traits?: {
    readonly [tool: string]: {
      readonly polling?: true;
      readonly writes?: true;
      readonly replaces?: true;
      readonly identity?: 'exempt';
    };
  };
  /** Options of its runs beside those that the kind of story has. */
  readonly options?: Pick<RunOptions, 'polling'>;
  readonly tell: (random: Random) => Told;
}

export const turn = (prompt: string, says: readonly Said[], checks?: readonly boolean[]): Told => ({
  kind: 'turn',
  prompt,
  says,
  ...(checks ? { checks } : {}),
});

export const calling = (...calls: readonly Called[]): Said => ({ calls });
export const times = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index));
export const done = (text: string): Said => ({ text });
