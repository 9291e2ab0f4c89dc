const CONTROLS = /[\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g;

/** JSON that is safe on a terminal: control characters that JSON allows are escaped. */
export const asJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(
    CONTROLS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
