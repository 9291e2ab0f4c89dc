import type { Json } from './envelope.ts';

/**
 * RFC 8785 text of a value that passed the gate: members in the order of their UTF-16 code units, numbers and texts as
 * JSON writes them. A library does the same; this one leaves out what the gate has looked for already, and takes half
 * its time. The tests compare the two.
 *
 * @example
 * canonicalText({ b: [1e21, -0], a: 'ü' }); // '{"a":"ü","b":[1e+21,0]}'
 */
export function canonicalText(value: Json): string {
  if (typeof value === 'string') return JSON.stringify(value);
  // A -0 is written as 0.
  if (typeof value !== 'object' || value === null) return `${value}`;
  return Array.isArray(value) ? items(value) : members(value as { readonly [key: string]: Json });
}

function items(values: readonly Json[]): string {
  let text = '';
  for (const value of values) text += text === '' ? canonicalText(value) : `,${canonicalText(value)}`;
  return `[${text}]`;
}

function members(object: { readonly [key: string]: Json }): string {
  let text = '';
  for (const key of Object.keys(object).toSorted()) {
    const member = `${JSON.stringify(key)}:${canonicalText(object[key] ?? null)}`;
    text += text === '' ? member : `,${member}`;
  }
  return `{${text}}`;
}
