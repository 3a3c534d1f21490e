/**
 * The simplex method in whole numbers, so that what it finds impossible is proven to be. (Solvers in floating point
 * called rows impossible that came from data: the counts of choices differ by orders of magnitude.)
 *
 * Integer pivoting (Edmonds 1967; Bareiss, Mathematics of Computation 22, 1968): a tableau of whole numbers stands for
 * itself divided by the last pivot, and the division in a pivot has no remainder. Bland's rule (Mathematics of Operations
 * Research 2, 1977) keeps it from going in circles.
 */

export interface Tableau {
  /** Rows of a system of equations; the last column is the right side. */
  readonly rows: bigint[][];
  /** The coefficients of what is to be least, with an opposite sign, and 0. */
  readonly objective: bigint[];
  /** For each row its basic variable: a column that is 1 there and 0 in all other rows. */
  readonly basis: number[];
  /** The last pivot. */
  divisor: bigint;
}

/** Makes a variable basic in a row. */
export function pivot(tableau: Tableau, row: number, column: number): void {
  const { rows, objective, basis, divisor } = tableau;
  const pivotRow = rows[row] ?? [];
  // A negative pivot would turn the signs of all rows.
  if (at(pivotRow, column) < 0n) pivotRow.forEach((value, index) => (pivotRow[index] = -value));
  const factor = at(pivotRow, column);
  for (const other of [...rows, objective]) {
    if (other === pivotRow) continue;
    const share = at(other, column);
    other.forEach((value, index) => (other[index] = (value * factor - share * at(pivotRow, index)) / divisor));
  }
  basis[row] = column;
  tableau.divisor = factor;
}

/** Makes the objective least, from a basis whose right sides are not negative. It must be bounded below. */
export function minimize(tableau: Tableau): void {
  const { rows, objective, basis } = tableau;
  for (;;) {
    const entering = objective.findIndex((value, column) => value > 0n && column < objective.length - 1);
    if (entering < 0) return;
    let leaving = -1;
    rows.forEach((row, index) => {
      if (at(row, entering) <= 0n) return;
      const best = rows[leaving];
      const [mine, others] =
        best === undefined
          ? [0n, 1n]
          : [at(row, row.length - 1) * at(best, entering), at(best, best.length - 1) * at(row, entering)];
      if (mine < others || (mine === others && (basis[index] ?? 0) < (basis[leaving] ?? 0))) leaving = index;
    });
    if (leaving < 0) throw new RangeError('the objective is not bounded');
    pivot(tableau, leaving, entering);
  }
}

/** The value of a variable, as a fraction of {@link Tableau.divisor}. */
export function valueOf({ rows, basis }: Tableau, column: number): bigint {
  const row = rows[basis.indexOf(column)];
  return row === undefined ? 0n : at(row, row.length - 1);
}

function at(values: readonly bigint[], index: number): bigint {
  return values[index] ?? 0n;
}
