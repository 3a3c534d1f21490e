/** The SDK's logger without the rest of its package, which takes a quarter of a second to load. */

export { DefaultLogger } from '@temporalio/worker/lib/logger.js';
