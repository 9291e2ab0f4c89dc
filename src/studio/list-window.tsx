import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface Windowed<Item> {
  readonly items: readonly Item[];
  /** Of every row, in pixels. */
  readonly rowHeight: number;
  readonly label: string;
  readonly row: (item: Item, index: number) => ComponentChildren;
  readonly keyOf: (item: Item, index: number) => string | number;
  /** The row that has to be in view. */
  readonly shown?: number;
}

/** Rows beyond what is in view, so that none is missing while it scrolls. */
const BEYOND = 8;

/** A list of any length, of which only the rows in view are drawn. */
export function WindowedList<Item>(props: Windowed<Item>): JSX.Element {
  const { items, rowHeight, label, row, keyOf, shown } = props;
  const top = useSignal(0);
  const height = useSignal(600);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const sized = new ResizeObserver(() => {
      height.value = element.clientHeight;
    });
    sized.observe(element);
    return () => sized.disconnect();
  }, []);
  useEffect(() => {
    const element = box.current;
    if (!element || shown === undefined) return;
    const at = shown * rowHeight;
    if (at < element.scrollTop) element.scrollTop = at;
    else if (at + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = at + rowHeight - element.clientHeight;
  }, [shown]);
  const first = Math.max(0, Math.floor(top.value / rowHeight) - BEYOND);
  const last = Math.min(items.length, Math.ceil((top.value + height.value) / rowHeight) + BEYOND);
  return (
    <div
      class="windowed"
      ref={box}
      tabIndex={0}
      role="region"
      aria-label={label}
      onScroll={({ currentTarget }) => {
        top.value = currentTarget.scrollTop;
      }}
    >
      <ul role="list" style={{ height: `${items.length * rowHeight}px` }}>
        {items.slice(first, last).map((item, index) => (
          <li
            key={keyOf(item, first + index)}
            style={{ top: `${(first + index) * rowHeight}px`, height: `${rowHeight}px` }}
            aria-setsize={items.length}
            aria-posinset={first + index + 1}
          >
            {row(item, first + index)}
          </li>
        ))}
      </ul>
    </div>
  );
}
