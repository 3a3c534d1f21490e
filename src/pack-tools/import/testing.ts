/** Exports for this module's tests. */

export { Checkout, readCheckout } from './checkout.ts';
export { importCheckout } from './import.ts';
export { findMethod, parameterDefault, returnValue } from './python-source/functions.ts';
export { PythonModules } from './python-source/modules.ts';
