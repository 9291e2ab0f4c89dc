import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PermissionMemory } from '../../src/permissions/permission-memory.ts';
import { ruleIn, ruleText, shadowedRules } from '../../src/permissions/rule-text.ts';
import { rules, rulingOf } from './rulings.ts';

const action = fc.constantFrom('allow', 'ask', 'deny');
const anyRule = fc
  .record({
    action,
    tool: fc.stringMatching(/^[a-z*_-]{1,10}$/),
    match: fc.option(
      fc.tuple(fc.stringMatching(/^[a-z][a-z.]{0,8}$/), fc.stringMatching(/^[a-z*/=-][ a-z*/=-]{0,12}$/)),
    ),
  })
  .map((one) => `${one.action} ${one.tool}${one.match ? ` ${one.match[0]}=${one.match[1].trim()}` : ''}`);

test('X9 a rule is the same after it was written down and read again', () =>
  fc.assert(fc.property(anyRule, (text) => void expect(rules(text).map(ruleText)).toEqual([text]))));

test('X9 of several rules the first that fits counts', () =>
  fc.assert(
    fc.property(fc.array(action, { minLength: 1 }), (actions) => {
      const set = actions.map((one) => `${one} edit path=docs/**`);
      const given = { path: 'docs/a.md', content: '' };
      const ruling = rulingOf(['deny edit path=src/**', ...set], 'write', given);
      expect(ruling.action).toBe(actions[0]);
      expect(ruling.because).toBe(set[0]);
    }),
  ));

test('X9 what a tool does is ruled, whatever the tool is called', () => {
  for (const tool of ['edit', 'write', 'multi_edit', 'delete', 'move'])
    expect(rulingOf(['deny edit path=src/**'], tool, { path: './src/a.ts' }).action).toBe('deny');
  for (const tool of ['read', 'grep', 'list', 'glob'])
    expect(rulingOf(['deny read path=secrets'], tool, { path: 'secrets/a' }).action).toBe('deny');
});

test('X9 tools of servers are ruled by name, host and argument', () => {
  const given = {
    url: 'https://user@api.example.org:8443/x',
    repository: { name: 'acme/app' },
    labels: ['a', 'urgent'],
  };
  const of = (rule: string) => rulingOf([rule], 'web__send', given).action;
  expect(of('deny web__*')).toBe('deny');
  expect(of('deny other__*')).toBe('allow');
  expect(of('deny * host=*.example.org')).toBe('deny');
  expect(of('deny * host=example.org')).toBe('allow');
  expect(of('deny * repository.name=acme/*')).toBe('deny');
  expect(of('deny * labels=urgent')).toBe('deny');
  expect(of('deny * constructor=*')).toBe('allow');
});

test('X9 to allow by path or host, all of them have to fit', () => {
  const paths = (...all: string[]) =>
    rulingOf(['allow files__* path=docs/**', 'deny files__*'], 'files__move', { paths: all });
  expect(paths('docs/a', '/here/docs/b').action).toBe('allow');
  expect(paths('docs/a', 'src/b').action).toBe('deny');
  expect(paths('docs/../src/b').action).toBe('deny');
  expect(paths().action).toBe('deny');
});

test('X9 profiles rule what no rule fits', () => {
  const table = (profile: 'read' | 'edit' | 'all', isWalled: boolean) =>
    (
      [
        ['read', { path: 'a' }],
        ['edit', { path: 'a' }],
        ['shell', { command: 'npm test' }],
        ['web__get', {}],
        ['finish', {}],
        ['edit', { path: '/etc/a' }],
      ] as const
    ).map(([tool, given]) => rulingOf([], tool, given, { profile, isWalled }).action);
  expect(table('read', true)).toEqual(['allow', 'ask', 'ask', 'ask', 'allow', 'ask']);
  expect(table('edit', true)).toEqual(['allow', 'allow', 'allow', 'allow', 'allow', 'ask']);
  expect(table('edit', false)).toEqual(['allow', 'allow', 'ask', 'allow', 'allow', 'ask']);
  expect(table('all', false)).toEqual(['allow', 'allow', 'allow', 'allow', 'allow', 'allow']);
});

const answered = (memory: PermissionMemory, permission: object) =>
  memory.observe({ type: 'person.answered', payload: { callId: '0.0', answer: '', permission } } as never);

test('X9 a ruling of a person holds for exactly its call, and a yes once', () => {
  const memory = new PermissionMemory();
  const of = (command: string) => rulingOf(['ask shell command=npm publish'], 'shell', { command }, { memory });
  const first = of('npm publish');
  expect(first).toMatchObject({ action: 'ask', remembers: ['shell npm publish'] });
  answered(memory, { granted: true, digest: first.digest });
  expect([of('npm publish').action, of('npm publish --tag x').action]).toEqual(['allow', 'ask']);
  const call = { callId: '1.0', providerId: null, tool: 'shell', arguments: { command: 'npm publish' } };
  memory.observe({ type: 'model.completed', payload: { text: '', calls: [call], usage: {} } } as never);
  memory.observe({
    type: 'calls.admitted',
    payload: { run: [{ callId: '1.0', actor: 'runTool' }], refused: [] },
  } as never);
  expect(of('npm publish').action).toBe('ask');
  answered(memory, { granted: false, digest: first.digest });
  expect([of('npm publish').action, of('npm publish --tag x').action]).toEqual(['deny', 'ask']);
});

test('X9 what is allowed for good is what the question said, and no more', () => {
  const memory = new PermissionMemory();
  const of = (command: string) => rulingOf(['ask shell'], 'shell', { command }, { memory });
  const { digest, remembers } = of('npm ci && npm test');
  expect(remembers).toEqual(['shell npm ci', 'shell npm test']);
  answered(memory, { granted: true, digest, remembers });
  expect(
    ['npm test', 'npm test && npm ci', 'npm test && npm publish', 'npm test -- a'].map((text) => of(text).action),
  ).toEqual(['allow', 'allow', 'ask', 'ask']);
  expect(rulingOf(['deny shell'], 'shell', { command: 'npm test' }, { memory }).action).toBe('deny');
});

test('X9 without a person what would be asked is denied, and says so', () => {
  const ruling = rulingOf(['ask shell'], 'shell', { command: 'ls' }, { unattended: true });
  expect(ruling.action).toBe('deny');
  expect(ruling.because).toContain('none is there');
});

test('X9 the profile edit asks for commands without walls, and lets them go where no person is there', () => {
  const of = (more: object) => rulingOf([], 'shell', { command: 'ls' }, { profile: 'edit', isWalled: false, ...more });
  expect(of({}).action).toBe('ask');
  expect(of({ unattended: true }).action).toBe('allow');
  expect(rulingOf(['ask shell'], 'shell', { command: 'ls' }, { profile: 'edit', unattended: true }).action).toBe(
    'deny',
  );
});

test('X9 a rule that never counts is named with the one before it', () => {
  const shadowed = (...texts: string[]) => shadowedRules(rules(...texts)).length;
  expect(shadowed('allow shell', 'deny shell command=git push')).toBe(1);
  expect(shadowed('deny shell command=git', 'allow shell command=git push')).toBe(1);
  expect(shadowed('ask edit path=docs/**', 'deny edit path=docs/a.md')).toBe(1);
  expect(shadowed('deny *', 'allow read')).toBe(1);
  expect(shadowed('deny shell command=git push', 'allow shell')).toBe(0);
  expect(shadowed('deny shell command=gi', 'allow shell command=git push')).toBe(0);
  expect(shadowed('deny edit', 'allow read')).toBe(0);
});

test.each(['', 'deny', 'forbid shell', 'deny shell git push', 'deny sh ell command=x', 'deny shell command='])(
  'X9 a text that is no rule is refused: %s',
  (text) => expect(ruleIn(text)).toHaveProperty('expected'),
);
