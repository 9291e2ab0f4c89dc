import { z } from 'zod';
import { json } from '../config/json.ts';
import type { ToolTraits } from '../detectors/traits.ts';
import type { Fact } from '../runtime/cast.ts';

/** What is said of a recorded story: a loop that a detector is to notice, or one that only looks like it. */
export const Label = z.enum(['loop', 'lookalike']);
export type Label = z.infer<typeof Label>;

const Traits = z.record(z.string(), z.strictObject({ polling: z.literal(true).optional(), identity: z.literal('exempt').optional() }));

/** A line of a corpus: whose story it is, what it is called, and its facts in the order in which they happened. */
const Line = z.strictObject({
  detector: z.string(),
  label: Label,
  story: z.string(),
  seed: z.int().nonnegative(),
  /** What its tools have declared. */
  traits: Traits.default({}),
  startedAt: z.iso.datetime({ precision: 3 }),
  /** The runs it is about: a fact says which by its place here. */
  runs: z.array(z.string()).min(1),
  /** Run, milliseconds since the start, type, payload. Versions are what they are counted to. */
  facts: z.array(z.tuple([z.int(), z.int(), z.string(), json('a payload')])).min(1),
});
export type Line = z.input<typeof Line>;

export interface Story {
  readonly detector: string;
  readonly label: Label;
  readonly story: string;
  readonly seed: number;
  readonly traits: { readonly [tool: string]: ToolTraits };
  /** The facts of each of its runs. */
  readonly runs: readonly (readonly Fact[])[];
}

export type ReadStory = { readonly kind: 'story'; readonly story: Story } | { readonly kind: 'invalid'; readonly because: string };

/** Reads a line of a corpus. */
export function readStory(text: string): ReadStory {
  const parsed = Line.safeParse(parse(text));
  if (!parsed.success) return { kind: 'invalid', because: z.prettifyError(parsed.error) };
  const { runs, facts, startedAt, traits, ...about } = parsed.data;
  const told: Fact[][] = runs.map(() => []);
  for (const [index, afterMs, type, payload] of facts) {
    const of = told[index];
    const run = runs[index];
    if (!of || run === undefined) return { kind: 'invalid', because: `there is no run ${index}` };
    const at = new Date(Date.parse(startedAt) + afterMs).toISOString();
    of.push({ run, version: of.length + 1, at, type, payload } as unknown as Fact);
  }
  return { kind: 'story', story: { ...about, traits: traits as Story['traits'], runs: told } };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
