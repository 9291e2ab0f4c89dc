import { lastValueFrom, toArray } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { LoopEvent } from '../../../machines/events.ts';
import type { Model, ModelRequest } from '../../../src/actors/model/model.ts';
import type { RunOptions } from '../../../src/config/options.ts';
import { resolveSettings } from '../../../src/config/resolve.ts';
import { agentFiles } from '../../../src/app/start/agent-files.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { configOf, folderWith } from '../../config/places.ts';

const PARAMETERS = { effort: 'high', temperature: 0.5, providerOptions: { own: { seed: 7 } } } as const;

/** A model that notes what it is asked, delegates once, and does not take a temperature. */
function noting() {
  const asked: ModelRequest[] = [];
  const model: Model = {
    name: 'own',
    answer: async (request) => {
      asked.push(request);
      const isFirst = asked.length === 1;
      const work = { agent: 'Helper', task: 'Help.' };
      return { text: 'Yes.', calls: isFirst ? [{ tool: 'delegate', arguments: work }] : [], ignored: ['no heat'] };
    },
  };
  return { model, asked };
}

async function runOf(options: Partial<RunOptions>) {
  const { model, asked } = noting();
  const directory = await folderWith({
    '.git/HEAD': '',
    '.loopfold/agents/helper.md': '---\neffort: low\nmaxAnswerTokens: 500\n---\n\nYou help.\n',
  });
  const loops = new Loops({ log: memoryLog(), model, agents: agentFiles() });
  const run = await loops.start({ prompt: 'Go.', loop: 'turn', directory, tools: ['delegate'], ...options });
  await run.done;
  const events = (await lastValueFrom(loops.events(run.run).pipe(toArray()))) as unknown as LoopEvent[];
  return { asked, events };
}

describe('G8 how a model is asked', () => {
  test('G8 each answer of a run is asked for so; the settings in the log have it, and an agent its own', async () => {
    const { asked, events } = await runOf({ ...PARAMETERS, maxAnswerTokens: 900 });
    expect(asked.map(({ parameters }) => parameters)).toEqual([
      PARAMETERS,
      { ...PARAMETERS, effort: 'low' },
      PARAMETERS,
    ]);
    expect(asked.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([900, 500, 900]);
    const [started] = events;
    if (started?.type !== 'run.started') throw new Error('a run begins with its settings');
    expect(started.payload.settings.parameters).toEqual({ ...PARAMETERS, maxAnswerTokens: 900 });
    const warnings = events.flatMap((event) => (event.type === 'warning.raised' ? [event.payload] : []));
    expect(warnings).toEqual([{ code: 'parameters_ignored', message: 'own: no heat' }]);
  });

  test('G8 a cap of tokens shortens the answer further, and never makes it longer', async () => {
    const { asked } = await runOf({ maxTokens: 4_000, maxAnswerTokens: 3_999 });
    expect(asked[0]?.maxOutputTokens).toBeLessThan(3_999);
    expect((await runOf({ maxTokens: 100_000, maxAnswerTokens: 64 })).asked[0]?.maxOutputTokens).toBe(64);
  });

  test('G8 nothing is recorded where nothing is said', () => {
    const resolved = resolveSettings({ prompt: 'Go.', maxAnswerTokens: 'none' });
    expect(resolved.kind === 'settings' && resolved.settings).not.toHaveProperty('parameters');
  });
});

describe('G8 what cannot be meant is refused with what can', () => {
  test.each([
    [{ effort: 'huge' }, 'effort', "one of 'default', 'none', 'minimal', 'low', 'medium', 'high', 'xhigh'"],
    [{ temperature: 3 }, 'temperature', 'a number from 0 to 2, such as 0.2'],
    [{ temperature: 'warm' }, 'temperature', 'a number from 0 to 2, such as 0.2'],
    [{ maxAnswerTokens: 10 }, 'maxAnswerTokens', "a whole number of tokens, 64 or more, or 'none'"],
    [
      { providerOptions: { openai: 'flex' } },
      'providerOptions.openai',
      'an object by provider, such as {"openai": {"serviceTier": "flex"}}',
    ],
  ])('G8 %j', (options, field, expected) => {
    const resolved = resolveSettings({ prompt: 'Go.', ...options });
    expect(resolved.kind === 'refused' && resolved.faults).toMatchObject([{ field, expected }]);
  });

  test('G8 in an agent’s page, but not in a page of another program', async () => {
    const page = '---\neffort: huge\ntemperature: 0.1\n---\n\nHelp.\n';
    const ours = await folderWith({ '.git/HEAD': '', '.loopfold/agents/a.md': page });
    const refused = await configOf(ours, { flags: { agent: 'a' } });
    expect(JSON.stringify(refused)).toContain("a.md:2: effort: expected one of 'default'");
    const theirs = await folderWith({ '.git/HEAD': '', '.claude/agents/a.md': page });
    const loaded = await configOf(theirs, { flags: { agent: 'a' } });
    expect(loaded).toMatchObject({ kind: 'loaded', config: { values: { temperature: 0.1 } } });
    expect(JSON.stringify(loaded)).toContain('effort has a value that loopfold does not know; it is left out');
  });
});
