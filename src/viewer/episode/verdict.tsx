/** The judge's verdict, in its own words. */

import type { PayloadVerdict } from '../../results/page/index.ts';
import { spoken } from '../words.ts';

export function Verdict({ verdict }: { readonly verdict: PayloadVerdict }) {
  const { author, description, quotes, faultType, faultDescription, faultQuotes } = verdict;
  return (
    <div class="finding">
      <p class="finding-title">
        <span aria-hidden="true">§</span> <strong>judge: {author}</strong>
        {faultType === null ? null : <span class="tag">{spoken(faultType)}</span>}
      </p>
      <p>{description}</p>
      {faultDescription === null ? null : <p>{faultDescription}</p>}
      {[...quotes, ...faultQuotes].map((quote, at) => (
        <blockquote key={at}>{quote}</blockquote>
      ))}
    </div>
  );
}
