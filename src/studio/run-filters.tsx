import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { compareHref } from './page-address.ts';
import { filters, kindOf, limit, marked, matching, more, readRuns, runs } from './runs-model.ts';
import type { ListedView } from './view-types.ts';

/** How much longer the list becomes when older runs are asked for. */
const MORE = 10;

/** The filters of the list of runs, and how many runs they leave. */
export function RunFilters(): JSX.Element {
  const { text } = filters;
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <label>
        Find
        <input
          type="search"
          id="find"
          value={text.value}
          placeholder="task, id or ending"
          onInput={({ currentTarget }) => (text.value = currentTarget.value)}
        />
      </label>
      <Choice label="Ending" filter={filters.ending} of={kindOf} />
      <Choice label="Loop" filter={filters.loop} of={({ loop }) => loop} />
      <Choice label="Label" filter={filters.label} of={({ label }) => label ?? ''} />
      {marked.value.length > 1 && (
        <a href={compareHref(marked.value)} title="key c">
          Compare {marked.value.length} runs
        </a>
      )}
      <span role="status">
        {matching.value.length} of {runs.value?.length ?? 0}
        {more.value > 0 && (
          <button
            type="button"
            class="link"
            onClick={() => {
              limit.value *= MORE;
              void readRuns();
            }}
          >
            {more.value} older
          </button>
        )}
      </span>
    </form>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly filter: Signal<string>;
  /** What of a run is chosen by. */
  readonly of: (run: ListedView) => string;
}

/** A choice of what the listed runs have. Absent where none of them has it. */
function Choice({ label, filter, of }: ChoiceProps): JSX.Element | null {
  const values = [...new Set((runs.value ?? []).map(of))].filter(Boolean).toSorted();
  if (values.length === 0) return null;
  return (
    <label>
      {label}
      <select value={filter.value} onChange={({ currentTarget }) => (filter.value = currentTarget.value)}>
        <option value="">any</option>
        {values.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </label>
  );
}
