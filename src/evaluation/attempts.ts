/** Attempts of an activity that goes on from another one. */

/** Attempts at a call before a worker turned out not to know the conversation; `TranscriptMissing` carries them. */
export interface EarlierAttempts {
  /** Attempts that may have been paid: those lost after their request was sent, and those that the provider failed. */
  readonly attempts: number;
  /** Number of {@link attempts} that the provider failed. */
  readonly apiFailures: number;
}
