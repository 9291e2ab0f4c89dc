const UNITS = [
  ['gb', 'GiB', 1024 ** 3],
  ['mb', 'MiB', 1024 ** 2],
  ['kb', 'KiB', 1024],
] as const;

/**
 * Bytes of a size such as `200mb`, `4gb` or `64kb`; null for anything else.
 *
 * @example
 * parseSize('1mb'); // 1048576
 */
export function parseSize(text: string): number | null {
  const [, digits, unit] = /^(\d{1,6})(kb|mb|gb)$/.exec(text) ?? [];
  const bytes = UNITS.find(([name]) => name === unit)?.[2];
  return bytes === undefined ? null : Number(digits) * bytes;
}

/**
 * A size for people, exactly: in the largest unit that leaves no rest.
 *
 * @example
 * formatSize(52_428_800); // '50 MiB'
 */
export function formatSize(bytes: number): string {
  const [, name, unit] = UNITS.find(([, , of]) => bytes >= of && bytes % of === 0) ?? ['', 'bytes', 1];
  return `${bytes / unit} ${name}`;
}
