import { type Signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { isReadOnly } from './about.ts';
import { Action, Part, Words } from './parts.tsx';
import { go, runHref } from './page-address.ts';
import type { PreviewView } from './view-types.ts';
import { post, server } from './page-source.ts';
import { grouped, money } from './words.ts';

const FIELDS = [
  ['loop', 'Loop', 'as configured'],
  ['model', 'Model', 'as configured'],
  ['strategy', 'Strategy', 'as configured'],
  ['maxIterations', 'Iterations at most', ''],
  ['maxTime', 'Time at most', '30m'],
  ['maxCost', 'Cost at most, in dollars', '2.50'],
] as const;

/** Starts a run. What it would begin with is shown first. */
export function StartScreen(): JSX.Element {
  const prompt = useSignal('');
  const checks = useSignal('');
  const fields = useSignal<Readonly<Record<string, string>>>({});
  const preview = useSignal<PreviewView | null>(null);
  const request = () => ({ prompt: prompt.value, options: optionsOf(fields.value, checks.value) });
  const isEmpty = prompt.value.trim() === '';
  if (isReadOnly.value) return <main class="screen">This server only reads.</main>;
  return (
    <main class="screen start">
      <h1>Start a run</h1>
      <form onSubmit={(event) => event.preventDefault()} onInput={() => (preview.value = null)}>
        <label>
          Task
          <textarea
            rows={6}
            value={prompt.value}
            onInput={({ currentTarget }) => (prompt.value = currentTarget.value)}
          />
        </label>
        <label>
          Checks, one a line
          <textarea
            rows={2}
            value={checks.value}
            placeholder="L1:npm test"
            onInput={({ currentTarget }) => (checks.value = currentTarget.value)}
          />
        </label>
        <Fields given={fields} />
        <Action
          name="Show what it begins with"
          touches="nothing is sent, recorded or checked"
          disabled={isEmpty}
          send={async () => (preview.value = await server.preview(request()))}
          done={() => {}}
        />
      </form>
      {preview.value && (
        <>
          <Preview preview={preview.value} />
          <Action
            name="Start"
            kind="good"
            touches={`it works in ${preview.value.directory}`}
            send={async () => go(runHref((await post<{ run: string }>('/api/runs', request())).run))}
            done={() => {}}
          />
        </>
      )}
    </main>
  );
}

/** The options of the run. An empty one is as configured. */
const Fields = ({ given }: { given: Signal<Readonly<Record<string, string>>> }): JSX.Element => (
  <>
    {FIELDS.map(([name, title, placeholder]) => (
      <label key={name}>
        {title}
        <input
          value={given.value[name] ?? ''}
          placeholder={placeholder}
          onInput={({ currentTarget }) => (given.value = { ...given.value, [name]: currentTarget.value })}
        />
      </label>
    ))}
  </>
);

function optionsOf(fields: Readonly<Record<string, string>>, checks: string): object {
  const given = Object.entries(fields).flatMap(([name, value]) => {
    const said = value.trim();
    if (said === '') return [];
    return [[name, name === 'maxIterations' && /^\d+$/.test(said) ? Number(said) : said]];
  });
  const lines = checks.split('\n').map((line) => line.trim());
  const asked = lines.filter((line) => line !== '');
  return { ...Object.fromEntries(given), ...(asked.length === 0 ? {} : { checks: asked }) };
}

const Preview = ({ preview }: { preview: PreviewView }): JSX.Element => (
  <Part title="It begins with">
    <dl>
      <dt>Loop</dt>
      <dd>
        {preview.loop}
        {preview.strategy !== null && `, strategy ${preview.strategy}`}
      </dd>
      <dt>Model</dt>
      <dd>{preview.model}</dd>
      <dt>Workspace</dt>
      <dd>
        {preview.directory}
        {preview.isIsolated && ', in a worktree of its own'}
      </dd>
      <dt>Limits</dt>
      <dd>{preview.limits === '' ? 'none' : preview.limits}</dd>
      <dt>First request</dt>
      <dd>
        {preview.inputTokens === null ? 'not known before' : `about ${grouped(preview.inputTokens)} tokens`}
        {preview.costNanoUsd !== null && `, ${money(preview.costNanoUsd)}`}
      </dd>
      <dt>Checks</dt>
      <dd>
        {preview.checks.length === 0
          ? 'none: nothing is proven'
          : preview.checks.map(({ level, command }) => `${level} ${command}`).join('; ')}
      </dd>
      <dt>Tools</dt>
      <dd>{preview.tools.join(', ')}</dd>
    </dl>
    {preview.warnings.map((warning) => (
      <p key={warning} class="odd">
        {warning}
      </p>
    ))}
    {preview.system !== null && <Words text={preview.system} />}
  </Part>
);
