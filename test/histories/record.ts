// Records what is not recorded yet: `node test/histories/record.ts`.
//
// To add a history, add its production to `productions.ts`, run this, look at the new file and commit it. A history
// that is there is never recorded again and never edited: it stands for the runs that people have in their logs. Where
// one of them folds differently than it did, the machine needs a new version, and the old one a place in
// `machines/past/`.
import { existsSync, writeFileSync } from 'node:fs';
import { productions } from './productions.ts';
import { Recorder } from './recorder.ts';

for (const [name, { about, play }] of Object.entries(productions)) {
  const file = new URL(`${name}.jsonl`, import.meta.url);
  if (existsSync(file)) continue;
  const recorder = new Recorder();
  await play(recorder);
  const { lines, ...heading } = await recorder.history(about);
  writeFileSync(file, [heading, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''));
  process.stdout.write(`${name}: ${lines.length} events\n`);
}
