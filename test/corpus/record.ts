// Records the corpus anew: `node test/corpus/record.ts`. The same seeds give the same stories.
import { writeFileSync } from 'node:fs';
import { families, toldIn } from './families.ts';
import { recorded } from './recorder.ts';

const lines = new Map<string, string[]>();
for (const { family, seed } of toldIn(families)) {
  const line = await recorded(family, seed);
  lines.set(family.detector, [...(lines.get(family.detector) ?? []), line]);
}
for (const [detector, stories] of lines) {
  writeFileSync(new URL(`${detector}.jsonl`, import.meta.url), `${stories.join('\n')}\n`);
  process.stdout.write(`${detector}: ${stories.length} stories\n`);
}
