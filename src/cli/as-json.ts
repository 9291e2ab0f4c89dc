const CONTROLS = /[\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g;

/** JSON that a terminal can be shown: JSON itself lets some characters that steer one stand as they are. */
export const asJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(
    CONTROLS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
