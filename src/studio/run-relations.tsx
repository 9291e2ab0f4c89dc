import type { JSX } from 'preact';
import { compareHref, runHref } from './page-address.ts';
import type { RunView } from './view-types.ts';
import { shortId } from './words.ts';

interface Relation {
  /** The words before the link. */
  readonly said?: string;
  readonly href: string;
  readonly text: string;
}

/** Links from a run to others that have to do with it, and to other judges. `isAlone`: the page has no other run to lead to. */
export const RunRelations = ({ view, isAlone }: { view: RunView; isAlone: boolean }): JSX.Element => (
  <p class="quiet">
    run <code>{view.run}</code>
    {(isAlone ? [] : relationsOf(view)).map(({ said = '', href, text }) => (
      <span key={href}>
        {` · ${said}`}
        <a href={href}>{text}</a>
      </span>
    ))}
    {view.unreadable > 0 && ` · ${view.unreadable} events cannot be read here`}
  </p>
);

const linkTo = (said: string, run: string): Relation => ({ said, href: runHref(run), text: `run ${shortId(run)}` });

function relationsOf({ run, parent, continues, continuedAs, children }: RunView): readonly Relation[] {
  return [
    ...(parent === null ? [] : [linkTo('part of ', parent)]),
    ...(continues === null ? [] : [linkTo('continues ', continues.run)]),
    ...continuedAs.map((one) => linkTo('continued as ', one)),
    { href: `#/lab/${run}`, text: 'other judges' },
    ...(children.length > 1 ? [{ href: `#/compare/of:${run}`, text: 'compare its attempts' }] : []),
    ...(continues === null
      ? []
      : [{ href: compareHref([continues.run, run]), text: 'compare with what it continues' }]),
  ];
}
