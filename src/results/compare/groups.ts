/** Groups of runs that cannot be told apart. Pure. */

/**
 * The largest groups in which no two are told apart; a run may be in several, because "not told apart" is no equality:
 * a and b may be too close, b and c too, and a and c not. Piepho's insert-and-absorb algorithm (An Algorithm for a
 * Letter-Based Representation of All-Pairwise Comparisons, JCGS 13, 2004): all in one group at first; each pair that is
 * told apart splits the groups that hold both; a group within another one goes.
 *
 * @param count of runs, numbered from 0
 * @returns groups by their first run, runs ascending; each run is in one at least
 */
export function indistinguishable(count: number, toldApart: readonly (readonly [number, number])[]): number[][] {
  let groups: number[][] = [Array.from({ length: count }, (_, index) => index)];
  for (const [a, b] of toldApart) {
    const split = groups.flatMap((group) =>
      group.includes(a) && group.includes(b)
        ? [group.filter((member) => member !== a), group.filter((member) => member !== b)]
        : [group],
    );
    groups = split.filter(
      (group, place) => !split.some((other, at) => at !== place && absorbs(other, at, group, place)),
    );
  }
  return groups.filter((group) => group.length > 0).sort(byMembers);
}

/** Of two equal ones the first stays. */
function absorbs(other: readonly number[], at: number, group: readonly number[], place: number): boolean {
  if (!group.every((member) => other.includes(member))) return false;
  return other.length > group.length || at < place;
}

function byMembers(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((member, place) => member !== b[place]);
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
