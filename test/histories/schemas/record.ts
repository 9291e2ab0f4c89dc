// Writes down what is not written down yet: `node test/histories/schemas/record.ts`.
//
// A file stands for the payloads that people have in their logs: once a release has recorded with its number, it is
// never written again and never edited. The payloads come from runs that chance makes; where it makes none, they are
// those of the number before it, as they are read today. Look at the new file, and add a payload with what is new in
// it.
import { existsSync, writeFileSync } from 'node:fs';
import { catalogue } from '../../../machines/index.ts';
import type { Choice } from '../../../src/testing/choices.ts';
import { randomWalk } from '../../../src/testing/random-walk.ts';
import { Random } from '../../corpus/random.ts';
import { environments } from '../../support/environments.ts';
import { distinctShapes } from './shapes.ts';
import { fileOf, schemaOf, textOf, vocabulary, written } from './written.ts';

const RUNS = 200;
const CHOICES = 120;
const DOES: readonly Choice['does'][] = ['answer', 'answer', 'answer', 'answer', 'answer', 'clock', 'remark', 'noise'];

const made = new Map<string, object[]>();
const random = new Random(1);
const choice = (): Choice => ({ does: random.one(DOES), which: random.from(0, 10_000), afterMs: random.from(0, 3_000), times: 1 });

for (const loop of ['turn', 'iteration', 'ralph', 'improvement', 'contest'] as const) {
  const entry = catalogue.find(({ id }) => id.startsWith(`${loop}@`));
  const openings = Object.values(environments[loop].openings);
  for (let run = 0; entry && run < RUNS; run += 1) {
    const opening = openings[run % openings.length];
    if (!opening) continue;
    const { happenings } = randomWalk(entry, environments[loop], opening, Array.from({ length: CHOICES }, choice));
    for (const { type, payload } of [opening, ...happenings.map(({ event }) => event)]) made.set(type, [...(made.get(type) ?? []), payload]);
  }
}

for (const [type, word] of vocabulary) {
  const file = fileOf(type, word.schema);
  if (existsSync(file)) continue;
  const upcast = word.upcasts.at(-1) ?? ((payload) => payload);
  const before = written().find((one) => one.type === type && one.number === word.schema - 1)?.payloads ?? [];
  const payloads = distinctShapes([...(made.get(type) ?? []), ...before.map((payload) => upcast(payload as never))]);
  writeFileSync(file, textOf({ schema: schemaOf(word), payloads }));
  process.stdout.write(`${file.pathname}: ${payloads.length} payloads\n`);
}
