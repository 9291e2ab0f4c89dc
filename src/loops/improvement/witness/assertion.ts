/** An error that is no assertion, by the name that reporters write before its message. */
const OTHER_ERROR = /^(?!Assertion)(?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception)\b/;
/** Go and Rust: the test came to no assertion. */
const PANIC = /^panic: |\bpanicked at\b(?![\s\S]*assert)/;
/** Errors of loading, whoever prints them. */
const LOADING =
  /cannot find (?:module|package)|does not provide an export|failed to (?:load|resolve)|no module named|fixture '[^']*' not found|unexpected token/i;

/**
 * Whether a test failed in an assertion, going by what its runner says of it, and not because something is missing or
 * cannot be loaded.
 *
 * @example
 * isAssertion('Expected values to be strictly equal:\n\n1 !== 2'); // true
 * isAssertion('TypeError: retry is not a function'); // false
 */
export const isAssertion = (message: string): boolean =>
  !OTHER_ERROR.test(message.trim()) && !PANIC.test(message.trim()) && !LOADING.test(message);
