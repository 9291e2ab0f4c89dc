import { endingOf } from '../../app/records/run-ending.ts';
import type { WorkerNews } from '../hosts.ts';
import type { App } from '../../app/app.ts';
import { plain } from '../../projections/phrases.ts';
import type { Streams } from '../terminal/output.ts';

/** Prints what happens in a worker, a line each. */
export async function printNews({ out, err }: Streams, news: WorkerNews, loops: App): Promise<void> {
  switch (news.kind) {
    case 'begun':
    case 'resumed':
      out.line(`${news.kind}  ${news.run}`);
      for (const warning of news.live.warnings) err.line(`warning: ${plain(warning)}`);
      return;
    case 'settled': {
      const { standing } = news.settled;
      const because = 'because' in news.settled ? news.settled.because : null;
      const what = standing === 'over' ? ((await endingOf(loops, news.run).catch(() => null)) ?? 'over') : standing;
      return out.line(`left  ${news.run}  ${what}${because === null ? '' : `: ${plain(because)}`}`);
    }
    case 'branch': {
      const { delivered } = news;
      const what =
        delivered.kind === 'delivered' ? `${delivered.branch} is ${delivered.commit}` : `none: ${delivered.because}`;
      return out.line(`branch  ${news.run}  ${plain(what)}`);
    }
    case 'left_to_others':
      return out.line(`left  ${news.run}  to others: ${plain(news.because)}`);
    case 'trouble':
      return err.line(`trouble: ${plain(news.because)}`);
  }
}
