import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { answerValue } from '../../../src/app/records/answer-value.ts';
import { temporaryFolder } from '../../git/repository.ts';
import { office, wordsIn } from './office.ts';

const Files = z.object({ files: z.int().min(1), names: z.array(z.enum(['a', 'b'])).default([]) });
const said = (text: string) => ({ text });
/** As many answers that do not fit as a turn takes. */
const NEVER = ['no', 'I did it.', '{}'].map(said);
const finishes = (answer: string) => ({ calls: [{ tool: 'finish', arguments: { answer } }] });

test('X13 an answer that does not fit is asked for again, with what does not fit', async () => {
  const answers = [said('Two files.'), finishes('{"files": 0, "names": ["c"]}'), said('```json\n{"files": 2}\n```')];
  const { start, requests } = office({ answers });
  const live = await start({ outputSchema: Files });
  const end = await live.done;
  expect(end).toMatchObject({ kind: 'ended', outcome: { ending: 'success' } });
  expect(answerValue(Files, end)).toEqual({ files: 2, names: [] });
  expect(answerValue(z.object({ other: z.string() }), end)).toBeNull();
  const told = requests.map((request) => wordsIn(request).at(-1));
  expect(told[0]).toContain('"minimum":1');
  expect(told[1]).toContain('it is not JSON');
  expect(told[2]).toMatch(/\/files: .*1[^]*\/names\/0: /);
});

test('X13 a model that never answers as it was asked ends the run, within its caps', async () => {
  const { start } = office({ answers: [...NEVER, said('{"files": 2}')] });
  const end = await (await start({ outputSchema: Files })).done;
  expect(end).toMatchObject({ outcome: { ending: 'abort', fault: { code: 'answer-unfit' } } });
  const capped = office({ answers: [said('no'), said('no'), said('{"files": 2}')] });
  expect(await (await capped.start({ outputSchema: Files, maxSteps: 2 })).done).toMatchObject({
    outcome: { ending: 'cap_hit', limit: { name: 'steps' } },
  });
});

test('X13 passed checks are no success of an attempt whose answer does not fit', async () => {
  const wrong = { answers: NEVER };
  const right = { answers: [said('{"files": 2}')] };
  const { start } = office({ attempts: [wrong, right] });
  const place = { loop: 'iteration', directory: process.cwd(), checkIn: 'workspace', sandbox: 'off' } as const;
  const live = await start({ ...place, checks: ['true'], maxIterations: 3, outputSchema: Files });
  const end = await live.done;
  expect(end).toMatchObject({ outcome: { ending: 'success' } });
  expect(answerValue(Files, end)).toEqual({ files: 2, names: [] });
});

test('X13 a schema comes from a file, too, and one that cannot be checked is refused with the part of it', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'answer.json');
  await writeFile(file, '{"type": "array", "items": {"type": "string"}}');
  const { start, log } = office({ answers: [said('["x"]')] });
  const end = await (await start({ outputSchema: file })).done;
  expect(answerValue(z.array(z.string()), end)).toEqual(['x']);
  const before = (await log.runs()).length;
  for (const [schema, why] of [
    [join(folder, 'missing.json'), /ENOENT/],
    [{ not: { type: 'string' } }, /not is not supported/],
    [{ type: 'frob' }, /frob/],
    [z.date(), /JSON Schema/],
  ] as const)
    await expect(start({ outputSchema: schema })).rejects.toThrow(why);
  await expect(start({ outputSchema: Files, labels: ['ralph-wiggum-2'], loop: 'ralph' })).rejects.toThrow(
    /turn or iteration/,
  );
  expect(await log.runs()).toHaveLength(before);
});
