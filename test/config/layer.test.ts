import { describe, expect, test } from 'vitest';
import { type Layer, LAYERS, merge, placeOf, lineIn } from '../../src/config/layer.ts';
import { fc } from '../support/fast-check.ts';

const layer = (kind: Layer['kind'], values: object): Layer => ({ kind, values, file: `/${kind}.json` });

describe('one answer for each option', () => {
  const option = fc.constantFrom('model', 'maxSteps', 'tools', 'checks');
  const saying = fc.record({ kind: fc.constantFrom(...LAYERS), options: fc.uniqueArray(option) });

  test('the source of the highest precedence wins, in any order of the layers', () =>
    fc.assert(
      fc.property(fc.uniqueArray(saying, { selector: ({ kind }) => kind }), (said) => {
        const layers = said.map(({ kind, options }) =>
          layer(kind, Object.fromEntries(options.map((one) => [one, `of ${kind}`]))),
        );
        const { values, from } = merge(layers);
        for (const one of ['model', 'maxSteps', 'tools', 'checks'] as const) {
          const loudest = LAYERS.find((kind) =>
            said.some(({ kind: own, options }) => own === kind && options.includes(one)),
          );
          expect(values[one]).toBe(loudest && `of ${loudest}`);
          expect(from.get(one)?.kind).toBe(loudest);
        }
      }),
    ));

  test('flags, variables, the agent, the project, the user, what was confirmed', () =>
    expect(LAYERS).toEqual(['flag', 'variable', 'agent', 'project', 'user', 'confirmed']));

  test('a list takes the place of a list, and each provider is an answer of its own', () => {
    const project = layer('project', { tools: ['read'], providers: { a: { wire: 'openai' } } });
    const user = layer('user', {
      tools: ['edit', 'list'],
      providers: { a: { wire: 'google' }, b: { wire: 'anthropic' } },
    });
    const { values, providersFrom } = merge([project, user]);
    expect(values).toEqual({ tools: ['read'], providers: { a: { wire: 'openai' }, b: { wire: 'anthropic' } } });
    expect([...providersFrom].map(([name, { kind }]) => [name, kind])).toEqual(
      expect.arrayContaining([
        ['a', 'project'],
        ['b', 'user'],
      ]),
    );
  });

  test('what was left undefined was not said', () =>
    expect(merge([layer('flag', { model: undefined }), layer('user', { model: 'a/b' })]).values.model).toBe('a/b'));
});

describe('where a value stands', () => {
  const text = '{\n  "maxSteps": 1,\n\t"checks": [\n    "a",\n    { "command": "b" }\n  ]\n}';

  test.each([
    [['maxSteps'], 2],
    [['checks'], 3],
    [['checks', '0'], 4],
    [['checks', '1', 'command'], 5],
    [['checks', '1', 'missing'], 5],
    [['missing'], null],
    [[], null],
  ])('%j is on line %j', async (path, line) => expect(await lineIn(text, path)).toBe(line));

  test('a flag, a variable, a line of a file', async () => {
    expect(await placeOf(layer('flag', {}), ['checks', 0])).toBe('--verify');
    expect(await placeOf(layer('variable', {}), ['maxSteps'])).toBe('LOOPFOLD_MAX_STEPS');
    expect(await placeOf({ ...layer('project', {}), text }, ['maxSteps'])).toBe('/project.json:2');
    expect(await placeOf({ ...layer('agent', {}), lines: new Map([['maxSteps', 9]]) }, ['maxSteps'])).toBe(
      '/agent.json:9',
    );
    expect(await placeOf(layer('user', {}), ['maxSteps'])).toBe('/user.json');
  });
});
