import { expect, onTestFinished, test } from 'vitest';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import { scriptedModel } from '../../../src/actors/model/model-script.ts';
import { rebuild } from '../../../src/runtime/load-run.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { history } from '../../support/run-history.ts';
import { tool } from '../../support/stand-ins.ts';
import { ask, leftWaiting, office, outputsIn, resumed, wordsIn } from './office.ts';

const SECRET = 'correct-horse-battery-staple';
const secrets = [{ name: 'SHOP_PASSWORD', value: SECRET }];

testInTurn(
  'a secret from any source reaches neither the log, nor what is folded from it, nor a later prompt',
  async () => {
    const leak = tool('leak', async () => ({ output: `it is ${SECRET}` }));
    const script = {
      answers: [
        { text: SECRET, calls: [{ tool: 'leak', arguments: { note: SECRET } }, ask(SECRET)] },
        { text: SECRET },
      ],
    };
    const harness = office(script, { tools: [leak], secrets });
    const run = await leftWaiting(harness, { prompt: `Use ${SECRET}.` });
    const inbox: string[] = [];
    const { log } = harness;
    const post = log.post.bind(log);
    log.post = async (...command) => (inbox.push(JSON.stringify(command)), post(...command));
    await harness.loops().answer(run, { text: `my password is ${SECRET}` });
    await harness.loops().steer(run, `again: ${SECRET}`);
    const end = await (await resumed(harness.loops(), run)).done;
    const rebuilt = await rebuild(log, run);
    const told = [
      await history(log, run),
      inbox,
      end,
      rebuilt.kind === 'loaded' && [rebuilt.settings, rebuilt.state.snapshot.context],
    ];
    expect(JSON.stringify(told)).not.toContain(SECRET);
    expect(inbox).toHaveLength(2);
    expect(harness.requests.map(outputsIn).at(-1)).toEqual([
      'it is [redacted SHOP_PASSWORD]',
      'my password is [redacted SHOP_PASSWORD]',
    ]);
    expect(harness.requests.map(wordsIn).at(-1)).toEqual([
      'Use [redacted SHOP_PASSWORD].',
      'again: [redacted SHOP_PASSWORD]',
    ]);
  },
);

test('what the environment holds under a name for secrets is one, unless others are named', async () => {
  process.env['LOOPFOLD_TEST_TOKEN'] = SECRET;
  const { log, start } = office({ answers: [{ text: 'done' }] });
  const live = await start({ prompt: SECRET });
  await live.done;
  expect(JSON.stringify(await history(log, live.run))).toContain('[redacted LOOPFOLD_TEST_TOKEN]');
  const loops = new Loops({ log, model: scriptedModel({ answers: [{ text: 'done' }] }), secrets: [] });
  const open = await loops.start({ prompt: SECRET });
  delete process.env['LOOPFOLD_TEST_TOKEN'];
  await open.done;
  expect(JSON.stringify(await history(log, open.run))).toContain(SECRET);
});

testInTurn('an embedding program need not list keys: they are found in headers and the given environment', async () => {
  const { log } = office({ answers: [{ text: 'done' }] });
  const providers = {
    shop: { wire: 'openai-chat' as const, baseUrl: 'http://127.0.0.1:9/v1', headers: { 'x-api-key': SECRET } },
  };
  const model = scriptedModel({ answers: [{ text: `the key is ${SECRET}, the other battery-horse` }] });
  const live = await new Loops({ log, model, providers, environment: { SHOP_API_KEY: 'battery-horse' } }).start({
    prompt: 'Go.',
  });
  await live.done;
  const said = JSON.stringify(await history(log, live.run));
  expect(said).toContain('the key is [redacted shop x-api-key], the other [redacted SHOP_API_KEY]');
});

testInTurn(
  'what commands are passed by name is redacted in that run, also in what another process sends to it',
  async () => {
    process.env['LOOPFOLD_TEST_CODE'] = SECRET;
    process.env['LOOPFOLD_TEST_ROOT'] = process.cwd();
    onTestFinished(() => {
      delete process.env['LOOPFOLD_TEST_CODE'];
      delete process.env['LOOPFOLD_TEST_ROOT'];
    });
    const command = 'printf "%s" "$LOOPFOLD_TEST_CODE" | base64; printf "code=%s" "$LOOPFOLD_TEST_CODE"';
    const script = {
      answers: [{ calls: [{ tool: 'shell', arguments: { command } }, ask('Which?')] }, { text: 'done' }],
    };
    const options = { tools: ['shell', 'ask_user', 'finish'], directory: process.cwd() };
    const harness = office(script);
    const passed = await leftWaiting(harness, {
      ...options,
      environment: ['LOOPFOLD_TEST_CODE', 'LOOPFOLD_TEST_ROOT'],
    });
    const inbox: string[] = [];
    const post = harness.log.post.bind(harness.log);
    harness.log.post = async (...sent) => (inbox.push(JSON.stringify(sent)), post(...sent));
    await harness.loops().steer(passed, `the code is ${SECRET}`);
    const said = JSON.stringify([await history(harness.log, passed), inbox]);
    expect(said).not.toContain(SECRET);
    expect(said).not.toContain(Buffer.from(SECRET).toString('base64').slice(0, -2));
    expect(said.split('[redacted LOOPFOLD_TEST_CODE]').length - 1).toBeGreaterThanOrEqual(4);
    expect(said).toContain(JSON.stringify(process.cwd()));

    const other = office({ answers: [{ text: SECRET }] });
    const live = await other.start({ ...options, prompt: 'Go.' });
    await live.done;
    expect(JSON.stringify(await history(other.log, live.run))).toContain(SECRET);
  },
);
