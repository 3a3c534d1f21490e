/** The note of `run.json` on runs whose tasks are not tau-bench's. */

const NOT_TAU_BENCH = "These are not tau-bench's tasks";

/** Note for runs of a synthetic pack: the command line may be tau-bench's, the tasks are not. */
export function formatSyntheticNote(pack: string, env: string): string {
  return (
    `${NOT_TAU_BENCH}: the pack ${pack} is synthetic. Get tau-bench's with \`npx tauflow data import\` and run them ` +
    `with \`--pack tau-bench-${env}\`.`
  );
}

/** @returns the note that must accompany the leaderboard row, if any */
export function findRowNote(notes: readonly string[]): string | null {
  return notes.find((note) => note.startsWith(NOT_TAU_BENCH)) ?? null;
}
