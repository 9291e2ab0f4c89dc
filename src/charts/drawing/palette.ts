import type { Ending } from '../../../machines/outcome.ts';

/**
 * Colours by what they are for, in light and in dark viewers. No two of a palette are the same: the style sheet finds
 * an element by the plain colour that is written on it.
 */
export const palettes = {
  light: {
    page: '#ffffff',
    box: '#f3f6fb',
    whole: '#fafbfd',
    final: '#eef1f6',
    here: '#e3efff',
    border: '#6b7a90',
    text: '#17202e',
    muted: '#526078',
    faint: '#5c687c',
    line: '#5a6980',
    pale: '#8590a2',
    active: '#0b66d8',
    success: '#e6f6eb',
    successEdge: '#2c7d45',
    limit: '#fdf2d8',
    limitEdge: '#96660a',
    repetition: '#f2eafb',
    repetitionEdge: '#7546b3',
    abort: '#fdeaea',
    abortEdge: '#b73434',
  },
  dark: {
    page: '#0d1117',
    box: '#1a2230',
    whole: '#131924',
    final: '#1f2937',
    here: '#12305a',
    border: '#7a8aa3',
    text: '#e8edf5',
    muted: '#a8b5c9',
    faint: '#95a2b7',
    line: '#93a3bb',
    pale: '#677489',
    active: '#6cb0ff',
    success: '#14301f',
    successEdge: '#4fb274',
    limit: '#33270d',
    limitEdge: '#cf9f33',
    repetition: '#2a1d40',
    repetitionEdge: '#ab88e2',
    abort: '#3a1b1e',
    abortEdge: '#e56d70',
  },
} as const;

export type Colour = keyof typeof palettes.light;

/** A colour as every viewer understands it. */
export const plain = (colour: Colour): string => palettes.light[colour];

/** Which colours an ending has, by its kind: both limits look alike. */
export const endingColours: Readonly<Record<Ending, { readonly ground: Colour; readonly edge: Colour }>> = {
  success: { ground: 'success', edge: 'successEdge' },
  cap_hit: { ground: 'limit', edge: 'limitEdge' },
  doom_loop: { ground: 'repetition', edge: 'repetitionEdge' },
  budget: { ground: 'limit', edge: 'limitEdge' },
  abort: { ground: 'abort', edge: 'abortEdge' },
};

/** The colours of a final state. Null where it is not one of the five endings. */
export const coloursOfEnding = (path: string): (typeof endingColours)[Ending] | null =>
  Object.hasOwn(endingColours, path) ? endingColours[path as Ending] : null;
