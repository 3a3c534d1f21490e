/**
 * Loaded into a worker's threads before their own code (`--expose-gc --require`): at SIGUSR2 each of them collects its
 * garbage, and the process prints what is left. Without a collection the figures go up and down by the half.
 */

'use strict';

const { setTimeout } = require('node:timers');
const { getHeapStatistics } = require('node:v8');
const { BroadcastChannel, isMainThread } = require('node:worker_threads');

/** Time after which is freed what a collection has found. @unit milliseconds */
const SETTLE_MS = 500;

/** Collections in a row: what one frees may have held native memory, which the next frees. */
function collect() {
  globalThis.gc();
  globalThis.gc();
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
}

const channel = new BroadcastChannel('memory-probe');
channel.unref();

if (isMainThread) {
  let threads = 1;
  let looks = 0;
  let answers = [];
  process.on('worker', (thread) => {
    threads += 1;
    thread.once('exit', () => (threads -= 1));
  });
  const print = (look, live) => {
    const resident = process.memoryUsage.rss();
    process.stdout.write(`memory ${look}: live ${live}, resident ${resident}, threads ${threads}\n`);
  };
  const add = (bytes) => {
    answers.push(bytes);
    if (answers.length < threads) return;
    const live = answers.reduce((sum, each) => sum + each, 0);
    setTimeout(print, SETTLE_MS, looks, live).unref();
  };
  channel.onmessage = ({ data }) => {
    if (data.look === looks) add(data.bytes);
  };
  process.on('SIGUSR2', () => {
    looks += 1;
    answers = [];
    channel.postMessage({ look: looks });
    add(collect());
  });
} else {
  channel.onmessage = ({ data }) => {
    if (data.bytes === undefined) channel.postMessage({ look: data.look, bytes: collect() });
  };
}
