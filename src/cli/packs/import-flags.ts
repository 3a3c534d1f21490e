/** Flags of `tauflow data import`. */

export interface ImportFlags {
  readonly benchmark: string;
  readonly commit?: string;
  readonly env?: string;
  readonly name?: string;
  readonly out?: string;
  readonly replace?: boolean;
  readonly json?: boolean;
}
