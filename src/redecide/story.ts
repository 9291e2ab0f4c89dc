import { z } from 'zod';
import { json } from '../text/json-value.ts';
import type { ToolTraits } from '../detectors/traits.ts';
import type { Fact } from '../log/read-event.ts';
import { Reading } from '../log/reading.ts';
import { unreadableText } from '../log/unreadable.ts';
import { jsonIn } from '../text/json-in.ts';

const FIRST_SCHEMA = 1;

/** The label of a recorded story: a loop that a detector has to notice, or a lookalike. */
export const Label = z.enum(['loop', 'lookalike']);
export type Label = z.infer<typeof Label>;

const Traits = z.record(
  z.string(),
  z.strictObject({
    polling: z.literal(true).optional(),
    writes: z.literal(true).optional(),
    replaces: z.literal(true).optional(),
    identity: z.literal('exempt').optional(),
  }),
);

/** A line of a corpus: the detector it is about, its name, and its events in order. */
const Line = z.strictObject({
  detector: z.string(),
  label: Label,
  story: z.string(),
  seed: z.int().nonnegative(),
  /** It is kept apart: detectors are measured by it, and never tuned. */
  apart: z.literal(true).optional(),
  /** The traits of its tools. */
  traits: Traits.default({}),
  startedAt: z.iso.datetime({ precision: 3 }),
  /** Its runs. An event names its run by the index in this list. */
  runs: z.array(z.string()).min(1),
  /** Run, milliseconds since the start, type, payload; of schema 1 unless a number follows. Versions are counted. */
  facts: z.array(z.tuple([z.int(), z.int(), z.string(), json('a payload')], z.int().positive())).min(1),
});
export type Line = z.input<typeof Line>;

export interface Story {
  readonly detector: string;
  readonly label: Label;
  readonly story: string;
  readonly seed: number;
  readonly isApart: boolean;
  readonly traits: { readonly [tool: string]: ToolTraits };
  /** The events of each of its runs. */
  readonly runs: readonly (readonly Fact[])[];
}

export type ReadStory =
  | { readonly kind: 'story'; readonly story: Story }
  | { readonly kind: 'invalid'; readonly because: string };

/** Reads a line of a corpus. */
export function readStory(text: string): ReadStory {
  const parsed = Line.safeParse(jsonIn(text));
  if (!parsed.success) return { kind: 'invalid', because: z.prettifyError(parsed.error) };
  const { runs, facts, startedAt, traits, apart, ...about } = parsed.data;
  const told = runs.map((run) => ({ run, reading: new Reading(undefined, { isWhole: true }), facts: [] as Fact[] }));
  for (const [index, afterMs, type, payload, schema = FIRST_SCHEMA] of facts) {
    const of = told[index];
    if (!of) return { kind: 'invalid', because: `there is no run ${index}` };
    const at = new Date(Date.parse(startedAt) + afterMs).toISOString();
    const read = of.reading.read({ run: of.run, version: of.facts.length + 1, at, type, schema, payload });
    if (read.kind === 'unreadable')
      return { kind: 'invalid', because: `${type} cannot be read: ${unreadableText(read)}` };
    of.facts.push(read.event);
  }
  return {
    kind: 'story',
    story: { ...about, isApart: apart === true, traits: traits as Story['traits'], runs: told.map((one) => one.facts) },
  };
}
