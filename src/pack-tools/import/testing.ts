/** Exports for this module's tests. */

export { Checkout, readCheckout } from './checkout.ts';
export { importCheckout } from './import.ts';
