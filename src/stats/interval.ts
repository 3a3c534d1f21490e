/** Where a true value lies, as far as the data tell. */
export interface Interval {
  readonly low: number;
  readonly high: number;
  /** How often intervals made in this way hold the true value; such as 0.95. */
  readonly level: number;
}
