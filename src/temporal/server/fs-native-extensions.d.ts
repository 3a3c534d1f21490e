/** Types of the parts of the package that are used; it has none. */
declare module 'fs-native-extensions' {
  /** @returns false if another open file has the lock */
  export function tryLock(fd: number): boolean;
}
