import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { Patch } from './parts.tsx';
import { BarsPlot, LinePlot } from './plots.tsx';
import { server } from './page-source.ts';
import type { RunModel } from './run-model.ts';
import type { BlockView, ReportView } from './view-types.ts';

type Table = Extract<BlockView, { kind: 'table' }>;
type Said = Table['rows'][number][number]['said'];

/** The report on a whole run: a row for each candidate, and what was kept, refused and spent. */
export function ReportTab({ model }: { model: RunModel }): JSX.Element {
  const report = useSignal<ReportView | null>(model.embedded?.report ?? null);
  const failure = useSignal<string | null>(null);
  const version = model.view.value?.version;
  useEffect(() => {
    if (model.embedded) return;
    server.report(model.run).then(
      (found) => (report.value = found),
      (error: Error) => (failure.value = error.message),
    );
  }, [version]);
  const { overview, blocks = [] } = report.value ?? {};
  return (
    <div class="tab report" tabIndex={0}>
      {failure.value !== null && <p role="alert">{failure.value}</p>}
      {overview && overview.rows.length > 0 && <ReportTable table={overview} />}
      {blocks.map((block, index) => (
        <Block key={index} block={block} />
      ))}
    </div>
  );
}

function Block({ block }: { block: BlockView }): JSX.Element {
  switch (block.kind) {
    case 'heading':
      return <h2>{block.text}</h2>;
    case 'text':
      return (
        <p>
          <Text said={block.said} />
        </p>
      );
    case 'figures':
      return (
        <dl>
          {block.figures.map(({ name, value, tone }) => (
            <>
              <dt>{name}</dt>
              <dd class={tone ?? ''}>{value}</dd>
            </>
          ))}
        </dl>
      );
    case 'table':
      return <ReportTable table={block} />;
    case 'bars':
      return <BarsPlot bars={block} />;
    case 'line':
      return <LinePlot line={block} />;
    case 'patch':
      return (
        <details>
          <summary>
            {block.title}: <code>{block.command}</code>
          </summary>
          {block.patch === null ? <p>The repository does not have it any more.</p> : <Patch text={block.patch} />}
        </details>
      );
  }
}

const ReportTable = ({ table: { columns, rows } }: { table: Table }): JSX.Element => (
  <table>
    <thead>
      <tr>
        {columns.map(({ name, isNumber }) => (
          <th key={name} scope="col" class={isNumber ? 'number' : ''}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((cells, row) => (
        <tr key={row}>
          {cells.map(({ said, tone }, index) => (
            <td key={index} class={`${columns[index]?.isNumber ? 'number' : ''} ${tone ?? ''}`}>
              <Text said={said} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

const Text = ({ said }: { said: Said }): JSX.Element => (
  <>{said.map(({ text, isCode }, index) => (isCode ? <code key={index}>{text}</code> : text))}</>
);
