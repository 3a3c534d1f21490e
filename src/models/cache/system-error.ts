/** Tells the operating system's errors apart by their code. */

export function isSystemError(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
