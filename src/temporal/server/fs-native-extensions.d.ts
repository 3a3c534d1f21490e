/** Types of the used parts of the package, which has no types. */
declare module 'fs-native-extensions' {
  /** @returns false if another open file has the lock */
  export function tryLock(fd: number): boolean;
}
