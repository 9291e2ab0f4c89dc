import { excerpt } from '../../text/excerpt.ts';
import { visible } from '../../text/visible.ts';

/** The most characters of a text on a page: its beginning and its end stay. */
const MAX_TEXT_CHARS = 20_000;
/** The same of a text in one line. */
export const MAX_LINE_CHARS = 1_000;

/** A text of a run as a page shows it: of bounded length, and without what is not seen. */
export const shownText = (text: string, most = MAX_TEXT_CHARS): string => visible(excerpt(text, most));
