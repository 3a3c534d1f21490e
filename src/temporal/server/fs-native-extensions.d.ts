/** Types of the used parts of the package, which has no types. */
declare module 'fs-native-extensions' {
  /** @returns false if another open file has a lock that excludes it */
  export function tryLock(fd: number, offset: number, length: number, options: { readonly shared: boolean }): boolean;
}
