import { computed, signal } from '@preact/signals';

/** A place of the page: which screen, which run, which of its tabs, which version. It is the address after `#`. */
export interface Place {
  readonly screen: 'runs' | 'inbox' | 'start' | 'lab' | 'compare' | 'run';
  readonly run: string;
  readonly tab: string;
  /** Null: the newest. */
  readonly at: number | null;
}

const hash = signal(location.hash);
addEventListener('hashchange', () => {
  hash.value = location.hash;
});

export const place = computed((): Place => placeOf(hash.value));

function placeOf(text: string): Place {
  const [path = '', query = ''] = text.replace(/^#\/?/, '').split('?');
  const [screen = '', run = '', tab = ''] = path.split('/');
  const at = Number(new URLSearchParams(query).get('at') ?? '');
  if (screen === 'run' && run !== '')
    return { screen, run: decodeURIComponent(run), tab: tab || 'chart', at: at > 0 ? at : null };
  if (screen === 'lab' || screen === 'compare') return { screen, run: decodeURIComponent(run), tab: '', at: null };
  return { screen: screen === 'inbox' || screen === 'start' ? screen : 'runs', run: '', tab: '', at: null };
}

/** The address of a run. */
export const runHref = (run: string, tab = 'chart'): string => `#/run/${encodeURIComponent(run)}/${tab}`;

/** The address of runs side by side. */
export const compareHref = (runs: readonly string[]): string => `#/compare/${runs.map(encodeURIComponent).join(',')}`;

/** Goes somewhere. */
export const go = (href: string): void => {
  location.hash = href;
};

/** Writes a version into the address, without an entry in the history for each step. */
export function goAt(at: number | null): void {
  const { run, tab } = place.peek();
  history.replaceState(null, '', `${runHref(run, tab)}${at === null ? '' : `?at=${at}`}`);
  hash.value = location.hash;
}
