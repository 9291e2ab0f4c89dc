import type { JSX } from 'preact';
import { amount } from '../text/money.ts';
import { Part } from './parts.tsx';
import type { RunModel } from './run-model.ts';
import type { RunView } from './view-types.ts';
import { grouped, money, took } from './words.ts';

type Limit = RunView['limits'][number];

/** What a run has spent and reserved, against its limits, by model and by phase. */
export function MoneyTab({ model }: { model: RunModel }): JSX.Element {
  const view = model.view.value;
  if (!view) return <div class="tab" />;
  const { limits, models, phases, tokens, costNanoUsd, toolCalls, retries, idleMs } = view;
  return (
    <div class="tab" tabIndex={0}>
      <p>
        <strong>{money(costNanoUsd)}</strong>, {amount(tokens, 'token')}, {amount(toolCalls, 'tool call')}
        {retries > 0 && `, ${retries} retries`}
        {idleMs > 0 && `, ${took(idleMs)} idle`}
      </p>
      {limits.length > 0 && (
        <Part title="Limits">
          {limits.map((limit) => (
            <Bar key={limit.name} limit={limit} />
          ))}
        </Part>
      )}
      {models.length > 0 && (
        <Part title="Models">
          <ModelTable models={models} />
        </Part>
      )}
      {phases.length > 1 && (
        <Part title="For what">
          <ul>
            {phases.map(({ phase, tokens: used, costNanoUsd: cost }) => (
              <li key={phase}>
                {phase}: {grouped(used)} tokens{cost > 0 && `, ${money(cost)}`}
              </li>
            ))}
          </ul>
        </Part>
      )}
    </div>
  );
}

const ModelTable = ({ models }: Pick<RunView, 'models'>): JSX.Element => (
  <table>
    <thead>
      <tr>
        {['Model', 'Requests', 'Input', 'of it cached', 'Output', 'of it reasoning', 'Cost'].map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {models.map((one) => (
        <tr key={one.model}>
          <th scope="row">{one.model}</th>
          {[one.requests, one.inputTokens, one.cachedInputTokens, one.outputTokens, one.reasoningTokens].map(
            (count, index) => (
              <td key={index} class="number">
                {grouped(count)}
              </td>
            ),
          )}
          <td class="number">{money(one.costNanoUsd)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

const amountOf = ({ unit }: Limit, used: number): string => {
  if (unit === 'ms') return took(used);
  return unit === 'nano_usd' ? money(used) : grouped(used);
};

function Bar({ limit }: { limit: Limit }): JSX.Element {
  const { name, used, reserved, limit: most } = limit;
  const words = `${amountOf(limit, used)} of ${amountOf(limit, most)}${reserved > 0 ? `, ${amountOf(limit, reserved)} reserved` : ''}`;
  const share = (part: number) => Math.min(100, (part / Math.max(1, most)) * 100);
  return (
    <div class="cap">
      <span>{name.replace('_nano_usd', '').replace('_ms', '').replaceAll('_', ' ')}</span>
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label={words}>
        <rect class="most" width={100} height={8} />
        <rect class="reserved" width={share(used + reserved)} height={8} />
        <rect class="used" width={share(used)} height={8} />
      </svg>
      <span class="quiet">{words}</span>
    </div>
  );
}
