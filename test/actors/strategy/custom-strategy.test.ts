import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CustomStrategy } from '../../../src/actors/strategy/custom-strategy.ts';
import { CustomConfig } from '../../../src/strategies/custom-config.ts';
import { absent } from '../../support/absent.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { moduleFolder } from '../../support/module-folder.ts';

/** Long enough for a busy machine to start a thread. */
const LONG_MS = 20_000;
const event = { iteration: 4 } as Parameters<CustomStrategy['onIterationComplete']>[0];

async function strategyIn(code: string, asked: Partial<CustomConfig> = {}, loadLimitMs = LONG_MS) {
  const directory = await moduleFolder({ 'own.mjs': code });
  const config = CustomConfig.parse({ modulePath: './own.mjs', strategyName: 'own', ...asked });
  const strategy = new CustomStrategy(config, directory, loadLimitMs);
  onTestFinished(() => strategy.end());
  return { strategy, directory };
}

const answering = (body: string) => `export const own = { name: 'mine', onIterationComplete(event) { ${body} } };\n`;

describe('L13 what a module may export', () => {
  const members =
    "name = 'mine'; constructor(config) { this.config = config; } async onIterationComplete({ iteration }) { return { iteration, config: this.config }; }";
  test.each([
    ['a class', `export class own { ${members} }`],
    ['a class of another', `class Base { ${members} }\nexport class own extends Base {}`],
    [
      'a constructor function',
      "export function own(config) { this.name = 'mine'; this.config = config; }\nown.prototype.onIterationComplete = async function ({ iteration }) { return { iteration, config: this.config }; };",
    ],
    ['a function that makes one', `class Mine { ${members} }\nexport const own = (config) => new Mine(config);`],
    [
      'one that takes its time',
      `class Mine { ${members} }\nexport async function own(config) { await null; return new Mine(config); }`,
    ],
    ['one ready made', `class Mine { ${members} }\nexport const own = new Mine({ level: 3 });`],
    [
      'one that is still coming',
      `class Mine { ${members} }\nexport const own = Promise.resolve(new Mine({ level: 3 }));`,
    ],
    [
      'a getter on a class',
      "export class own { get name() { return 'mine'; } onIterationComplete = ({ iteration }) => ({ iteration, config: { level: 3 } }); }",
    ],
  ])('L13 %s', async (_what, code) => {
    const { strategy } = await strategyIn(code, { config: { level: 3 } });
    expect(strategy.name).toBe('own');
    expect(await strategy.onIterationComplete(event)).toEqual({ iteration: 4, config: { level: 3 } });
    expect(strategy.name).toBe('mine');
  });

  test('L13 the default, under that name; and nothing where it is given no config', async () => {
    const { strategy } = await strategyIn(
      'export default (config) => ({ name: "d", onIterationComplete: () => config });',
      { strategyName: 'default' },
    );
    expect(await strategy.onIterationComplete(event)).toEqual({});
  });

  test('L13 an absolute path, and one with characters that mean something in addresses', async () => {
    const directory = await moduleFolder({ 'a#b %41?c.mjs': answering('return { seen: true };') });
    const strategy = new CustomStrategy(
      { modulePath: join(directory, 'a#b %41?c.mjs'), strategyName: 'own', config: {} },
      absent(),
    );
    onTestFinished(() => strategy.end());
    expect(await strategy.onIterationComplete(event)).toEqual({ seen: true });
  });
});

testInTurn.each([
  ['strategy_not_found', '', { modulePath: './onw.mjs' }, /an existing module: .*onw\.mjs does not exist/],
  ['strategy_not_found', '', { modulePath: '.' }, /a file: .* is not one/],
  [
    'strategy_not_loaded',
    'export const = 1;',
    {},
    /a module that loads: .*own\.mjs fails: node --check .*own\.mjs shows where: SyntaxError/,
  ],
  ['strategy_not_loaded', "import 'a-package-that-nobody-has';", {}, /fails: .*Cannot find package/],
  ['strategy_not_loaded', "throw 'words';", {}, /fails: 'words'/],
  ['strategy_not_loaded', 'process.exit(4);', {}, /ends its thread, or waits for ever \(exit code 4\)/],
  ['strategy_not_loaded', 'await new Promise(() => {});', {}, /ends its thread, or waits for ever/],
  [
    'strategy_not_exported',
    'export const other = 1;',
    {},
    /strategyName: expected an export of .*own\.mjs, which has: other, found 'own'/,
  ],
  ['strategy_not_exported', '', { strategyName: 'toString' }, /which has: nothing/],
  ['strategy_not_made', "export const own = () => { throw new Error('no'); };", {}, /can be made: it throws Error: no/],
  [
    'strategy_not_made',
    "export const own = async () => { throw new Error('no'); };",
    {},
    /can be made: it throws Error: no/,
  ],
  ['strategy_incomplete', 'export const own = 5;', {}, /has to have name and onIterationComplete, and there is 5/],
  [
    'strategy_incomplete',
    'export const own = { onIterationComplete() {} };',
    {},
    /has to have name, a text .*there is undefined/,
  ],
  [
    'strategy_incomplete',
    `export const own = { name: 'x'.repeat(101), onIterationComplete() {} };`,
    {},
    /has to have name, a text/,
  ],
  [
    'strategy_incomplete',
    "export class own { name = 'own'; decide() {} }",
    {},
    /has to have onIterationComplete, a function/,
  ],
  [
    'strategy_incomplete',
    "export const own = { name: 'own', onIterationComplete() {}, onLoopEnd: 'bye' };",
    {},
    /has to have onLoopEnd, a function where it is there, and there is 'bye'/,
  ],
])('L13 %s: %s %j', async (code, module, asked, says) => {
  const { strategy } = await strategyIn(module, asked);
  const fault = await strategy.load();
  expect(fault).toMatchObject({ code, field: expect.stringMatching(/^strategy\.config\.(modulePath|strategyName)$/) });
  await expect(strategy.onIterationComplete(event)).rejects.toMatchObject({
    code,
    message: expect.stringMatching(says),
  });
});

testInTurn('L13 a module that never comes to an end of loading is ended', async () => {
  const { strategy } = await strategyIn('for (;;);', {}, 300);
  expect(await strategy.load()).toMatchObject({
    code: 'strategy_not_loaded',
    expected: expect.stringContaining('is not done after 0.3 s'),
  });
});

testInTurn.each([
  ['strategy_failed', "throw new RangeError('too far');", /^RangeError: too far$/],
  ['strategy_failed', "return Promise.reject('words');", /^'words'$/],
  [
    'strategy_failed',
    "setTimeout(() => { throw new Error('late'); }); return new Promise(() => {});",
    /it threw an uncaught error: Error: late/,
  ],
  ['strategy_gone', 'process.exit(3);', /ended its own thread \(exit code 3\)/],
  ['strategy_failed', 'const all = []; for (;;) all.push(new Array(1e6).fill(event));', /memory/],
  ['invalid_decision', 'return { reason: () => 1 };', /no plain data/],
  ['invalid_decision', "return { reason: 'x'.repeat(2_000_000) };", /at most 1000000 are taken/],
])('L13 %s: %s costs one answer, and it can be asked again', async (code, body, says) => {
  const { strategy } = await strategyIn(answering(`if (event.iteration === 4) { ${body} } return { asked: 'again' };`));
  await expect(strategy.onIterationComplete(event)).rejects.toMatchObject({
    code,
    message: expect.stringMatching(says),
  });
  expect(await strategy.onIterationComplete({ ...event, iteration: 5 })).toEqual({ asked: 'again' });
});

test('L13 an unhandled rejection is logged, and does not end the strategy', async () => {
  const { strategy } = await strategyIn(
    answering(
      "void Promise.reject(new Error('stray')); return new Promise((done) => setTimeout(done, 20, { still: 'here' }));",
    ),
  );
  expect(await strategy.onIterationComplete(event)).toEqual({ still: 'here' });
});

testInTurn('L13 one that loops for ever is ended when it is told to stop', async () => {
  const { strategy } = await strategyIn(answering('if (event.iteration === 4) for (;;); return { asked: "again" };'));
  await strategy.load();
  const stop = new AbortController();
  const asked = strategy.onIterationComplete(event, { signal: stop.signal });
  setTimeout(() => stop.abort(), 50);
  await expect(asked).rejects.toThrow('told to stop');
  expect(await strategy.onIterationComplete({ ...event, iteration: 5 })).toEqual({ asked: 'again' });
});

test('L13 messages that a module writes to its own port are ignored', async () => {
  const forged =
    "import { parentPort } from 'node:worker_threads';\nparentPort.postMessage({ kind: 'answer', id: 2, answer: 'forged' });\nparentPort.postMessage('nonsense');\n";
  const { strategy } = await strategyIn(
    forged +
      answering("parentPort.postMessage({ kind: 'answer', id: 99, answer: 'forged' }); return { honest: true };"),
  );
  expect(await strategy.onIterationComplete(event)).toEqual({ honest: true });
});
