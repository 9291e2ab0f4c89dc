/** A function that reads foreign text, by the name that a failure prints. */
export type Reader = readonly [name: string, read: (text: string) => unknown];
