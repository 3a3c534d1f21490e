/**
 * Stack traces of a workflow's promises, for the tab "Call Stack" of Temporal UI (the query `__stack_trace`). The SDK's
 * hooks write the stack of every promise as it is made, through the source map; nearly all promises settle unread, and
 * the writing is a quarter of the workflow thread's time. Here only the error that holds a stack is made, and the SDK's
 * hook writes it when somebody asks. Off by itself with a version of the SDK that was not tried.
 */

'use strict';

const { createRequire } = require('node:module');
const { promiseHooks } = require('node:v8');

/**
 * A realm's errors and its present workflow, by the constructor of its promises: the SDK compiles the two functions anew
 * for each promise.
 */
const realms = new WeakMap();

function realmOf({ constructor }) {
  let realm = realms.get(constructor);
  if (realm === undefined) {
    // The realm's own `Function`: its code sees the realm's globals.
    const compile = constructor.constructor;
    realm = {
      activator: compile('return globalThis.__TEMPORAL_ACTIVATOR__'),
      Error: compile('return globalThis.Error')(),
    };
    realms.set(constructor, realm);
  }
  return realm;
}

/** `Promise.all` and its like follow each promise with one of their own, which the SDK does not show. */
const OF_AGGREGATE = /^\s+at Promise\.then \(<anonymous>\)\n\s+at (Function|Promise)\.(race|all|allSettled|any) /;

const NOTHING = { formatted: '', structured: [] };

/** A stack as workflow code reads it when it answers the query. */
class Stack {
  #write;
  #written;

  /** @param write the SDK's hook, called with the error, and once only: an error's stack is written once */
  constructor(write) {
    this.#write = write;
  }

  get formatted() {
    return (this.#written ??= this.#write()).formatted;
  }

  get structured() {
    return (this.#written ??= this.#write()).structured;
  }
}

/**
 * Calls the SDK's hook with what looks to it like a promise whose stack is `error`'s.
 * @param init the SDK's hook for a promise that is made
 */
function writeStack(init, { info }, error) {
  const promiseToStack = new Map();
  const activator = { info, promiseStackStore: { promiseToStack, childToParent: new Map() } };
  const answers = {
    'return globalThis.__TEMPORAL_ACTIVATOR__': () => activator,
    'return globalThis.Error': () =>
      function () {
        return error;
      },
  };
  const promise = { constructor: { constructor: (code) => answers[code] } };
  init(promise, undefined);
  const stack = promiseToStack.get(promise) ?? NOTHING;
  return OF_AGGREGATE.test(stack.formatted) ? NOTHING : stack;
}

const NO_PARENTS = new Set();

/** The hooks that take the place of the SDK’s. @param sdkInit its own for a promise that is made */
function hooksWith(sdkInit) {
  return {
    init(promise, parent) {
      const realm = realmOf(promise);
      const activator = realm.activator();
      if (!activator || promise === parent) return;
      const { promiseToStack, childToParent } = activator.promiseStackStore;
      const error = new realm.Error();
      promiseToStack.set(promise, new Stack(() => writeStack(sdkInit, activator, error)));
      childToParent.set(promise, parent ? new Set([parent]) : NO_PARENTS);
    },
    settled(promise) {
      const store = realmOf(promise).activator()?.promiseStackStore;
      store?.childToParent.delete(promise);
      store?.promiseToStack.delete(promise);
    },
  };
}

/** The version whose hook this file stands for. */
const TESTED = '1.24.0';

/**
 * Has the SDK write stacks only when they are read; does nothing with a version of the SDK that was not tried.
 * @param sdkThread the file whose SDK it is
 * @returns whether it is so
 */
function writeStacksWhenRead(sdkThread) {
  const load = createRequire(sdkThread);
  const { GlobalHandlers } = load('./vm-shared');
  const { setPromiseHook } = GlobalHandlers?.prototype ?? {};
  if (load('@temporalio/worker/package.json').version !== TESTED || typeof setPromiseHook !== 'function') return false;
  GlobalHandlers.prototype.setPromiseHook = function () {
    // Node's own asynchronous contexts use the same function, at any other time.
    const { createHook } = promiseHooks;
    promiseHooks.createHook = (hooks) => createHook({ ...hooks, ...hooksWith(hooks.init) });
    try {
      setPromiseHook.call(this);
    } finally {
      promiseHooks.createHook = createHook;
    }
  };
  return true;
}

module.exports = { writeStacksWhenRead };
