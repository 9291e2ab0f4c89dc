import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Lit, RunModel } from './run-model.ts';
import type { ChartLayout } from './view-types.ts';
import { Scrubber } from './scrubber.tsx';
import { StateAt } from './state-at.tsx';

const TITLE_PX = 14;
const INSET_PX = 12;
const TITLE_LINE_PX = 20;
const LINE_PX = 15;
const TEXT_PX = 11;
const NO_CHART =
  'The loop of this run is not known here, or the package elkjs, which lays out loops of your own, is missing.';

/** The chart of a run at the version that is looked at: the state it is in is lit, and those it was in. */
export function ChartTab({ model }: { model: RunModel }): JSX.Element {
  const isWhole = useSignal(false);
  const chart = (isWhole.value && model.wholeChart.value) || model.chart.value;
  const show = () => {
    isWhole.value = !isWhole.value;
    void model.readWhole();
  };
  return (
    <div class="tab chart-tab">
      <Scrubber model={model} />
      <button type="button" class="link detail" aria-pressed={isWhole.value} onClick={show}>
        {isWhole.value ? 'from above' : 'the whole chart'}
      </button>
      {chart ? (
        <Chart chart={chart} lit={model.lit.value} isFitted={chart === model.chart.value} />
      ) : (
        <p role="status">{chart === null ? NO_CHART : 'The chart is being laid out.'}</p>
      )}
      {!model.embedded && <StateAt model={model} />}
    </div>
  );
}

type Box = ChartLayout['boxes'][number];

interface ChartProps {
  readonly chart: ChartLayout;
  readonly lit: Lit;
  /** All of it is in view. */
  readonly isFitted: boolean;
}

function Chart({ chart, lit, isFitted }: ChartProps): JSX.Element {
  const { width, height, boxes, arrows, machine, description } = chart;
  const named = [...lit.active].toSorted().join(', ');
  return (
    <div class={isFitted ? 'chart fitted' : 'chart'} tabIndex={0} role="region" aria-label="Chart">
      <p class="quiet" role="status">
        {named === '' ? machine : `${machine} is in ${named}`}
      </p>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        role="img"
        aria-label={`${machine}: ${description}`}
      >
        {boxes.map((box) => (
          <g key={`${box.kind} ${box.path}`} class={classOf(box, lit)}>
            {box.description !== '' && <title>{box.description}</title>}
            {box.kind === 'start' ? (
              <circle cx={box.x + box.width / 2} cy={box.y + box.height / 2} r={box.width / 2 - 1} />
            ) : (
              <>
                <rect x={box.x} y={box.y} width={box.width} height={box.height} rx={8} />
                <text x={box.head.x + INSET_PX} y={box.head.y + INSET_PX / 2 + TITLE_PX}>
                  {box.title}
                </text>
                {box.lines.map((line, row) => (
                  <text
                    key={line}
                    class="detail"
                    x={box.head.x + INSET_PX}
                    y={box.head.y + INSET_PX / 2 + TITLE_LINE_PX + row * LINE_PX + TEXT_PX}
                  >
                    {line}
                  </text>
                ))}
              </>
            )}
          </g>
        ))}
        {arrows.map((arrow, index) => (
          <g key={index} class={arrow.always ? 'arrow always' : 'arrow'}>
            <path class="line" d={arrow.line} />
            <path class="tip" d={arrow.tip} />
            {arrow.at &&
              arrow.label.map((line, row) => (
                <text key={line} x={arrow.at?.x} y={(arrow.at?.y ?? 0) + row * LINE_PX + TEXT_PX} text-anchor="middle">
                  {line}
                </text>
              ))}
          </g>
        ))}
      </svg>
    </div>
  );
}

function classOf({ kind, path, whole }: Box, { active, visited }: Lit): string {
  const before = visited.has(path) ? 'visited' : '';
  const lit = active.has(path) ? 'active' : before;
  return [
    'box',
    kind,
    whole ? 'whole' : '',
    kind === 'final' ? `ends-${path}` : '',
    kind === 'state' || kind === 'final' ? lit : '',
  ]
    .filter(Boolean)
    .join(' ');
}
