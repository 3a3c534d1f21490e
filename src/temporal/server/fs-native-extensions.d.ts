/** The part of the package that is used here; it has no types of its own. */
declare module 'fs-native-extensions' {
  /** @returns false if another open file has the lock */
  export function tryLock(fd: number): boolean;
}
