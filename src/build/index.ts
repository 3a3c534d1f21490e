/** Steps of the build, and makers of shipped artifacts. The program needs nothing of it at run time. */

export { bundledPackages, licensesOf } from './bundled-packages.ts';
