import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ScriptError } from '../../../src/actors/model/model-script.ts';
import { loadScript } from '../../../src/actors/model/script-file.ts';
import { requestOf } from './request.ts';

let folder = '';
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'loopfold-script-'))));
afterAll(() => rm(folder, { recursive: true }));

async function written(name: string, text: string) {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

const call = { signal: new AbortController().signal, delta: () => {} };

async function textOf(file: string) {
  const model = await loadScript(file);
  const { text } = await model.answer(requestOf({ step: 1 }), call);
  return { name: model.name, text };
}

async function refusal(file: string) {
  const error: unknown = await loadScript(file).catch((thrown: unknown) => thrown);
  if (!(error instanceof ScriptError)) throw new Error(`expected a ScriptError, got ${String(error)}`);
  expect(error.script).toBe(`script:${file}`);
  return { code: error.code, message: error.message.replace(`script:${file}: `, '') };
}

const TWO = '{"answers": [{"text": "one"}, {"text": "two"}]}';

describe('T1 script:FILE', () => {
  test.each([
    ['json', 'two.json', TWO],
    ['an .mjs module', 'two.mjs', `export default ${TWO};`],
    ['a .js module', 'two.js', `export default ${TWO};`],
    ['a .ts module', 'two.ts', `const script: unknown = ${TWO};\nexport default script;`],
    ['a function', 'function.mjs', "export default ({ step }) => ({ text: ['one', 'two'][step] });"],
  ])('T1 %s is read, and its model is named so that it is found again', async (_, name, text) => {
    const file = await written(name, text);
    expect(await textOf(file)).toEqual({ name: `script:${file}`, text: 'two' });
  });

  test.each([
    ['not JSON', 'broken.json', '{"answers": [,]}', 'not_json', /^is not JSON: Unexpected token ','/],
    ['neither JSON nor a module', 'script.txt', TWO, 'unknown_kind', /neither a \.json file nor a \.mjs, \.js or \.ts/],
    ['a module that throws', 'throws.mjs', "throw new Error('oh');", 'not_loaded', /^fails when it is loaded: oh$/],
    ['a module that throws a word', 'word.mjs', "throw 'oh';", 'not_loaded', /^fails when it is loaded: oh$/],
    ['a module without default', 'named.mjs', 'export const a = [];', 'no_default', /^exports a, but no default/],
    ['an empty module', 'empty.mjs', '', 'no_default', /^exports nothing, but no default/],
    ['neither object nor function', 'seven.mjs', 'export default 7;', 'not_a_script', /^it is 7\. .*object/],
    ['JSON null', 'null.json', 'null', 'not_a_script', /^it is null\. .*object/],
    ['an empty object', 'object.json', '{}', 'not_a_script', /^answers is missing\. .*array/],
    ['no answer at all', 'none.json', '{"answers": []}', 'not_a_script', /^answers is \[\]\. .*1/],
    ['no attempt at all', 'never.json', '{"attempts": []}', 'not_a_script', /^attempts is \[\]\. .*1/],
    ['a day', 'slow.json', '{"answers": [{"delayMs": 86400000}]}', 'not_a_script', /^answers\.0\.delayMs is 86400000/],
    ['attempts and answers', 'both.json', '{"answers": [], "attempts": []}', 'not_a_script', /"answers"/],
    ['an unknown field', 'typo.json', '{"answers": [{"txet": "x"}]}', 'not_a_script', /^answers\.0 is .*"txet"/],
    ['a wrong field', 'wrong.json', '{"answers": [{"repeat": 0}]}', 'not_a_script', /^answers\.0\.repeat is 0\. .*>0/],
    [
      'a wrong field of an attempt',
      'attempt.json',
      '{"attempts": [{"answers": [{"calls": [{"tool": 7}]}]}]}',
      'not_a_script',
      /^attempts\.0\.answers\.0\.calls\.0\.tool is 7\. .*string/,
    ],
    [
      'calls beside an error',
      'calls.json',
      '{"answers": [{"calls": [{"tool": "read"}], "error": {"code": "c", "message": "m"}}]}',
      'not_a_script',
      /^answers\.0\.calls is .*an answer that fails with an error has no calls/,
    ],
  ])('T1 %s: the refusal says what to change', async (_, name, text, code, message) => {
    expect(await refusal(await written(name, text))).toEqual({ code, message: expect.stringMatching(message) });
  });

  test('T1 a file that is not there', async () => {
    const file = join(folder, 'absent.json');
    const message = 'cannot be read (ENOENT). Name a script that is there.';
    expect(await refusal(file)).toEqual({ code: 'not_found', message });
    expect(await refusal('nowhere/absent.json')).toEqual({
      code: 'not_found',
      message: `cannot be read (ENOENT, looked for as ${resolve('nowhere/absent.json')}). Name a script that is there.`,
    });
  });

  test('T1 a long value is shown in part', async () => {
    const file = await written('long.json', JSON.stringify({ answers: 'x'.repeat(500) }));
    const { message } = await refusal(file);
    expect(message).toContain(`answers is "${'x'.repeat(78)}…. `);
  });
});
