import type { Option } from './config.ts';

/** The value of a text, or why it has none: the end of the sentence "expected …". */
export type TextForm =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'unreadable'; readonly expected: string };

/**
 * An option's value from the text of a flag or a variable: names are separated by commas, checks and globs are on lines
 * of their own, and objects are JSON. The schema reads everything else.
 *
 * @example
 * fromText('tools', 'read, edit'); // { kind: 'value', value: ['read', 'edit'] }
 */
export function fromText(option: Option, text: string): TextForm {
  switch (option) {
    case 'tools':
    case 'environment':
    case 'deps':
    case 'agents':
    case 'labels':
      return { kind: 'value', value: parts(text, ',') };
    case 'webhooks':
      return /^\s*\[/.test(text) ? fromJson(text) : { kind: 'value', value: parts(text, '\n') };
    case 'images':
    case 'checks':
    case 'protect':
    case 'unprotect':
    case 'allowGrounds':
    case 'provide':
    case 'prepare':
    case 'homePaths':
    case 'sandboxWrite':
    case 'heldOutChecks':
    case 'polling':
    case 'permissions':
      return { kind: 'value', value: parts(text, '\n') };
    case 'providers':
    case 'hooks':
    case 'mcpServers':
    case 'options':
    case 'providerOptions':
      return fromJson(text);
    case 'detectors':
      return /^\s*[[{]/.test(text) ? fromJson(text) : { kind: 'value', value: parts(text, ',') };
    case 'strategy':
      return text.trimStart().startsWith('{') ? fromJson(text) : { kind: 'value', value: text };
    default:
      return { kind: 'value', value: text };
  }
}

const parts = (text: string, separator: string) =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');

function fromJson(text: string): TextForm {
  try {
    return { kind: 'value', value: JSON.parse(text) };
  } catch {
    return { kind: 'unreadable', expected: 'an object, written as JSON' };
  }
}
